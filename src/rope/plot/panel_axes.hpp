#pragma once

#include <vector>

#include "rope/plot/axis.hpp"
#include "rope/plot/figure.hpp"
#include "rope/plot/layout.hpp"

namespace rope::plot {

/// How many ticks, from two to `most`, fit into `length` if each takes up `each` of it.
int fitting(double length, double each, int most);

/// The width of their widest label, in font sizes.
double widest_label(const std::vector<Tick>& ticks);

/// The ranges of a panel's axes, and the ticks of y, from the height of its box.
void set_ranges_and_y_ticks(const Panel& panel, double scale, PanelLayout* layout);

/// The ticks of x, from the width of its box: as many as do not touch.
void set_x_ticks(const Panel& panel, double scale, PanelLayout* layout);

}  // namespace rope::plot
