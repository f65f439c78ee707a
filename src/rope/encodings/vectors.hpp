#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rope/rotary/rotation_matrix.hpp"

namespace rope {

// Sums in a fixed order, so that scores have the same bits on every machine.

/// Σ a_i b_i, from the first term to the last.
///
/// Throws    ShapeError if the lengths differ.
double dot(std::span<const double> a, std::span<const double> b);

/// √(Σ x_i²), in the same order.
double norm(std::span<const double> x);

/// The square root of the sum of all squares of a matrix: at least its 2-norm.
double frobenius_norm(const RowMatrix& matrix);

/// Matrix times column vector.
///
/// Throws    ShapeError if the sizes differ.
std::vector<double> multiply(const RowMatrix& matrix, std::span<const double> x);

/// Row `i` of a matrix.
inline std::span<const double> row_of(const RowMatrix& matrix, Eigen::Index i) {
  return {matrix.row(i).data(), static_cast<std::size_t>(matrix.cols())};
}

/// A matrix of near-normal numbers with mean 0 and the given deviation: the same on every machine
/// for a given seed and stream.
RowMatrix random_matrix(std::size_t rows, std::size_t columns, double deviation, std::uint64_t seed,
                        std::uint64_t stream);

/// The unit roundoff of double.
inline constexpr double kRoundoff = 0x1p-53;

/// γ ≥ |computed sum of n products − exact| / Σ|a_i||b_i|, with four roundings to spare, for
/// example for √d and the division by it. Valid for n < 2^40.
///
/// Source    Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., §3.1.
constexpr double dot_error(std::size_t n) {
  return static_cast<double>(n + 4) * kRoundoff * (1 + 0x1p-10);
}

}  // namespace rope
