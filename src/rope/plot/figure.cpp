#include "rope/plot/figure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "rope/error.hpp"

namespace rope::plot {
namespace {

constexpr std::size_t kMostCells = std::size_t{1} << 24U;
constexpr std::size_t kMostPanels = 64;

void check_size(const Figure& figure) {
  if (figure.width < kMinWidth || figure.height < kMinHeight || figure.width > kMaxSide ||
      figure.height > kMaxSide) {
    throw ShapeError(fmt::format("picture size: expected {}x{} to {}x{} pixels, got {}x{}",
                                 kMinWidth, kMinHeight, kMaxSide, kMaxSide, figure.width,
                                 figure.height));
  }
  if (figure.panels.empty() || figure.panels.size() > kMostPanels) {
    throw ShapeError(
        fmt::format("figure: expected 1 to {} panels, got {}", kMostPanels, figure.panels.size()));
  }
  if (figure.columns == 0 || figure.columns > figure.panels.size()) {
    throw ShapeError(fmt::format("figure: expected 1 to {} columns of panels, got {}",
                                 figure.panels.size(), figure.columns));
  }
  if (figure.legend_of && *figure.legend_of >= figure.panels.size()) {
    throw ShapeError(
        fmt::format("figure: expected the legend to belong to one of {} panels, got {}",
                    figure.panels.size(), *figure.legend_of + 1));
  }
}

void check_axis(const Axis& axis, const std::string& name) {
  for (const auto& end : {axis.min, axis.max}) {
    if (end && !std::isfinite(*end)) {
      throw DomainError(fmt::format("{}: expected a finite end, got {}", name, *end));
    }
    if (end && axis.scale == Scale::log10 && !(*end > 0)) {
      throw DomainError(
          fmt::format("{}: expected a positive end on a logarithmic axis, got {}", name, *end));
    }
  }
  if (axis.min && axis.max && !(*axis.min < *axis.max)) {
    throw DomainError(fmt::format("{}: expected the smaller end first, got {} and {}", name,
                                  *axis.min, *axis.max));
  }
}

void check_series(const Series& series, const std::string& name) {
  const std::size_t n = series.x.size();
  const std::size_t upper = series.kind == SeriesKind::band ? n : 0;
  if (series.y.size() != n || series.upper.size() != upper) {
    throw ShapeError(fmt::format(
        "{}: expected {} values of y, as many as of x, and {} of the upper edge, got {} and {}",
        name, n, upper, series.y.size(), series.upper.size()));
  }
}

void check_heat_map(const HeatMap& map, const std::string& name) {
  if (map.rows == 0 || map.columns == 0 || map.rows > kMostCells ||
      map.columns > kMostCells / map.rows) {
    throw ShapeError(fmt::format("{}: expected a heat map of 1 to {} cells, got {} rows of {}",
                                 name, kMostCells, map.rows, map.columns));
  }
  if (map.values.size() != map.rows * map.columns) {
    throw ShapeError(fmt::format("{}: expected {} values for {} rows of {}, got {}", name,
                                 map.rows * map.columns, map.rows, map.columns, map.values.size()));
  }
  for (const double value : map.values) {
    const bool named =
        value >= 0 && value < static_cast<double>(map.classes.size()) && value == std::floor(value);
    if (!map.classes.empty() && std::isfinite(value) && !named) {
      throw DomainError(fmt::format("{}: expected an index into {} classes, got {}", name,
                                    map.classes.size(), value));
    }
  }
  Axis range;
  range.min = map.min;
  range.max = map.max;
  check_axis(range, name + ": colour range");
}

void check_plane(const Plane& plane, const std::string& name) {
  if (!(plane.reach > 0) || !std::isfinite(plane.reach))
    throw DomainError(fmt::format("{}: expected a positive reach, got {}", name, plane.reach));
  for (const Arrow& arrow : plane.arrows)
    for (const double end : {arrow.from_x, arrow.from_y, arrow.to_x, arrow.to_y})
      if (!std::isfinite(end))
        throw DomainError(fmt::format("{}: arrow: expected finite ends, got {}", name, end));
  for (const Arc& arc : plane.arcs) {
    for (const double part : {arc.x, arc.y, arc.from, arc.to})
      if (!std::isfinite(part))
        throw DomainError(fmt::format("{}: arc: expected finite numbers, got {}", name, part));
    if (!(arc.radius > 0) || !std::isfinite(arc.radius))
      throw DomainError(
          fmt::format("{}: arc: expected a positive radius, got {}", name, arc.radius));
  }
}

/// The ends of lines and regions are positions on an axis, so they must exist there.
void check_position(double value, const Axis& axis, const std::string& name) {
  if (std::isnan(value)) {
    throw DomainError(fmt::format("{}: expected a number, got nan", name));
  }
  if (axis.scale == Scale::log10 && std::isfinite(value) && !(value > 0)) {
    throw DomainError(
        fmt::format("{}: expected a positive number on a logarithmic axis, got {}", name, value));
  }
}

void check_panel(const Panel& panel, const std::string& name) {
  if (!(panel.height > 0) || std::isinf(panel.height)) {
    throw DomainError(fmt::format("{}: expected a positive height, got {}", name, panel.height));
  }
  if (panel.blank) return;
  if (panel.heat_map) {
    if (!panel.series.empty() || !panel.lines.empty() || !panel.regions.empty() || panel.plane) {
      throw ShapeError(name + ": expected curves or a heat map, got both");
    }
    check_heat_map(*panel.heat_map, name);
    return;
  }
  if (panel.plane) check_plane(*panel.plane, name);
  if (panel.series.empty() && !panel.plane) {
    throw ShapeError(name + ": expected at least one curve or a heat map, got nothing to draw");
  }
  check_axis(panel.x, name + ": x axis");
  check_axis(panel.y, name + ": y axis");
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    check_series(panel.series[i], fmt::format("{}: curve {}", name, i + 1));
    const std::optional<std::size_t> like = panel.series[i].like;
    if (like && *like >= i) {
      throw ShapeError(fmt::format(
          "{}: curve {}: expected the number of an earlier curve whose style to copy, got {}", name,
          i + 1, *like + 1));
    }
  }
  for (const ReferenceLine& line : panel.lines) {
    const Axis& axis = line.direction == Direction::horizontal ? panel.y : panel.x;
    if (std::isinf(line.at)) {
      throw DomainError(
          fmt::format("{}: reference line: expected a finite number, got {}", name, line.at));
    }
    check_position(line.at, axis, name + ": reference line");
  }
  for (const Region& region : panel.regions) {
    const Axis& axis = region.direction == Direction::horizontal ? panel.y : panel.x;
    check_position(region.from, axis, name + ": region");
    check_position(region.to, axis, name + ": region");
    if (!(region.from < region.to)) {
      throw DomainError(fmt::format("{}: region: expected the smaller end first, got {} and {}",
                                    name, region.from, region.to));
    }
  }
}

}  // namespace

void validate(const Figure& figure) {
  check_size(figure);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    check_panel(figure.panels[i], fmt::format("panel {}", i + 1));
  }
}

void for_each_text(Figure* figure,
                   const std::function<void(const char* where, Role role, Text* text)>& visit) {
  const auto words = [&](const char* where, Text* text) { visit(where, Role::words, text); };
  words("title", &figure->title);
  words("subtitle", &figure->subtitle);
  for (Panel& panel : figure->panels) {
    words("panel title", &panel.title);
    words("x axis", &panel.x.label);
    words("y axis", &panel.y.label);
    for (Series& series : panel.series) words("curve label", &series.label);
    for (ReferenceLine& line : panel.lines) words("line label", &line.label);
    for (Region& region : panel.regions) words("region label", &region.label);
    if (panel.plane) {
      for (Arrow& arrow : panel.plane->arrows) words("arrow label", &arrow.label);
      for (Arc& arc : panel.plane->arcs) words("arc label", &arc.label);
    }
    if (!panel.heat_map) continue;
    words("colour bar", &panel.heat_map->bar_label);
    for (Text& label : panel.heat_map->classes) words("class", &label);
    for (std::vector<Mark>* marks : {&panel.heat_map->row_marks, &panel.heat_map->column_marks})
      for (Mark& mark : *marks) visit("tick label", Role::tick_label, &mark.label);
  }
  for (Text* remark : {&figure->remarks.curves, &figure->remarks.panels, &figure->remarks.more,
                       &figure->remarks.lies_on, &figure->remarks.keys})
    words("remark", remark);
}

std::size_t columns_of_largest_squares(const Figure& figure) {
  constexpr double kHeading = 0.15, kWords = 0.055;  // of the height: above all, and at each square
  const std::size_t panels = figure.panels.size();
  const auto side = [&](std::size_t columns) {
    const std::size_t rows = (panels + columns - 1) / columns;
    return std::min(figure.width / static_cast<double>(columns),
                    figure.height * ((1 - kHeading) / static_cast<double>(rows) - kWords));
  };
  std::size_t best = 1;
  for (std::size_t columns = 2; columns <= panels; ++columns)
    if (side(columns) > side(best)) best = columns;
  return best;
}

}  // namespace rope::plot
