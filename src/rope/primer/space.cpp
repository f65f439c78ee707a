#include "rope/primer/space.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <numbers>

#include "rope/error.hpp"

namespace rope::primer {
namespace {

/// √(x² + y² + z²) of numbers that are neither huge nor tiny, and relative γ_3 of it.
double length(const Eigen::Vector3d& v) {
  return std::sqrt(v(0) * v(0) + v(1) * v(1) + v(2) * v(2));
}

/// The vector over its length, each number within γ_4.
Eigen::Vector3d direction(const Eigen::Vector3d& axis) {
  const double size = axis.cwiseAbs().maxCoeff();
  if (!axis.allFinite() || !(size > 0))
    throw DomainError(Subject{"axis"}, "expected three finite numbers that are not all 0");
  const int exponent = std::ilogb(size);
  Eigen::Vector3d scaled;
  for (Eigen::Index i = 0; i < 3; ++i) scaled(i) = std::ldexp(axis(i), -exponent);
  return scaled / length(scaled);
}

/// (R_32 − R_23, R_13 − R_31, R_21 − R_12) = 2 sin θ·n.
Eigen::Vector3d skew_part(const Eigen::Matrix3d& r) {
  return {r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
}

}  // namespace

Eigen::Matrix3d space_rotation(const Eigen::Vector3d& axis, TurnFraction turn) {
  const Eigen::Vector3d n = direction(axis);
  const Complex w = unit(turn);
  const double rest = 1 - w.re;
  Eigen::Matrix3d cross;
  cross << 0, -n(2), n(1), n(2), 0, -n(0), -n(1), n(0), 0;
  Eigen::Matrix3d matrix;
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j)
      matrix(i, j) = rest * n(i) * n(j) + (i == j ? w.re : w.im * cross(i, j));
  return matrix;
}

Eigen::Matrix3d space_mirror(const Eigen::Vector3d& normal) {
  const Eigen::Vector3d n = direction(normal);
  Eigen::Matrix3d matrix;
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) matrix(i, j) = (i == j ? 1 : 0) - 2 * n(i) * n(j);
  return matrix;
}

double rotation_angle(const Eigen::Matrix3d& rotation) {
  const double trace = rotation(0, 0) + rotation(1, 1) + rotation(2, 2);
  return argument({trace - 1, length(skew_part(rotation))});
}

Eigen::Vector3d rotation_axis(const Eigen::Matrix3d& rotation) {
  const Eigen::Vector3d v = skew_part(rotation);
  const double trace = rotation(0, 0) + rotation(1, 1) + rotation(2, 2);
  const double cosine = (trace - 1) / 2;
  if (cosine > 0) return v / length(v);  // 0/0 for I
  // (R + Rᵀ)/2 − cos θ·I = (1 − cos θ)nnᵀ: its longest column, in the sense of v.
  Eigen::Index longest = 0;
  rotation.diagonal().maxCoeff(&longest);
  Eigen::Vector3d column = (rotation.col(longest) + rotation.row(longest).transpose()) / 2;
  column(longest) -= cosine;
  column /= length(column);
  return column.dot(v) < 0 ? Eigen::Vector3d(-column) : column;
}

Turn turn_after(const Eigen::Vector3d& second_axis, TurnFraction second,
                const Eigen::Vector3d& first_axis, TurnFraction first) {
  const Complex b = unit(half(second)), a = unit(half(first));
  const Eigen::Vector3d n = direction(second_axis), m = direction(first_axis);
  // (cos β + n sin β)(cos α + m sin α), with half angles.
  const double real = b.re * a.re - b.im * a.im * n.dot(m);
  const Eigen::Vector3d imaginary = b.re * a.im * m + b.im * a.re * n + b.im * a.im * n.cross(m);
  const double sine = length(imaginary);
  // The quaternion and its opposite are the same rotation: the one with a positive real part turns
  // by at most π.
  Turn turn;
  turn.angle = 2 * argument({std::abs(real), sine});
  if (sine > 0) turn.axis = (std::signbit(real) ? -imaginary : imaginary) / sine;
  return turn;
}

double determinant(const Eigen::Matrix3d& m) {
  return m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) -
         m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0)) +
         m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0));
}

}  // namespace rope::primer
