#pragma once

#include <cstddef>

#include "rope/plot/axis.hpp"
#include "rope/plot/figure.hpp"

namespace rope::plot {

/// The values at the two ends of a heat map's colours; the same for all maps of the figure that
/// share a range. The panel must have a heat map.
Extent colour_range(const Figure& figure, std::size_t panel);

/// Whether one colour bar serves the figure: all its heat maps, at least two and including the
/// first panel, share their colours. There may be curves among them.
bool one_bar(const Figure& figure);

}  // namespace rope::plot
