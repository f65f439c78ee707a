#pragma once

// R_m x, vector by vector: cos and sin of one position, then products and sums.
//
//     const rope::RotationRow row = rope::rotation_row(embedding, 4095);
//     std::vector<double> q(embedding.head_dim, 1), turned(embedding.head_dim);
//     rope::rotate_elementwise(embedding, row, q, turned);

#include <cstdint>
#include <span>
#include <vector>

#include "rope/rotary/embedding.hpp"

namespace rope {

/// cos(mθ_i) and sin(mθ_i), times the attention factor, for one position m: i = 0 … r/2−1.
struct RotationRow {
  std::vector<double> cos;
  std::vector<double> sin;
};

/// The cosines and sines of the angles at one position.
///
/// Accuracy  each entry within kCosSinError of exact for |m| ≤ 2^53; up to 2^63, the angle is off
///           by another 2^-65 of a turn. With an attention factor A, within A·(kCosSinError +
///           2^-53), because A cos is rounded once more.
/// Edge      m = 0 gives exactly (1, 0); −m gives the same cosines and the opposite sines, bit for
///           bit, so R_{−m} is R_m transposed.
RotationRow rotation_row(const RotaryEmbedding& embedding, std::int64_t position,
                         CpuLevel level = best_cpu_level());

/// The same, written to an existing row, whose memory is reused.
void set_rotation_row(const RotaryEmbedding& embedding, std::int64_t position, RotationRow& row,
                      CpuLevel level = best_cpu_level());

/// The same for a position with one number per axis: pair i turns by the number on its axis.
///
/// Accuracy  as above.
/// Edge      the same number on every axis gives the row of that number, bit for bit.
/// Throws    ShapeError unless every pair of an embedding with several axes has an axis.
RotationRow rotation_row(const RotaryEmbedding& embedding, const Position& position,
                         CpuLevel level = best_cpu_level());

/// Changes the row to that of the opposite turn: the same cosines, the opposite sines. R_m becomes
/// R_mᵀ, which is A²·R_m⁻¹.
void transpose(RotationRow& row);

/// Throws ShapeError unless there are r/2 cosines and sines, and r is at most d.
void check_row(const RotaryEmbedding& embedding, const RotationRow& row);

/// Throws as check_row does, and ShapeError unless x and the result are as long as a head.
void check_rotation(const RotaryEmbedding& embedding, const RotationRow& row, std::size_t x,
                    std::size_t result);

/// Rotates one vector, element by element: (x, y) → (x cos φ − y sin φ, x sin φ + y cos φ).
///
/// Shapes    x and result: (d), which may be the same memory; row: r/2 cosines and sines.
/// Accuracy  two products and a sum in double, computed from the entries of `row`.
/// Edge      NaN and infinity stay in their pair; dimensions r … d−1 are copied.
/// Throws    ShapeError if the sizes disagree.
void rotate_elementwise(const RotaryEmbedding& embedding, const RotationRow& row,
                        std::span<const double> x, std::span<double> result);

/// The number of operations in one such rotation: four products and two sums per pair. The complex
/// form needs as many.
std::size_t rotation_flops(const RotaryEmbedding& embedding);

/// The same rotation, as multiplication by a complex number: x + iy → (x + iy)·e^{iφ}.
void rotate_complex(const RotaryEmbedding& embedding, const RotationRow& row,
                    std::span<const double> x, std::span<double> result);

}  // namespace rope
