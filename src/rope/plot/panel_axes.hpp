#pragma once

#include <vector>

#include "rope/plot/axis.hpp"
#include "rope/plot/figure.hpp"
#include "rope/plot/layout.hpp"

namespace rope::plot {

/// How many ticks, from two to `most`, fit into `length` if one tick takes up the length `each`.
int fitting(double length, double each, int most);

/// The width of the widest label, as a multiple of the font size.
double widest_label(const std::vector<Tick>& ticks);

/// Sets the ranges of a panel's axes and, from the height of its box, the ticks of y.
void set_ranges_and_y_ticks(const Panel& panel, double scale, PanelLayout* layout);

/// Sets the ticks of x from the width of the box: as many as fit without touching.
void set_x_ticks(const Panel& panel, double scale, PanelLayout* layout);

}  // namespace rope::plot
