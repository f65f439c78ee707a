#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "rope/pictures/primer_drawing.hpp"

namespace rope::drawing {

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
      "q·k^* contains both products of vectors",
      {arrow(q, "q", kQueryLook), arrow(k, "k", kKeyLook), arrow(q_k, "q·k^*", kResultLook),
       side({}, {q_k.re, 0}, "q · k = " + shown(q_k.re), kResultLook),
       side({q_k.re, 0}, q_k, "k × q = " + shown(q_k.im), kResultLook)},
      {arc(0.6 * shorter, k_angle, k_angle + answer.angle, degrees(answer.angle), plot::kGrey)});
  return figure(
      "A number times the mirror image of another",
      fmt::format("its real part is the dot product {}, and its angle, from k to q, is {}",
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
  return figure("Multiplication by i is a quarter turn",
                "four of them return to the start: i^4 = 1",
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

}  // namespace rope::drawing
