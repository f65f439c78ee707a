#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "rope/pictures/primer_drawing.hpp"

namespace rope::drawing {
namespace {

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

}  // namespace

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
      "A mirror image is not a rotation",
      fmt::format("the mirror is at {}; its image runs the other way around: det = −1", line_angle),
      {plane("", {line(-end, end, "mirror", plot::kGrey)}, {},
             {path(answer.shape, "before", plot::kGrey),
              path(answer.mirrored, "mirror image, det = −1", kSecondLook),
              path(answer.turned, "turned by twice the angle, det = 1", kFirstLook)})});
}

plot::Figure picture(const OrthogonalAnswer& answer) {
  return figure("Orthogonal matrices turn or mirror",
                "lengths and angles stay the same; the sign of the determinant shows which",
                {plane("det Q = 1", {}, {},
                       {path(answer.shape, "before", plot::kGrey),
                        path(answer.rotated, "turned", kFirstLook)}),
                 plane("det Q = −1", {}, {},
                       {path(answer.shape, "before", plot::kGrey),
                        path(answer.reflected, "mirrored", kSecondLook)})});
}

}  // namespace rope::drawing
