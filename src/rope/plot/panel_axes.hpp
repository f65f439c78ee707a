#pragma once

#include <vector>

#include "rope/plot/axis.hpp"
#include "rope/plot/figure.hpp"
#include "rope/plot/layout.hpp"

namespace rope::plot {

/// How many ticks a length has room for, two to `most`, where each takes so much of it.
int fitting(double length, double each, int most);

/// The widest of their labels, in font sizes.
double widest_label(const std::vector<Tick>& ticks);

/// The ranges of a panel's axes, and the ticks of y, from the height of its box.
void set_ranges_and_y_ticks(const Panel& panel, double scale, PanelLayout* layout);

/// The ticks of x, from the width of its box: as many as do not touch.
void set_x_ticks(const Panel& panel, double scale, PanelLayout* layout);

}  // namespace rope::plot
