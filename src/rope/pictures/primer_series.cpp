#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "rope/pictures/primer_drawing.hpp"

namespace rope::drawing {

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
  return figure(
      "Growing sideways is turning",
      fmt::format("θ = {}; after {} steps, {} away from e^{{iθ}}", shown(answer.angle.radians),
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
  return figure(
      "The series for e^{iθ} closes in on the circle",
      fmt::format("its terms reach {} before they shrink; their rounding errors stay in the sum",
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
  chart.title = Text::markup("what is left with π rounded to p bits");
  chart.x.min = 0;  // room for the name of the narrowest format
  chart.x.label = Text::markup("bits p of π");
  chart.x.whole = true;
  chart.y.label = Text::markup("|e^{iπ} + 1|");
  chart.y.scale = plot::Scale::log10;
  plot::Series left, step;
  left.label = Text::markup("|e^{iπ} + 1| = |π − rounded π|");
  left.kind = plot::SeriesKind::line_points;
  left.colour = kFirstLook;
  step.label = Text::markup("at most 2^{1−p}");
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
  plot::Figure both = figure("e^{iπ} + 1 = 0, and no format represents π",
                             "a rounded π stops short of −1 or passes it; half a turn does not",
                             {std::move(turn), std::move(chart)});
  both.legend_of = 1;
  return both;
}

}  // namespace rope::drawing
