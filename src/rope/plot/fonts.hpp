#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/plot/figure.hpp"

namespace rope::plot {

/// The characters that at least one font can draw, as ranges that include both ends.
class FontCoverage {
 public:
  /// The characters of DejaVu Sans, which every machine with gnuplot has: Latin, Greek, Cyrillic,
  /// mathematics.
  static FontCoverage known();

  /// The characters of all installed fonts, as reported by fontconfig's fc-list; known() if there
  /// is no fc-list. Colour fonts are skipped, since gnuplot cannot draw with them.
  static FontCoverage installed();

  bool has(char32_t c) const;

 private:
  explicit FontCoverage(std::vector<std::pair<char32_t, char32_t>> ranges);

  std::vector<std::pair<char32_t, char32_t>> ranges_;
};

/// The figure with U+FFFD for each character that no installed font has: otherwise, gnuplot would
/// draw a black shape over the whole picture. Adds one warning that names these characters. Looks
/// up the installed fonts only if a character is not covered by known().
///
/// Throws    SystemError if the figure's words are Chinese and no installed font has one of the
///           Chinese characters: a picture without words is useless.
Figure with_drawable_texts(const Figure& figure, std::vector<std::string>* warnings);

}  // namespace rope::plot
