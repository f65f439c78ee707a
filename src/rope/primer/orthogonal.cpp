#include "rope/primer/orthogonal.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <span>
#include <string>

#include "rope/error.hpp"
#include "rope/primer/roundoff.hpp"
#include "rope/random/random.hpp"

namespace rope::primer {

std::size_t rotation_parameters(std::size_t size) {
  std::size_t planes = 0;
  for (std::size_t axis = 1; axis < size; ++axis) planes += axis;  // with each axis before it
  return planes;
}

Eigen::MatrixXd random_orthogonal(Eigen::Index size, std::uint64_t seed, std::uint64_t number) {
  if (size < 1 || size > kLargestOrthogonal)
    throw ShapeError("orthogonal matrix: expected a size from 1 to " +
                     std::to_string(kLargestOrthogonal) + ", got " + std::to_string(size));
  Eigen::MatrixXd random(size, size);
  RandomStream(seed, number)
      .fill_normal(std::span(random.data(), static_cast<std::size_t>(random.size())));
  const Eigen::HouseholderQR<Eigen::MatrixXd> decomposition(random);
  Eigen::MatrixXd q = decomposition.householderQ();
  for (Eigen::Index i = 0; i < size; ++i)
    if (decomposition.matrixQR()(i, i) < 0) q.col(i) = -q.col(i);
  return q;
}

double orthogonal_error(Eigen::Index size) {
  const auto n = static_cast<double>(size);
  return 1.01 * n * (4 * n + 28 + (2 * n + 5) * std::sqrt(n)) * kUnitRoundoff;
}

double gram_error(Eigen::Index size, double error) {
  const auto n = static_cast<double>(size);
  // Sums of n products of columns of length 1 + error, I taken off, the norm.
  const double measuring = (gamma(n) * n + gamma(1) * std::sqrt(n)) * (1 + error) * (1 + error);
  return (error * (2 + error) + measuring) * (1 + gamma(n * n + 8));
}

double orthogonal_product_error(Eigen::Index size, double a, double b) {
  const auto n = static_cast<double>(size);
  return (a + b + a * b + gamma(n) * n * (1 + a) * (1 + b)) * (1 + gamma(8));
}

double gram_defect(const Eigen::MatrixXd& matrix) {
  const Eigen::MatrixXd gram = matrix.transpose() * matrix;
  return (gram - Eigen::MatrixXd::Identity(gram.rows(), gram.cols())).norm();
}

Determinant orthogonal_determinant(const Eigen::MatrixXd& matrix, double error) {
  const auto n = static_cast<double>(matrix.rows());
  const Eigen::PartialPivLU<Eigen::MatrixXd> decomposition(matrix);
  const Eigen::MatrixXd& lu = decomposition.matrixLU();
  const Eigen::MatrixXd lower = lu.triangularView<Eigen::UnitLower>();
  const Eigen::MatrixXd upper = lu.triangularView<Eigen::Upper>();
  const double backward =
      gamma(n) * (lower.cwiseAbs() * upper.cwiseAbs()).norm() * (1 + gamma(n * n));
  // det(Q + Δ) is within (1 + ‖Δ‖)ⁿ − 1 of ±1; its product of n numbers is rounded.
  double relative = 0;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    relative = relative + (error + backward) + relative * (error + backward);
  return {decomposition.determinant(), (relative + gamma(n) * (1 + relative)) * (1 + gamma(8))};
}

}  // namespace rope::primer
