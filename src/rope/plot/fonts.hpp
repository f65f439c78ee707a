#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/plot/figure.hpp"

namespace rope::plot {

/// The characters some font can draw, as ranges that include both ends.
class FontCoverage {
 public:
  /// What DejaVu Sans has, and therefore every machine with gnuplot: Latin, Greek, Cyrillic,
  /// mathematics.
  static FontCoverage known();

  /// What any installed font has, as reported by fontconfig's fc-list; known() if there is no
  /// fc-list. Fonts of coloured pictures are skipped, since gnuplot cannot draw with them.
  static FontCoverage installed();

  bool has(char32_t c) const;

 private:
  explicit FontCoverage(std::vector<std::pair<char32_t, char32_t>> ranges);

  std::vector<std::pair<char32_t, char32_t>> ranges_;
};

/// The figure with U+FFFD for each character that no installed font has: gnuplot would draw a black
/// shape over the whole picture. Adds one warning that names them. Asks for the installed fonts
/// only if a character is not among the known ones.
///
/// Throws    SystemError if the figure's words are Chinese and no font has one of their characters:
///           a picture without words is of no use.
Figure with_drawable_texts(const Figure& figure, std::vector<std::string>* warnings);

}  // namespace rope::plot
