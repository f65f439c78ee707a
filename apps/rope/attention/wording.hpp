#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rope/studies/attention.hpp"
#include "shown/console.hpp"
#include "shown/table.hpp"

namespace rope::app {

// What the reports of all views of `rope attention` say alike.

using Words = std::vector<std::string>;

inline constexpr std::size_t kLongestWord = 8;  ///< characters of a word in a table

/// The first characters of a word that is longer than `most`, and ….
std::string shortened_word(const std::string& word, std::size_t most);

/// The word between quotes, cut where it is long.
std::string quoted_word(const std::string& word);

/// The words as a sentence, of which a long one is cut.
std::string quoted_text(const Words& words);

/// "RoPE, causal mask"
std::string with_mask(const std::string& title, Mask mask);

/// Whether it is no encoding at all.
bool positionless(const EncodingSpec& spec);

/// "RoPE", "no positions": after "with".
std::string encoding_words(const EncodingSpec& spec, const std::string& title);

/// "at most 2.2e-16 (rounding limit 1.6e-14)", "the difference is exactly 0"
std::string beside_rounding(const Measured& found);

/// "= 1.11e-16" within rounding, "≠ 0.893" beyond.
std::string beside_zero(const Measured& found);

/// Where the numbers of the words come from: what is seen is no meaning.
std::string about_vectors(const EncodingContext& context);

/// All rows with `details`, else as many as fit a screen.
ShownRows rows_to_show(std::size_t count, bool details);

/// How many rows are left out, if any.
void say_left_out(const ShownRows& rows, std::string_view what, const Console& console);

}  // namespace rope::app
