#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "rope/rotary/embedding.hpp"

namespace rope {

/// Rows of vectors, one token a row: shape (T, d), stored row after row.
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// cos(mθ_k) and sin(mθ_k), times the attention factor, for one position m: k = 0 … r/2−1.
struct RotationRow {
  std::vector<double> cos;
  std::vector<double> sin;
};

/// The angles' cosines and sines at one position.
///
/// Accuracy  each entry within kCosSinError of exact, and A times that and 2^-53 more with an
///           attention factor A, as A cos is rounded once more; for |m| ≤ 2^53
///           (and within 2^-65 of a turn more up to 2^63).
/// Edge      m = 0 gives exactly (1, 0); −m gives the same cosines and the opposite sines, bit for
///           bit, so R_{−m} is R_m transposed.
RotationRow rotation_row(const RotaryEmbedding& embedding, std::int64_t position,
                         CpuLevel level = best_cpu_level());

/// The row of the opposite turn: the same cosines, the opposite sines. Of R_m it makes R_mᵀ, which
/// is A²·R_m⁻¹.
void transpose(RotationRow& row);

/// R_m as a dense matrix: for every pair the block [cos φ, −sin φ; sin φ, cos φ], φ = mθ_k, on the
/// pair's two dimensions, and 1 on the diagonal of the dimensions that pass through.
///
/// Column vectors: R_m·q rotates q counter-clockwise by mθ_k in the plane of pair k. This is the
/// readable definition, and the reference that `rotate` and `rotate_complex` are tested against.
///
/// Shapes    returns (d, d), d = head_dim.
/// Units     position m in tokens; may be negative.
/// Layout    as the embedding says; see docs/conventions.md.
/// Accuracy  as rotation_row.
/// Source    Su et al., RoFormer, arXiv:2104.09864, §3.2.2.
Eigen::MatrixXd rotation_matrix(const RotaryEmbedding& embedding, std::int64_t position);

/// The same from cosines and sines at hand. Throws ShapeError if there are not r/2 of each, or r
/// is above d.
Eigen::MatrixXd rotation_matrix(const RotaryEmbedding& embedding, const RotationRow& row);

/// Rotates one vector, element by element: (x, y) → (x cos φ − y sin φ, x sin φ + y cos φ).
///
/// Shapes    x and result: (d), may be the same memory; row: r/2 cosines and sines.
/// Accuracy  two products and a sum in double on the entries of `row`.
/// Edge      NaN and infinity stay in their pair; dimensions r … d−1 are copied.
/// Throws    ShapeError if the sizes disagree.
void rotate_elementwise(const RotaryEmbedding& embedding, const RotationRow& row,
                        std::span<const double> x, std::span<double> result);

/// The same as multiplication by a complex number: x + iy → (x + iy)·e^{iφ}.
void rotate_complex(const RotaryEmbedding& embedding, const RotationRow& row,
                    std::span<const double> x, std::span<double> result);

/// R_m x for each row x of a matrix, with the position of its token.
///
/// Shapes    x: (T, d); positions: (T). Returns (T, d).
/// Accuracy  each component within (|x| + |y|)·(1.1e-16 + 2.3e-16) of exact for a pair (x, y).
/// Edge      T = 0 returns (0, d); m = 0 returns finite numbers unchanged, except that −0 may come
///           back as +0 (attention factor 1).
/// Throws    ShapeError if the sizes disagree.
RowMatrix rotate(const RotaryEmbedding& embedding, const Eigen::Ref<const RowMatrix>& x,
                 std::span<const std::int64_t> positions);

}  // namespace rope
