#pragma once

#include <cstddef>

#include "rope/plot/axis.hpp"
#include "rope/plot/figure.hpp"

namespace rope::plot {

/// The values at the two ends of a heat map's colours; the same for all maps of the figure that
/// share a range. The panel must have a heat map.
Extent colour_range(const Figure& figure, std::size_t panel);

/// Whether one colour bar is enough for the figure. It is if there are at least two heat maps, one
/// of them in the first panel, and they all share their colours. Other panels may contain curves.
bool one_bar(const Figure& figure);

}  // namespace rope::plot
