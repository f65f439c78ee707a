#pragma once

#include <optional>

#include "rope/plot/figure.hpp"
#include "rope/plot/layout.hpp"

namespace rope::plot {

/// Whether a picture has a size on paper. All its words and numbers are then 6 to 8 points, as
/// journals require, and other things give way if they must; only exponents and indices are
/// smaller.
bool on_paper(const Figure& figure);

/// The scale of a layout, adjusted so that labels and numbers are 6 to 8 points.
double scale_on_paper(const Figure& figure, double scale);

/// The smallest scale that a layout may have on paper.
double least_scale_on_paper(const Figure& figure);

/// A text size in pixels; on paper, the nearest size from 6 to 8 points.
double text_size(const Figure& figure, double pixels);

/// Whether a text is cut, lies on another or extends beyond the picture; also whether the label of
/// a line lies on a curve, or a panel is no larger than the numbers next to it.
bool crowded(const Figure& figure, const Layout& layout);

struct PaperSize {
  double width = 0;  ///< inches
  double height = 0;
};

/// Nothing if a picture on paper has room for its words. Otherwise, a larger size that has room,
/// with the same width if possible; the width is zero if there is no such size.
std::optional<PaperSize> size_that_suffices(const Figure& figure);

}  // namespace rope::plot
