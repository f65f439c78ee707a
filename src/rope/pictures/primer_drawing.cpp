#include "rope/pictures/primer_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rope::drawing {
namespace {

constexpr double kRoom = 1.25;  // around the longest arrow, for its label

/// Ends so far out that every arrow and every curve lies within, with room for labels.
void fit(plot::Panel& panel) {
  double reach = 0;
  for (const plot::Arrow& each : panel.plane->arrows)
    for (const double end : {each.from_x, each.from_y, each.to_x, each.to_y})
      reach = std::max(reach, std::abs(end));
  for (const plot::Arc& each : panel.plane->arcs) reach = std::max(reach, each.radius);
  for (const plot::Series& series : panel.series)
    for (const auto* values : {&series.x, &series.y})
      for (const double value : *values) reach = std::max(reach, std::abs(value));
  panel.plane->reach = kRoom * reach;
}

}  // namespace

std::string shown(double value) {
  return plot::with_minus_signs(fmt::format("{:.4g}", value == 0 ? 0 : value));
}

std::string shown_as_said(double value) {
  return plot::with_minus_signs(fmt::format("{:.6g}", value == 0 ? 0 : value));
}

std::string degrees(double radians) { return shown_as_said(radians * 180 / kPi) + "°"; }

std::string added_degrees(double radians) {
  return radians < 0 ? "(" + degrees(radians) + ")" : degrees(radians);
}

std::string complex_text(Complex z) {
  const double size = std::abs(z.im);
  const std::string imaginary = size == 1 ? "i" : shown(size) + "i";
  if (z.im == 0) return shown(z.re);
  if (z.re == 0) return (z.im < 0 ? "−" : "") + imaginary;
  return shown(z.re) + (z.im < 0 ? " − " : " + ") + imaginary;
}

plot::Arrow between(Complex from, Complex to, std::string_view label, std::size_t look) {
  plot::Arrow arrow;
  arrow.from_x = from.re;
  arrow.from_y = from.im;
  arrow.to_x = to.re;
  arrow.to_y = to.im;
  arrow.label = Text::markup(label);
  arrow.colour = look;
  return arrow;
}

plot::Arrow arrow(Complex z, std::string_view label, std::size_t look) {
  return between({}, z, label, look);
}

plot::Arrow dashed(plot::Arrow arrow) {
  arrow.dashed = true;
  return arrow;
}

plot::Arrow line(Complex from, Complex to, std::string_view label, std::size_t look) {
  plot::Arrow result = dashed(between(from, to, label, look));
  result.head = false;
  return result;
}

plot::Arrow side(Complex from, Complex to, std::string_view label, std::size_t look) {
  plot::Arrow result = line(from, to, label, look);
  result.label_at_middle = true;
  return result;
}

plot::Arc arc(double radius, double from, double to, std::string_view label, std::size_t look) {
  plot::Arc result;
  result.radius = radius;
  result.from = from;
  result.to = to;
  result.label = Text::markup(label);
  result.colour = look;
  result.head = true;
  return result;
}

plot::Arc circle(double radius) {
  plot::Arc result;
  result.radius = radius;
  result.to = 2 * kPi;
  return result;
}

plot::Panel plane(std::string_view title, std::vector<plot::Arrow> arrows,
                  std::vector<plot::Arc> arcs, std::vector<plot::Series> series) {
  plot::Panel panel;
  panel.title = Text::markup(title);
  panel.series = std::move(series);
  panel.plane.emplace();
  panel.plane->arrows = std::move(arrows);
  panel.plane->arcs = std::move(arcs);
  fit(panel);
  return panel;
}

plot::Series path(const std::vector<Complex>& points, std::string_view label, std::size_t look,
                  plot::SeriesKind kind) {
  plot::Series series;
  series.label = Text::markup(label);
  series.kind = kind;
  series.colour = look;
  for (const Complex z : points) {
    series.x.push_back(z.re);
    series.y.push_back(z.im);
  }
  return series;
}

plot::Figure figure(std::string_view title, std::string_view subtitle,
                    std::vector<plot::Panel> panels) {
  plot::Figure result;
  result.title = Text::markup(title);
  result.subtitle = Text::markup(subtitle);
  result.columns = panels.size();
  result.width = panels.size() == 1 ? 1000 : 1600;
  result.height = panels.size() == 1 ? 1080 : 900;
  result.panels = std::move(panels);
  return result;
}

}  // namespace rope::drawing
