#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace rope::plot {

/// A rectangle in pixels, from the top left corner of the picture.
struct Box {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

/// Remembers which parts of a panel are taken, on a coarse grid, so that a legend or a label can be
/// placed where there is no data.
class FreeSpace {
 public:
  /// `largest_cell`: the largest cell of the grid, in pixels; if not given, a fraction of the area.
  explicit FreeSpace(const Box& area, std::optional<double> largest_cell = std::nullopt);

  void take_line(double x0, double y0, double x1, double y1);
  void take(const Box& box);

  /// How many taken cells a box would cover; anything beyond the area counts as taken.
  std::size_t covered(const Box& box) const;

  /// The candidate that covers the fewest taken cells, or the first of several that are equal.
  /// There must be at least one candidate.
  Box least_covered(const std::vector<Box>& candidates) const;

 private:
  struct Cells {
    long left, top, right, bottom;
  };
  Cells cells(const Box& box) const;
  void take_cell(double x, double y);

  Box area_;
  double cell_;
  std::size_t columns_;
  std::size_t rows_;
  std::vector<bool> taken_;
};

}  // namespace rope::plot
