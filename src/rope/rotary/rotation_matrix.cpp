#include "rope/rotary/rotation_matrix.hpp"

#include <string>

#include "rope/error.hpp"

namespace rope {

Eigen::MatrixXd rotation_matrix(const RotaryEmbedding& embedding, std::int64_t position) {
  return rotation_matrix(embedding, rotation_row(embedding, position));
}

Eigen::MatrixXd rotation_matrix(const RotaryEmbedding& embedding, const RotationRow& row) {
  check_row(embedding, row);
  const auto d = static_cast<Eigen::Index>(embedding.head_dim);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(d, d);  // Identity() asks d² times for i == j
  matrix.diagonal().setOnes();
  for (std::size_t k = 0; k < embedding.pairs(); ++k) {
    const PairDimensions pair = embedding.dimensions(k);
    const auto x = static_cast<Eigen::Index>(pair.first);
    const auto y = static_cast<Eigen::Index>(pair.second);
    matrix(x, x) = row.cos[k];
    matrix(x, y) = -row.sin[k];
    matrix(y, x) = row.sin[k];
    matrix(y, y) = row.cos[k];
  }
  return matrix;
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
