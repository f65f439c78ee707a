#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rope/plot/figure.hpp"

namespace rope::plot {

enum class PictureFormat { png, svg, pdf, gp };

/// A finished file, and the warnings that the user should see.
struct Picture {
  std::string bytes;
  std::vector<std::string> warnings;
};

/// Draws a figure with gnuplot, the first one on PATH, in a separate process.
///
/// `gp` is the script that gnuplot would run: `gnuplot chart.gp > chart.png` draws the PNG. Making
/// the script does not require gnuplot. The same figure gives the same bytes, whatever the user's
/// working folder, home folder and language; the bytes differ between versions of gnuplot and of
/// the fonts.
///
/// Accuracy  Curves with more points than the picture has pixels are thinned without a visible
///           change: each pixel column keeps its first, lowest, highest and last point.
/// Edge      A character that no installed font has is drawn as U+FFFD, with a warning; an SVG
///           keeps it, since the viewer has its own fonts.
/// Throws    ShapeError and DomainError as validate() does; SystemError if gnuplot is missing,
///           fails, hangs or leaves a truncated picture.
Picture render(const Figure& figure, PictureFormat format);

/// Draws figures in one gnuplot process, as PNG files one after another. Throws what render()
/// throws.
Picture render_pages(const std::vector<Figure>& figures);

/// The consecutive PNG files in `bytes`, as far as they are complete.
std::vector<std::string_view> png_files(std::string_view bytes);

/// Draws a figure for a terminal that shows sixel pictures. Throws what render() throws.
Picture render_sixel(const Figure& figure);

}  // namespace rope::plot
