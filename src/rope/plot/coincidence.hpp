#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/plot/figure.hpp"

namespace rope::plot {

/// For each curve of a panel, the first earlier one that it lies on, so that the two look like one;
/// nothing for those that belong to another curve: dotted, grey, or like it.
std::vector<std::optional<std::size_t>> lies_on(const Panel& panel);

/// The figure with a word in the legend wherever one curve lies on another; if panels share a
/// legend, in all of those that show its curves.
Figure with_coincidences(Figure figure);

}  // namespace rope::plot
