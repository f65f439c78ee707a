#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/plot/figure.hpp"

namespace rope::plot {

/// For each curve of a panel, the first earlier curve that it lies on, if the two look like one
/// curve. Nothing for a curve that merely accompanies another, as a law or a mean does: one that is
/// dotted, grey or in another curve's colour.
std::vector<std::optional<std::size_t>> lies_on(const Panel& panel);

/// The figure with a remark in the legend for each curve that lies on another; if panels share a
/// legend, the curves must coincide in all panels that show them.
Figure with_coincidences(Figure figure);

}  // namespace rope::plot
