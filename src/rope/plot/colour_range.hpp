#pragma once

#include <cstddef>

#include "rope/plot/axis.hpp"
#include "rope/plot/figure.hpp"

namespace rope::plot {

/// The values at the two ends of a heat map's colours; the same for all maps of the figure that
/// share one. The panel must have a heat map.
Extent colour_range(const Figure& figure, std::size_t panel);

}  // namespace rope::plot
