#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rope/studies/attention.hpp"
#include "shown/console.hpp"
#include "shown/table.hpp"

namespace rope::app {

// Wording shared by the reports of all views of `rope attention`.

using Words = std::vector<std::string>;

/// The most characters of a word that a table shows.

inline constexpr std::size_t kLongestWord = 8;

/// The word or, if it is longer than `most`, its first characters followed by ….
std::string shortened_word(const std::string& word, std::size_t most);

/// The word in quotes, shortened if it is long.
std::string quoted_word(const std::string& word);

/// The words as a sentence in quotes, shortened if it is long.
std::string quoted_text(const Words& words);

/// "RoPE, causal mask"
std::string with_mask(const std::string& title, Mask mask);

/// Whether the spec means that there is no positional encoding.
bool positionless(const EncodingSpec& spec);

/// "RoPE" or "no positions", for use after the word "with".
std::string encoding_words(const EncodingSpec& spec, const std::string& title);

/// ", to within 2.2e-16 (rounding limit 1.6e-14)" or ", exactly"
std::string beside_rounding(const Measured& found);

/// "= 1.11e-16" if rounding explains the value, otherwise "≠ 0.893".
std::string beside_zero(const Measured& found);

/// A sentence on how the vectors of the words were made, and that they carry no meaning.
std::string about_vectors(const EncodingContext& context);

/// With `details`, all rows; otherwise as many as fit on a screen.
ShownRows rows_to_show(std::size_t count, bool details);

/// Prints how many rows are omitted, if any.
void say_left_out(const ShownRows& rows, std::string_view what, const Console& console);

}  // namespace rope::app
