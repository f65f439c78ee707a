#include "rope/encodings/vectors.hpp"

#include <cmath>
#include <string>

#include "rope/error.hpp"
#include "rope/random/random.hpp"

namespace rope {

double dot(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size())
    throw ShapeError(Subject{"dot product"}, "expected vectors of equal length, got " +
                                                 std::to_string(a.size()) + " and " +
                                                 std::to_string(b.size()));
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double norm(std::span<const double> x) { return std::sqrt(dot(x, x)); }

double frobenius_norm(const RowMatrix& matrix) {
  return norm({matrix.data(), static_cast<std::size_t>(matrix.size())});
}

std::vector<double> multiply(const RowMatrix& matrix, std::span<const double> x) {
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(matrix.rows()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) result.push_back(dot(row_of(matrix, i), x));
  return result;
}

RowMatrix random_matrix(std::size_t rows, std::size_t columns, double deviation, std::uint64_t seed,
                        std::uint64_t stream) {
  RowMatrix matrix(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  RandomStream(seed, stream).fill_normal({matrix.data(), rows * columns});
  for (double& value : std::span<double>(matrix.data(), rows * columns)) value *= deviation;
  return matrix;
}

}  // namespace rope
