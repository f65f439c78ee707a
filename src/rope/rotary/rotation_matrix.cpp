#include "rope/rotary/rotation_matrix.hpp"

#include <algorithm>
#include <string>

#include "rope/error.hpp"

namespace rope {
namespace {

/// Sets the entries that are not 0: the block of every pair, and 1 for what passes through.
void set_entries(const RotaryEmbedding& embedding, const RotationRow& row,
                 Eigen::Ref<Eigen::MatrixXd> matrix) {
  embedding.for_each_pair([&](std::size_t i, std::size_t first, std::size_t second) {
    const auto x = static_cast<Eigen::Index>(first), y = static_cast<Eigen::Index>(second);
    matrix(x, x) = row.cos[i];
    matrix(x, y) = -row.sin[i];
    matrix(y, x) = row.sin[i];
    matrix(y, y) = row.cos[i];
  });
  matrix.diagonal()
      .tail(matrix.rows() - static_cast<Eigen::Index>(embedding.rotary_dim()))
      .setOnes();
}

/// Sets them to 0 again.
void clear_entries(const RotaryEmbedding& embedding, Eigen::Ref<Eigen::MatrixXd> matrix) {
  embedding.for_each_pair([&](std::size_t, std::size_t first, std::size_t second) {
    const auto x = static_cast<Eigen::Index>(first), y = static_cast<Eigen::Index>(second);
    matrix(x, y) = matrix(y, x) = 0;
  });
  matrix.diagonal().setZero();
}

/// Mx, column by column.
[[gnu::always_inline]] inline void product_loop(const double* __restrict column,
                                                std::span<const double> x,
                                                double* __restrict result) {
  const std::size_t d = x.size();
  std::fill_n(result, d, 0.0);
  for (const double factor : x) {
    for (std::size_t i = 0; i < d; ++i) result[i] += column[i] * factor;
    column += d;
  }
}
void product_baseline(const double* matrix, std::span<const double> x, double* result) {
  product_loop(matrix, x, result);
}
ROPE_TARGET_V3 void product_v3(const double* matrix, std::span<const double> x, double* result) {
  product_loop(matrix, x, result);
}
ROPE_TARGET_V4 void product_v4(const double* matrix, std::span<const double> x, double* result) {
  product_loop(matrix, x, result);
}

}  // namespace

Eigen::MatrixXd rotation_matrix(const RotaryEmbedding& embedding, std::int64_t position) {
  return rotation_matrix(embedding, rotation_row(embedding, position));
}

Eigen::MatrixXd rotation_matrix(const RotaryEmbedding& embedding, const RotationRow& row) {
  check_row(embedding, row);
  const auto d = static_cast<Eigen::Index>(embedding.head_dim);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(d, d);
  set_entries(embedding, row, matrix);
  return matrix;
}

void rotate_dense(const RotaryEmbedding& embedding, const RotationRow& row,
                  std::span<const double> x, std::span<double> result, Eigen::MatrixXd& zeros,
                  CpuLevel level) {
  check_rotation(embedding, row, x.size(), result.size());
  const auto d = static_cast<Eigen::Index>(embedding.head_dim);
  if (zeros.rows() != d) zeros.setZero(d, d);
  set_entries(embedding, row, zeros);
  for_level(level, product_baseline, product_v3, product_v4)(zeros.data(), x, result.data());
  clear_entries(embedding, zeros);
}

std::size_t matrix_flops(const RotaryEmbedding& embedding) {
  return 2 * embedding.head_dim * embedding.head_dim;
}

RowMatrix rotate(const RotaryEmbedding& embedding, const Eigen::Ref<const RowMatrix>& x,
                 std::span<const std::int64_t> positions) {
  const auto d = static_cast<Eigen::Index>(embedding.head_dim);
  if (x.cols() != d || x.rows() != static_cast<Eigen::Index>(positions.size()))
    throw ShapeError("rotate: expected " + std::to_string(positions.size()) + " rows of " +
                     std::to_string(d) + ", got " + std::to_string(x.rows()) + " rows of " +
                     std::to_string(x.cols()));
  RowMatrix result(x.rows(), x.cols());
  for (Eigen::Index t = 0; t < x.rows(); ++t) {
    const RotationRow row = rotation_row(embedding, positions[static_cast<std::size_t>(t)]);
    rotate_elementwise(embedding, row, {x.row(t).data(), embedding.head_dim},
                       {result.row(t).data(), embedding.head_dim});
  }
  return result;
}

}  // namespace rope
