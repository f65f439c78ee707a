#pragma once

#include <vector>

#include "rope/plot/figure.hpp"

namespace rope::plot {

/// The smallest and largest value seen; while low > high, no value has been seen.
struct Extent {
  double low = 1;
  double high = 0;

  bool empty() const { return low > high; }
  void add(double value);
};

/// The part of the number line that an axis shows. Values are drawn in units of 10^exponent; the
/// exponent is 0 unless the values are too large or too small for drawing programs.
struct Range {
  Scale scale = Scale::linear;
  double min = 0;
  double max = 1;
  int exponent = 0;
  bool whole = false;

  /// A value in the units of the axis.
  double drawn(double value) const;

  /// Where a value lies: 0 at `min`, 1 at `max`.
  double position(double value) const { return position_of_drawn(drawn(value)); }
  double position_of_drawn(double value) const;
};

/// Whether a value has a place on an axis of this scale.
bool drawable(double value, Scale scale);

/// The range that shows all of `data` and respects the settings of the axis. `margin` is the
/// fraction left free at each end that the caller did not fix; such an end is also moved outwards
/// to a nearby round number.
Range choose_range(const Axis& axis, const Extent& data, double margin);

struct Tick {
  double value = 0;  ///< in the units of the axis
  Text label;        ///< empty: a short tick between two labelled ones
};

/// At most about `max_labels` round numbers within the range. A logarithmic axis has ticks at
/// powers of ten or, if fewer than three of them are in range, at plain numbers. An axis that
/// counts whole things has ticks only at integers.
std::vector<Tick> choose_ticks(const Range& range, int max_labels);

/// The marks as ticks or, if there are no marks, `chosen`.
std::vector<Tick> marks_or(const std::vector<Mark>& marks, std::vector<Tick> chosen);

/// At most `max_labels` whole numbers in 0 … count−1, spaced evenly by a power of two.
std::vector<Tick> index_ticks(std::size_t count, int max_labels);

}  // namespace rope::plot
