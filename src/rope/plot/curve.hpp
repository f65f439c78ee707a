#pragma once

#include <vector>

#include "rope/plot/axis.hpp"
#include "rope/plot/figure.hpp"

namespace rope::plot {

/// A point in the units of its axes; `upper` is a band's second edge, and y itself for other kinds.
struct CurvePoint {
  double x = 0;
  double y = 0;
  double upper = 0;
};

/// Consecutive points of a series, without a gap.
using Run = std::vector<CurvePoint>;

/// The axes of a panel and how many pixels they cover.
struct Grid {
  Range x;
  Range y;
  double width = 1;
  double height = 1;

  double column(const CurvePoint& p) const { return x.position_of_drawn(p.x) * width; }
  double row(double y_value) const { return (1 - y.position_of_drawn(y_value)) * height; }
};

/// Extends `x` and `y` to everything that the automatic ends of the axes must show: curves,
/// reference lines and the finite ends of regions.
void add_extents(const Panel& panel, Extent* x, Extent* y);

/// The runs of a series, which is cut at its gaps. A band is cut to the panel's height, and steps
/// become corners.
std::vector<Run> runs_of(const Series& series, const Grid& grid);

/// A run reduced to the points that matter if there are more points than pixels. A run that goes
/// from left to right keeps the first, lowest, highest and last point of every pixel column; any
/// other run keeps a point if it is at least a quarter of a pixel from the last one kept. The first
/// and last points of a run always stay.
Run thinned_line(const Run& run, const Grid& grid);

/// One dot for each group of dots that coincide to within half a pixel.
Run thinned_points(const Run& run, const Grid& grid);

/// A band with one lower and one upper edge for each pixel column.
Run thinned_band(const Run& run, const Grid& grid);

}  // namespace rope::plot
