#include "rope/plot/curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_set>

namespace rope::plot {
namespace {

// Fewer points than this are drawn as they are.
constexpr std::size_t kFewPoints = 2000;
constexpr double kHair = 0.25;  // of a pixel

bool left_to_right(const Run& run) {
  return std::is_sorted(run.begin(), run.end(),
                        [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
}

/// The index one past the last point in the pixel column of the point at `first`.
std::size_t column_end(const Run& run, std::size_t first, const Grid& grid) {
  const double column = std::floor(grid.column(run[first]));
  std::size_t end = first + 1;
  while (end < run.size() && std::floor(grid.column(run[end])) == column) ++end;
  return end;
}

Run thinned_by_column(const Run& run, const Grid& grid) {
  Run kept;
  for (std::size_t first = 0; first < run.size();) {
    const std::size_t end = column_end(run, first, grid);
    std::size_t lowest = first;
    std::size_t highest = first;
    for (std::size_t i = first; i < end; ++i) {
      if (run[i].y < run[lowest].y) lowest = i;
      if (run[i].y > run[highest].y) highest = i;
    }
    std::array<std::size_t, 4> keep = {first, lowest, highest, end - 1};
    std::sort(keep.begin(), keep.end());
    for (std::size_t i = 0; i < keep.size(); ++i) {
      if (i == 0 || keep.at(i) != keep.at(i - 1)) kept.push_back(run[keep.at(i)]);
    }
    first = end;
  }
  return kept;
}

Run thinned_by_distance(const Run& run, const Grid& grid) {
  Run kept = {run.front()};
  for (std::size_t i = 1; i < run.size(); ++i) {
    const double dx = grid.column(run[i]) - grid.column(kept.back());
    const double dy = grid.row(run[i].y) - grid.row(kept.back().y);
    if (!(std::hypot(dx, dy) < kHair) || i + 1 == run.size()) kept.push_back(run[i]);
  }
  return kept;
}

Run corners(const Run& run) {
  Run result;
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (i > 0) result.push_back({run[i].x, run[i - 1].y, run[i - 1].y});
    result.push_back(run[i]);
  }
  return result;
}

}  // namespace

void add_extents(const Panel& panel, Extent* x, Extent* y) {
  for (const Series& series : panel.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const bool band = series.kind == SeriesKind::band;
      if (!drawable(series.x[i], panel.x.scale) || !drawable(series.y[i], panel.y.scale) ||
          (band && !drawable(series.upper[i], panel.y.scale))) {
        continue;
      }
      x->add(series.x[i]);
      y->add(series.y[i]);
      if (band) y->add(series.upper[i]);
    }
  }
  for (const ReferenceLine& line : panel.lines) {
    (line.direction == Direction::horizontal ? y : x)->add(line.at);
  }
  for (const Region& region : panel.regions) {
    Extent* extent = region.direction == Direction::horizontal ? y : x;
    if (std::isfinite(region.from)) extent->add(region.from);
    if (std::isfinite(region.to)) extent->add(region.to);
  }
}

std::vector<Run> runs_of(const Series& series, const Grid& grid) {
  const bool band = series.kind == SeriesKind::band;
  std::vector<Run> runs(1);
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const double upper = band ? series.upper[i] : series.y[i];
    if (!drawable(series.x[i], grid.x.scale) || !drawable(series.y[i], grid.y.scale) ||
        !drawable(upper, grid.y.scale)) {
      if (!runs.back().empty()) runs.emplace_back();
      continue;
    }
    CurvePoint point = {grid.x.drawn(series.x[i]), grid.y.drawn(series.y[i]), grid.y.drawn(upper)};
    if (band) {
      if (point.x < grid.x.min || point.x > grid.x.max) continue;
      point.y = std::clamp(point.y, grid.y.min, grid.y.max);
      point.upper = std::clamp(point.upper, grid.y.min, grid.y.max);
    }
    runs.back().push_back(point);
  }
  if (runs.back().empty()) runs.pop_back();
  if (series.kind == SeriesKind::steps) {
    std::transform(runs.begin(), runs.end(), runs.begin(), corners);
  }
  return runs;
}

Run thinned_line(const Run& run, const Grid& grid) {
  if (run.size() < kFewPoints) return run;
  return left_to_right(run) ? thinned_by_column(run, grid) : thinned_by_distance(run, grid);
}

Run thinned_points(const Run& run, const Grid& grid) {
  if (run.size() < kFewPoints) return run;
  Run kept;
  std::unordered_set<std::uint64_t> taken;
  const auto cell = [](double pixels) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(
        std::clamp(std::floor(2 * pixels), -1.0, 1e6)));  // beyond the panel nothing is drawn
  };
  for (const CurvePoint& p : run) {
    if (taken.insert(cell(grid.column(p)) << 32U ^ cell(grid.row(p.y))).second) kept.push_back(p);
  }
  return kept;
}

Run thinned_band(const Run& run, const Grid& grid) {
  if (run.size() < kFewPoints || !left_to_right(run)) return run;
  Run kept;
  for (std::size_t first = 0; first < run.size();) {
    const std::size_t end = column_end(run, first, grid);
    CurvePoint widest = run[first];
    for (std::size_t i = first; i < end; ++i) {
      widest.y = std::min({widest.y, run[i].y, run[i].upper});
      widest.upper = std::max({widest.upper, run[i].y, run[i].upper});
    }
    kept.push_back(widest);
    if (end == run.size() && run.back().x > widest.x) {
      widest.x = run.back().x;
      kept.push_back(widest);
    }
    first = end;
  }
  return kept;
}

}  // namespace rope::plot
