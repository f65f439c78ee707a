#include "rope/plot/panel_axes.hpp"

#include <algorithm>
#include <cmath>

#include "rope/plot/text_fit.hpp"

namespace rope::plot {
namespace {

/// A region that reaches the edge of the panel must have room there for its label: the edge moves
/// away, unless the caller fixed it.
void make_room_for_region_labels(const Panel& panel, double scale, PanelLayout* layout) {
  Range& range = layout->grid.y;
  const double share = std::min(region_label_height(scale) / layout->box.height, 0.5);
  const auto moved = [&](double kept,
                         double from) {  // the new edge, so that `from` is at 1 - share
    if (range.scale == Scale::linear) return kept + (from - kept) / (1 - share);
    return kept * std::pow(from / kept, 1 / (1 - share));
  };
  for (const Region& region : panel.regions) {
    if (region.direction != Direction::horizontal || region.label.empty()) continue;
    if (std::isinf(region.to) && !panel.y.max && range.position(region.from) > 1 - share) {
      const double edge = moved(range.min, range.drawn(region.from));
      if (std::isfinite(edge)) range.max = edge;
    }
    if (std::isinf(region.from) && !panel.y.min && range.position(region.to) < share) {
      const double edge = moved(range.max, range.drawn(region.to));
      if (std::isfinite(edge) && drawable(edge, range.scale)) range.min = edge;
    }
  }
}

}  // namespace

int fitting(double length, double each, int most) {
  return std::clamp(static_cast<int>(length / each), 2, most);
}

double widest_label(const std::vector<Tick>& ticks) {
  double widest = 0;
  for (const Tick& tick : ticks) widest = std::max(widest, text_width(tick.label));
  return widest;
}

void set_ranges_and_y_ticks(const Panel& panel, double scale, PanelLayout* layout) {
  if (panel.blank) return;
  if (panel.plane) {
    layout->grid.x = layout->grid.y = {Scale::linear, -panel.plane->reach, panel.plane->reach, 0};
    return;
  }
  const double height = layout->box.height;
  if (panel.heat_map) {
    const auto rows = static_cast<double>(panel.heat_map->rows);
    const auto columns = static_cast<double>(panel.heat_map->columns);
    layout->grid.x = {Scale::linear, -0.5, columns - 0.5, 0};
    layout->grid.y = {Scale::linear, rows - 0.5, -0.5, 0};  // row 0 at the top
    layout->y_ticks =
        marks_or(panel.heat_map->row_marks,
                 index_ticks(panel.heat_map->rows, fitting(height, 2.0 * kTickSize * scale, 16)));
    return;
  }
  Extent x;
  Extent y;
  add_extents(panel, &x, &y);
  const bool dots = std::any_of(panel.series.begin(), panel.series.end(), [](const Series& s) {
    return s.kind == SeriesKind::points || s.kind == SeriesKind::line_points;
  });
  layout->grid.x = choose_range(panel.x, x, dots ? 0.015 : 0);
  layout->grid.y = choose_range(panel.y, y, 0.04);
  make_room_for_region_labels(panel, scale, layout);
  layout->y_ticks = choose_ticks(layout->grid.y, fitting(height, 2.4 * kTickSize * scale, 8));
}

void set_x_ticks(const Panel& panel, double scale, PanelLayout* layout) {
  if (panel.blank || panel.plane) return;
  if (panel.heat_map && !panel.heat_map->column_marks.empty()) {
    layout->x_ticks = marks_or(panel.heat_map->column_marks, {});
    return;
  }
  const double width = layout->box.width;
  for (int most = fitting(width, 2.2 * kTickSize * scale, panel.heat_map ? 16 : 9);; --most) {
    layout->x_ticks = panel.heat_map ? index_ticks(panel.heat_map->columns, most)
                                     : choose_ticks(layout->grid.x, most);
    const auto labelled =
        static_cast<double>(std::count_if(layout->x_ticks.begin(), layout->x_ticks.end(),
                                          [](const Tick& tick) { return !tick.label.empty(); }));
    const double each = (widest_label(layout->x_ticks) + 0.9) * kTickSize * scale;
    if (most <= 1 || labelled * each <= width) return;
  }
}

}  // namespace rope::plot
