#pragma once

#include <string>
#include <vector>

#include "rope/plot/layout.hpp"
#include "rope/plot/script.hpp"

namespace rope::plot {

/// The `plot` command of one panel with its data: named blocks before it, in text, or, if there is
/// much data, raw numbers after it.
///
/// Prefix names the blocks, so that those of different panels differ.
std::string plot_command(const Panel& panel, const PanelLayout& layout, Style style, double scale,
                         Device device, const std::string& prefix);

/// The size of a dot: each device has its own unit.
double dot_unit(Device device);

}  // namespace rope::plot
