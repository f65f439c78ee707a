#include "rope/plot/free_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rope::plot {
namespace {

constexpr double kCellsAcross = 200;

}  // namespace

FreeSpace::FreeSpace(const Box& area, std::optional<double> largest_cell)
    : area_(area),
      cell_(std::max(std::min(std::max(area.width, area.height) / kCellsAcross,
                              largest_cell.value_or(std::numeric_limits<double>::infinity())),
                     1.0)),
      columns_(static_cast<std::size_t>(std::ceil(area.width / cell_)) + 1),
      rows_(static_cast<std::size_t>(std::ceil(area.height / cell_)) + 1),
      taken_(columns_ * rows_, false) {}

void FreeSpace::take_cell(double x, double y) {
  const double column = std::floor((x - area_.left) / cell_);
  const double row = std::floor((y - area_.top) / cell_);
  if (column < 0 || row < 0 || column >= static_cast<double>(columns_) ||
      row >= static_cast<double>(rows_)) {
    return;
  }
  taken_[static_cast<std::size_t>(row) * columns_ + static_cast<std::size_t>(column)] = true;
}

void FreeSpace::take_line(double x0, double y0, double x1, double y1) {
  // A line to far outside is followed only as far as it can touch the area.
  const double reach = 4 * (area_.width + area_.height);
  const auto near = [&](double value, double start) {
    return std::clamp(value, start - reach, start + reach);
  };
  const double ax = near(x0, area_.left);
  const double ay = near(y0, area_.top);
  const double dx = near(x1, area_.left) - ax;
  const double dy = near(y1, area_.top) - ay;
  const auto steps =
      static_cast<int>(std::ceil(2 * std::max(std::fabs(dx), std::fabs(dy)) / cell_) + 1);
  for (int i = 0; i <= steps; ++i) take_cell(ax + dx * i / steps, ay + dy * i / steps);
}

FreeSpace::Cells FreeSpace::cells(const Box& box) const {
  const auto index = [this](double distance) {
    return static_cast<long>(std::floor(distance / cell_));
  };
  return {index(box.left - area_.left), index(box.top - area_.top), index(box.right() - area_.left),
          index(box.bottom() - area_.top)};
}

void FreeSpace::take(const Box& box) {
  const Cells c = cells(box);
  const long bottom = std::min(c.bottom, static_cast<long>(rows_) - 1);
  const long right = std::min(c.right, static_cast<long>(columns_) - 1);
  for (long row = std::max(c.top, 0L); row <= bottom; ++row) {
    for (long column = std::max(c.left, 0L); column <= right; ++column) {
      taken_[static_cast<std::size_t>(row) * columns_ + static_cast<std::size_t>(column)] = true;
    }
  }
}

std::size_t FreeSpace::covered(const Box& box) const {
  const Cells c = cells(box);
  std::size_t count = 0;
  for (long row = c.top; row <= c.bottom; ++row) {
    for (long column = c.left; column <= c.right; ++column) {
      const bool inside = row >= 0 && column >= 0 && row < static_cast<long>(rows_) &&
                          column < static_cast<long>(columns_);
      if (!inside ||
          taken_[static_cast<std::size_t>(row) * columns_ + static_cast<std::size_t>(column)]) {
        ++count;
      }
    }
  }
  return count;
}

Box FreeSpace::least_covered(const std::vector<Box>& candidates) const {
  std::size_t best = std::numeric_limits<std::size_t>::max();
  Box chosen = candidates.front();
  for (const Box& box : candidates) {
    const std::size_t count = covered(box);
    if (count < best) {
      best = count;
      chosen = box;
    }
  }
  return chosen;
}

}  // namespace rope::plot
