#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rope {

/// "csv, json or png"
std::string alternatives(std::span<const std::string_view> words);

/// The word in small letters, with a hyphen for an underscore: rotate_half and Rotate-Half are one.
std::string plain_word(std::string_view word);

/// The least number of letters to add, drop, change or swap with a neighbour that make b of a.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The word of `known` that the user most likely meant by `word`, or nothing if none is near.
///
/// Near is a difference of few letters (added, dropped, changed, or two neighbours swapped), or
/// being the beginning of exactly one known word.
std::string likely_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace rope
