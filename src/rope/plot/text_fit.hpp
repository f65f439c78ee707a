#pragma once

#include <cstddef>
#include <vector>

#include "rope/plot/text.hpp"

namespace rope::plot {

/// The approximate width of a text, as a multiple of its font size: widths of DejaVu Sans, the
/// wider of the two fonts in use, so the estimate errs on the safe side.
double text_width(const Text& text, bool bold = false);

/// The text, cut to end in "…" if it is wider than `width` font sizes.
Text shortened(const Text& text, double width, bool bold = false);

/// Whether lines made by shortened() or wrapped() lack a part of the text, or break a word.
bool is_cut(const std::vector<Text>& lines, const Text& whole);

/// Breaks a text into at most `max_lines` lines no wider than `width` font sizes: at spaces and
/// next to Chinese characters, and within a word only if the word itself is too wide. The last line
/// ends in "…" if text is left over. Never breaks inside the braces of markup.
std::vector<Text> wrapped(const Text& text, double width, std::size_t max_lines, bool bold = false);

/// Whether a line may end between two characters, neither of which is a space. It may do so next to
/// a Chinese character, unless one of the two is a mark that must stay with its neighbour.
bool line_may_end(char32_t before, char32_t after);

}  // namespace rope::plot
