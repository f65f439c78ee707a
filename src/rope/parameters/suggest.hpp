#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rope {

/// The words joined as alternatives: "csv, json or png".
std::string alternatives(std::span<const std::string_view> words);

/// The word in lower case, with hyphens in place of underscores: rotate_half and Rotate-Half become
/// the same.
std::string plain_word(std::string_view word);

/// The smallest number of letters to add, drop, change or swap with a neighbour in order to turn a
/// into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The word of `known` that the user most likely meant by `word`, or nothing if none is near.
///
/// A known word is near if it differs in few letters (added, dropped, changed, or two neighbours
/// swapped), or if it is the only known word that begins with `word`.
std::string likely_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace rope
