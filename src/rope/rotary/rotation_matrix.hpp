#pragma once

// R_m as a dense Eigen matrix: the definition, slow and plain. Not part of rope.hpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>

#include "rope/rotary/rotation.hpp"

namespace rope {

/// Vectors as rows, one row per token: shape (T, d), stored row after row.
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// R_m as a dense matrix: for every pair the block [cos φ, −sin φ; sin φ, cos φ], φ = mθ_i, on the
/// pair's two dimensions, and 1 on the diagonal of the dimensions that pass through.
///
/// Column vectors: R_m·q rotates q counter-clockwise by mθ_i in the plane of pair i. This is the
/// readable definition, and the reference that `rotate` and `rotate_complex` are tested against.
///
/// Shapes    returns (d, d), d = head_dim.
/// Units     position m in tokens; may be negative.
/// Layout    that of the embedding; see docs/conventions.md.
/// Accuracy  as rotation_row.
/// Source    Su et al., RoFormer, arXiv:2104.09864, §3.2.2.
Eigen::MatrixXd rotation_matrix(const RotaryEmbedding& embedding, std::int64_t position);

/// The same from given cosines and sines. Throws ShapeError if there are not r/2 of each, or r is
/// above d.
Eigen::MatrixXd rotation_matrix(const RotaryEmbedding& embedding, const RotationRow& row);

/// Rotates one vector by the dense R_m: d² products, most of them with 0.
///
/// Shapes    x and result: (d), not the same memory; zeros: memory for R_m, empty or a matrix of
///           zeros; it is all zeros again afterwards.
/// Edge      an infinity or a NaN in x makes every dimension NaN.
/// Throws    ShapeError if the sizes disagree.
void rotate_dense(const RotaryEmbedding& embedding, const RotationRow& row,
                  std::span<const double> x, std::span<double> result, Eigen::MatrixXd& zeros,
                  CpuLevel level = best_cpu_level());

/// The number of operations in multiplying one vector by the dense R_m: a product and a sum for
/// each of its d² entries, most of which are 0.
std::size_t matrix_flops(const RotaryEmbedding& embedding);

/// R_m x for each row x of a matrix, where m is the position of its token.
///
/// Shapes    x: (T, d); positions: (T). Returns (T, d).
/// Accuracy  each component within (|x| + |y|)·(1.1e-16 + 2.3e-16) of exact for a pair (x, y).
/// Edge      T = 0 returns (0, d); with attention factor 1, m = 0 returns finite numbers unchanged,
///           except that −0 may come back as +0.
/// Throws    ShapeError if the sizes disagree.
RowMatrix rotate(const RotaryEmbedding& embedding, const Eigen::Ref<const RowMatrix>& x,
                 std::span<const std::int64_t> positions);

}  // namespace rope
