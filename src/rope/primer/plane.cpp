#include "rope/primer/plane.hpp"

#include "rope/primer/roundoff.hpp"

namespace rope::primer {
namespace {

constexpr double kSqrtTwo = 0x1.6a09e667f3bcdp+0;  // rounded up

}  // namespace

Eigen::Matrix2d plane_rotation(TurnFraction turn) {
  const Complex w = unit(turn);
  Eigen::Matrix2d matrix;
  matrix << w.re, -w.im, w.im, w.re;
  return matrix;
}

Eigen::Matrix2d plane_mirror(TurnFraction line) {
  const Complex w = unit(2 * line);
  Eigen::Matrix2d matrix;
  matrix << w.re, w.im, w.im, -w.re;
  return matrix;
}

double plane_product_error() {
  const double e = kUnitError;
  const double entries = 2 * e + e * e + e;
  const double arithmetic = gamma(2) * (1 + e) * (1 + e) + gamma(1) * (1 + e);
  return kSqrtTwo * (entries + kSqrtTwo * arithmetic) * (1 + gamma(8));
}

double plane_determinant_error() {
  const double e = kUnitError;
  return (2 * e + e * e + gamma(2) * (1 + e) * (1 + e)) * (1 + gamma(8));
}

double determinant(const Eigen::Matrix2d& matrix) {
  return matrix(0, 0) * matrix(1, 1) - matrix(0, 1) * matrix(1, 0);
}

}  // namespace rope::primer
