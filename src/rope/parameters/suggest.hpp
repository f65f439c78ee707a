#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rope {

/// "csv, json or png"
std::string alternatives(std::span<const std::string_view> words);

/// The word in lower case, with hyphens for underscores: rotate_half and Rotate-Half become the
/// same.
std::string plain_word(std::string_view word);

/// The smallest number of letters to add, drop, change or swap with a neighbour to turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The word of `known` that the user most likely meant by `word`, or nothing if none is near.
///
/// Near means a difference of few letters (added, dropped, changed, or two neighbours swapped), or
/// being the beginning of exactly one known word.
std::string likely_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace rope
