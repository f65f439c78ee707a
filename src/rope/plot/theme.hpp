#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rope/plot/figure.hpp"

namespace rope::plot {

struct Rgb {
  int r = 0;
  int g = 0;
  int b = 0;

  friend bool operator==(const Rgb&, const Rgb&) = default;
};

/// The colour as "#rrggbb".
std::string hex(Rgb colour);

/// The colours of everything except the data.
struct Theme {
  Rgb background;
  Rgb text;
  Rgb soft_text;  ///< subtitle
  Rgb tick;       ///< numbers along the axes
  Rgb border;
  Rgb grid;
  Rgb region;
  Rgb region_text;
  Rgb line;  ///< reference lines and their labels
};

const Theme& theme_of(Style style);

/// How one curve looks. Dash 1 is solid; 2 … 4 are gnuplot's patterns.
struct Stroke {
  Rgb colour;
  int dash = 1;
};

/// Look number i: the colours in turn, then the same colours dashed, then dotted; kGrey gives the
/// grey look.
Stroke look(std::size_t i, Style style);

/// The looks of a panel's curves, in order. They use the Okabe-Ito colours, which colour-blind
/// people can tell apart, then the same colours dashed, then dotted; more than 18 curves use even
/// steps along one ramp from dark to bright, which shows their order. A curve that lies on an
/// earlier one is dashed, so that both are visible.
std::vector<Stroke> strokes(const Panel& panel, Style style);

/// The stops of a heat map's colours, from the lowest value to the highest, evenly spaced. The
/// middle of a diverging map is near the background colour.
const std::vector<Rgb>& stops(ColourMap map, Style style);

/// The colours of a heat map's classes, one stop for each; there are at least two.
std::vector<Rgb> stops_of(const HeatMap& map, Style style);

/// The colour at `t` in [0, 1] on a ramp of evenly spaced stops.
Rgb blend(const std::vector<Rgb>& colours, double t);

}  // namespace rope::plot
