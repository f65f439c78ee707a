#include "rope/pictures/primer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rope/pictures/looks.hpp"

namespace rope {
namespace {

using plot::Text;
using primer::Complex;

constexpr double kPi = std::numbers::pi;
constexpr std::size_t kFirstLook = 0, kSecondLook = 1, kResultLook = 2, kOtherLook = 4;
constexpr double kRoom = 1.25;  // around the longest arrow, for its label

/// A number of a label.
std::string shown(double value) {
  return plot::with_minus_signs(fmt::format("{:.4g}", value == 0 ? 0 : value));
}

/// The digits that the report has.
std::string shown_as_said(double value) {
  return plot::with_minus_signs(fmt::format("{:.6g}", value == 0 ? 0 : value));
}

std::string degrees(double radians) { return shown_as_said(radians * 180 / kPi) + "°"; }

/// Behind a plus sign.
std::string added_degrees(double radians) {
  return radians < 0 ? "(" + degrees(radians) + ")" : degrees(radians);
}

/// "−1 + i", "2 − 0.5i"
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

/// A dashed line without a head.
plot::Arrow line(Complex from, Complex to, std::string_view label, std::size_t look) {
  plot::Arrow result = dashed(between(from, to, label, look));
  result.head = false;
  return result;
}

/// The same with its label at its middle: a side of a triangle.
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

plot::Arc circle(double radius = 1) {
  plot::Arc result;
  result.radius = radius;
  result.to = 2 * kPi;
  return result;
}

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

plot::Panel plane(std::string_view title, std::vector<plot::Arrow> arrows,
                  std::vector<plot::Arc> arcs, std::vector<plot::Series> series = {}) {
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
                  plot::SeriesKind kind = plot::SeriesKind::line) {
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

plot::Figure picture(const ArgumentAnswer& answer) {
  const Complex z = answer.z;
  const double r = primer::modulus(z);
  std::vector<plot::Arrow> arrows = {arrow(z, "z = " + complex_text(z), kFirstLook)};
  std::vector<plot::Arc> arcs = {
      arc(0.45 * r, 0, answer.argument, "φ = " + degrees(answer.argument), kFirstLook)};
  if (primer::angle_between(answer.slope_angle, answer.argument) > 1) {
    arrows.push_back(
        dashed(arrow(primer::from_polar({r, answer.slope_angle}), "arctan(b/a)", kWrongLook)));
    arcs.push_back(arc(0.3 * r, 0, answer.slope_angle, degrees(answer.slope_angle), kWrongLook));
  }

  plot::Panel chart;
  chart.title = Text::markup("all around the circle");
  chart.x.label = Text::markup("angle of the arrow (degrees)");
  chart.y.label = Text::markup("angle found (degrees)");
  chart.x.min = chart.y.min = -180;
  chart.x.max = chart.y.max = 180;
  plot::Series right, wrong;
  right.label = Text::markup("atan2(b, a)");
  right.colour = kFirstLook;
  wrong.label = Text::markup("arctan(b/a)");
  wrong.colour = kWrongLook;
  wrong.dashed = true;
  double before = 0;
  for (std::size_t i = 0; i < answer.true_angles.size(); ++i) {
    const double angle = answer.true_angles[i] * 180 / kPi;
    const double found = answer.slope_angles[i] * 180 / kPi;
    right.x.push_back(angle);
    right.y.push_back(angle);
    if (i > 0 && std::abs(found - before) > 90) {  // it jumps: no line between
      wrong.x.push_back(angle);
      wrong.y.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    wrong.x.push_back(angle);
    wrong.y.push_back(found);
    before = found;
  }
  chart.series = {right, wrong};
  chart.regions = {{plot::Direction::vertical, -180, -90, Text::markup("a < 0")},
                   {plot::Direction::vertical, 90, 180, Text::markup("a < 0")}};
  return figure("The angle of an arrow",
                "z and −z have the same b/a: arctan(b/a) is wrong for one of them",
                {plane("", std::move(arrows), std::move(arcs)), chart});
}

plot::Figure picture(const ConjugateAnswer& answer) {
  const Complex q = answer.q, k = answer.k, q_k = answer.q_k;
  const double q_angle = primer::argument(q), k_angle = primer::argument(k);
  const Complex mirrored = primer::conjugate(q);
  const double r = primer::modulus(q);
  plot::Panel mirror = plane(
      "q^* is the mirror image",
      {arrow(q, "q = " + complex_text(q), kQueryLook),
       dashed(arrow(mirrored, "q^* = " + complex_text(mirrored), kQueryLook)),
       line(q, mirrored, "", plot::kGrey)},
      {arc(0.4 * r, 0, q_angle, "φ", kQueryLook), arc(0.4 * r, 0, -q_angle, "−φ", kQueryLook)});
  const double shorter = std::min(r, primer::modulus(k));
  plot::Panel product = plane(
      "q·k^* holds both products of vectors",
      {arrow(q, "q", kQueryLook), arrow(k, "k", kKeyLook), arrow(q_k, "q·k^*", kResultLook),
       side({}, {q_k.re, 0}, "q · k = " + shown(q_k.re), kResultLook),
       side({q_k.re, 0}, q_k, "k × q = " + shown(q_k.im), kResultLook)},
      {arc(0.6 * shorter, k_angle, k_angle + answer.angle, degrees(answer.angle), plot::kGrey)});
  return figure(
      "A number times the mirror image of another",
      fmt::format("its real part is the dot product {}, its angle the one from k to q, {}",
                  shown(q_k.re), degrees(answer.angle)),
      {std::move(mirror), std::move(product)});
}

plot::Figure picture(const QuarterTurnAnswer& answer) {
  constexpr std::array<std::string_view, 4> kNames = {"z", "iz", "i^2z", "i^3z"};
  constexpr std::array<std::size_t, 4> kLooks = {kFirstLook, kSecondLook, kResultLook, kOtherLook};
  const Complex z = answer.turned.front();
  const double r = primer::modulus(z), start = primer::argument(z);
  std::vector<plot::Arrow> arrows;
  std::vector<plot::Arc> arcs = {circle(r)};
  for (std::size_t n = 0; n < kNames.size(); ++n) {
    arrows.push_back(arrow(answer.turned[n],
                           fmt::format("{} = {}", kNames[n], complex_text(answer.turned[n])),
                           kLooks[n]));
    const double from = start + static_cast<double>(n) * kPi / 2;
    arcs.push_back(arc(0.35 * r, from, from + kPi / 2, n == 0 ? "90°" : "", plot::kGrey));
  }
  return figure("Multiplication by i is a quarter turn", "four of them come back: i^4 = 1",
                {plane("", std::move(arrows), std::move(arcs))});
}

plot::Figure picture(const ProductAnswer& answer) {
  const Complex z = answer.z, w = answer.w;
  const double z_length = primer::modulus(z), w_length = primer::modulus(w);
  const double shorter = std::min(z_length, w_length);
  const double z_angle = answer.z_argument, w_angle = answer.w_argument;
  return figure("Lengths multiply, angles add",
                fmt::format("{} · {} = {};  {} + {} = {}", shown_as_said(z_length),
                            shown_as_said(w_length), shown_as_said(primer::modulus(answer.zw)),
                            degrees(z_angle), added_degrees(w_angle), degrees(z_angle + w_angle)),
                {plane("",
                       {arrow(z, "z = " + complex_text(z), kFirstLook),
                        arrow(w, "w = " + complex_text(w), kSecondLook),
                        arrow(answer.zw, "zw = " + complex_text(answer.zw), kResultLook)},
                       {arc(0.55 * shorter, 0, w_angle, degrees(w_angle), kSecondLook),
                        arc(0.9 * shorter, 0, z_angle, degrees(z_angle), kFirstLook),
                        arc(0.9 * shorter, z_angle, z_angle + w_angle, "+" + added_degrees(w_angle),
                            kSecondLook)})});
}

plot::Figure picture(const EulerAnswer& answer) {
  const Complex point = answer.point, foot{point.re, 0};
  const double angle = primer::principal(answer.angle.turn);
  plot::Panel unit =
      plane("e^{iθ} = cos θ + i sin θ",
            {arrow(point, "e^{iθ}", kFirstLook), side({}, foot, "cos θ", kSecondLook),
             side(foot, point, "sin θ", kResultLook)},
            {circle(), arc(0.3, 0, angle, shown(angle * 180 / kPi) + "°", kFirstLook)});
  std::vector<plot::Series> paths;
  constexpr double kFarthest = 4;  // beyond, the circle would be a dot
  for (const CompoundPath& each : answer.paths) {
    const bool last = &each == &answer.paths.back();
    if (!last && primer::modulus(each.points.back()) > kFarthest) continue;
    paths.push_back(path(each.points, fmt::format("{} steps", each.steps), paths.size(),
                         each.steps > 16 ? plot::SeriesKind::line : plot::SeriesKind::line_points));
  }
  plot::Panel steps = plane("(1 + iθ/n)^n: each step at a right angle to its arrow", {}, {circle()},
                            std::move(paths));
  return figure("Growing sideways is turning",
                fmt::format("θ = {}; after {} steps {} from e^{{iθ}}", shown(answer.angle.radians),
                            answer.paths.back().steps, shown(answer.paths.back().error)),
                {std::move(unit), std::move(steps)});
}

plot::Figure picture(const TaylorAnswer& answer) {
  plot::Panel spiral =
      plane(fmt::format("sums of 1 + iθ + (iθ)^2/2! + …, θ = {}", shown(answer.angle.radians)),
            {arrow(answer.point, "e^{iθ}", kResultLook)}, {circle()},
            {path(answer.sums, fmt::format("degree 0 … {}", answer.degree), kFirstLook,
                  plot::SeriesKind::line_points)});
  plot::Panel chart;
  chart.title = Text::markup("distance from e^{iθ}; dotted: |θ|^{n+1}/(n+1)!");
  chart.x.label = Text::markup("degree n");
  chart.x.whole = true;
  chart.y.label = Text::markup("error of the sum");
  chart.y.scale = plot::Scale::log10;
  chart.y.min = 1e-18;
  for (const TaylorSeries& each : answer.series) {
    plot::Series errors;
    errors.label = Text::markup("θ = " + shown(each.angle));
    errors.y = each.errors;
    for (std::size_t n = 0; n < each.errors.size(); ++n) errors.x.push_back(static_cast<double>(n));
    plot::Series remainders;
    remainders.x = errors.x;
    remainders.y = each.remainders;
    remainders.dotted = true;
    chart.series.push_back(std::move(errors));
    remainders.like = chart.series.size() - 1;
    chart.series.push_back(std::move(remainders));
  }
  return figure("The series of e^{iθ} closes in on the circle",
                fmt::format("its terms reach {} before they fall; rounding them stays in the sum",
                            shown(answer.series.front().largest_term)),
                {std::move(spiral), std::move(chart)});
}

plot::Figure picture(const ExponentialsAnswer& answer) {
  const Complex forward = answer.forward, backward = answer.backward;
  const Complex sum = forward + backward, rest = forward - backward;
  return figure(
      "cos and sin from two opposite turns",
      fmt::format("cos θ = {}, sin θ = {}", shown(forward.re), shown(forward.im)),
      {plane("e^{iθ} + e^{−iθ} = 2 cos θ",
             {arrow(forward, "e^{iθ}", kFirstLook), arrow(backward, "e^{−iθ}", kSecondLook),
              line(forward, sum, "", kSecondLook), line(backward, sum, "", kFirstLook),
              arrow(sum, "2 cos θ", kResultLook)},
             {circle()}),
       plane("e^{iθ} − e^{−iθ} = 2i sin θ",
             {arrow(forward, "e^{iθ}", kFirstLook), arrow(-backward, "−e^{−iθ}", kSecondLook),
              line(forward, rest, "", kSecondLook), line(-backward, rest, "", kFirstLook),
              arrow(rest, "2i sin θ", kResultLook)},
             {circle()})});
}

plot::Figure picture(const HalfTurnAnswer& answer) {
  constexpr double kBelow = -0.07;  // the way back would lie on the arrow
  plot::Panel turn = plane("half a turn, and one step back",
                           {arrow({1, 0}, "1", kFirstLook), arrow({-1, 0}, "e^{iπ}", kSecondLook),
                            between({-1, kBelow}, {0, kBelow}, "+1", kResultLook)},
                           {circle(), arc(1, 0, kPi, "π", kFirstLook)});
  plot::Panel chart;
  chart.title = Text::markup("what is left with π in p bits");
  chart.x.min = 0;  // room for the name of the narrowest format
  chart.x.label = Text::markup("bits p of π");
  chart.x.whole = true;
  chart.y.label = Text::markup("|e^{iπ} + 1|");
  chart.y.scale = plot::Scale::log10;
  plot::Series left, step;
  left.label = Text::markup("|e^{iπ} + 1| = |π − rounded π|");
  left.kind = plot::SeriesKind::line_points;
  left.colour = kFirstLook;
  step.label = Text::markup("2^{1−p} at most");
  step.colour = plot::kGrey;
  step.dotted = true;
  for (const RoundedPi& each : answer.by_bits) {
    left.x.push_back(each.bits);
    left.y.push_back(each.half_turn.distance);
    step.x.push_back(each.bits);
    step.y.push_back(std::ldexp(1, 1 - each.bits));
  }
  chart.series = {left, step};
  constexpr std::array<std::pair<double, std::string_view>, 4> kFormats = {
      {{8, "bfloat16"}, {11, "float16"}, {24, "float32"}, {53, "float64"}}};
  for (const auto& [bits, name] : kFormats)
    chart.lines.push_back({plot::Direction::vertical, bits, Text::markup(name)});
  plot::Figure both = figure("e^{iπ} + 1 = 0, and no format holds π",
                             "a rounded π stops short of −1 or passes it; half a turn does not",
                             {std::move(turn), std::move(chart)});
  both.legend_of = 1;
  return both;
}

plot::Figure picture(const AdditionAnswer& answer) {
  const double first = primer::principal(answer.first.turn);
  const double second = primer::principal(answer.second.turn);
  return figure(
      "Rotations of the plane add",
      fmt::format("R(β)R(α) = R(α+β): {} + {} = {}", degrees(answer.first.radians),
                  added_degrees(answer.second.radians),
                  degrees(answer.first.radians + answer.second.radians)),
      {plane("",
             {arrow({1, 0}, "1", plot::kGrey), arrow(answer.after_first, "R(α)", kFirstLook),
              arrow(answer.after_both, "R(β)R(α)", kResultLook)},
             {circle(), arc(0.45, 0, first, "α", kFirstLook),
              arc(0.45, first, first + second, "β", kSecondLook),
              arc(0.75, 0, first + second, "α+β", kResultLook)})});
}

/// Space as seen from the front, from above and from the side, in parallel rays: x comes forward to
/// the left, y goes to the right, z up.
Complex seen(const Eigen::Vector3d& v) {
  const Complex around = primer::unit(primer::from_degrees(32).turn);
  const Complex above = primer::unit(primer::from_degrees(22).turn);
  return {around.re * v(1) - around.im * v(0),
          above.re * v(2) - above.im * (around.re * v(0) + around.im * v(1))};
}

plot::Panel turned_frame(std::string_view title, const TurnsInSpace& turns) {
  constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};
  constexpr std::array<std::size_t, 3> kLooks = {kFirstLook, kSecondLook, kResultLook};
  constexpr double kBefore = 1.35;  // old axes are seen beyond new ones that lie on them
  std::vector<plot::Arrow> arrows;
  for (Eigen::Index i = 0; i < 3; ++i) {
    const auto at = static_cast<std::size_t>(i);
    arrows.push_back(
        dashed(arrow(seen(kBefore * Eigen::Vector3d::Unit(i)), kAxes[at], plot::kGrey)));
    arrows.push_back(arrow(seen(turns.both.col(i)), std::string(kAxes[at]) + "′", kLooks[at]));
  }
  if (turns.axis.allFinite())
    arrows.push_back(line(seen(-1.1 * turns.axis), seen(1.1 * turns.axis), "axis", kWrongLook));
  plot::Panel panel =
      plane(fmt::format("{}: {}", title, degrees(turns.angle)), std::move(arrows), {});
  panel.plane->cross = false;
  return panel;
}

plot::Figure picture(const SpaceAnswer& answer) {
  const std::string first = degrees(answer.first.radians);
  const std::string second = degrees(answer.second.radians);
  return figure(
      "Rotations of space do not add",
      fmt::format("{} about x and {} about y, in both orders", first, second),
      {turned_frame("x, then y", answer.x_then_y), turned_frame("y, then x", answer.y_then_x)});
}

plot::Figure picture(const ReflectionAnswer& answer) {
  const Complex end = primer::scaled(1.2, primer::unit(answer.line.turn));
  const std::string line_angle = degrees(answer.line.radians);
  return figure(
      "A mirror image is no rotation",
      fmt::format("the mirror stands at {}; its image runs the other way around: det = −1",
                  line_angle),
      {plane("", {line(-end, end, "mirror", plot::kGrey)}, {},
             {path(answer.shape, "before", plot::kGrey),
              path(answer.mirrored, "mirror image, det = −1", kSecondLook),
              path(answer.turned, "turned by twice the angle, det = 1", kFirstLook)})});
}

plot::Figure picture(const OrthogonalAnswer& answer) {
  return figure("Orthogonal matrices turn or mirror",
                "lengths and angles stay; the sign of the determinant tells which",
                {plane("det Q = 1", {}, {},
                       {path(answer.shape, "before", plot::kGrey),
                        path(answer.rotated, "turned", kFirstLook)}),
                 plane("det Q = −1", {}, {},
                       {path(answer.shape, "before", plot::kGrey),
                        path(answer.reflected, "mirrored", kSecondLook)})});
}

}  // namespace

plot::Figure primer_figure(const PrimerStudy& study) {
  return std::visit([](const auto& answer) { return picture(answer); }, study.answer);
}

}  // namespace rope
