#pragma once

#include <string>
#include <vector>

#include "rope/plot/layout.hpp"
#include "rope/plot/script.hpp"

namespace rope::plot {

/// The `plot` command of one panel together with its data, which are named text blocks before the
/// command or, if there is a lot of data, raw numbers after it.
///
/// The names of the blocks begin with `prefix`, so that those of different panels differ.
std::string plot_command(const Panel& panel, const PanelLayout& layout, Style style, double scale,
                         Device device, const std::string& prefix);

/// The unit for the size of a dot, which each device defines differently.
double dot_unit(Device device);

}  // namespace rope::plot
