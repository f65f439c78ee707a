#pragma once

#include <optional>

#include "rope/plot/figure.hpp"
#include "rope/plot/layout.hpp"

namespace rope::plot {

/// Whether a picture has a size on paper. All its words and numbers then have 6 to 8 points, what
/// journals ask for, whatever has to give way for that: exponents and indices alone are smaller.
bool on_paper(const Figure& figure);

/// The scale of a layout, brought to where labels and numbers have 6 to 8 points.
double scale_on_paper(const Figure& figure, double scale);

/// The smallest such scale.
double least_scale_on_paper(const Figure& figure);

/// A size of text in pixels; on paper the nearest from 6 to 8 points.
double text_size(const Figure& figure, double pixels);

/// Whether a text is cut, lies on another, the label of a line on a curve, or one leaves the
/// picture, or a panel is no larger than the numbers beside it.
bool crowded(const Figure& figure, const Layout& layout);

struct PaperSize {
  double width = 0;  ///< inches
  double height = 0;
};

/// None where a picture on paper has room for its words. Else a larger size that has, as wide where
/// that helps; of no width where none has.
std::optional<PaperSize> size_that_suffices(const Figure& figure);

}  // namespace rope::plot
