#pragma once

#include <span>
#include <vector>

#include "rope/rotary/rotation.hpp"

// The rotation in the form used by code that handles only whole vectors: R_m x = cos ⊙ x + sin ⊙
// x', where x' is x after a quarter turn in every pair, and ⊙ is the elementwise product.

namespace rope {

/// The two vectors of cosines and sines, as long as a head.
struct RotationColumns {
  /// Each cos(mθ_i) at both dimensions of pair i; 1 in dimensions that pass through.
  std::vector<double> cos;
  std::vector<double> sin;  ///< each sin(mθ_i) likewise; 0 in dimensions that pass through
};

/// Shapes    row: r/2 cosines and sines. Returns d cosines and d sines.
/// Throws    ShapeError as check_row does.
RotationColumns rotation_columns(const RotaryEmbedding& embedding, const RotationRow& row);

/// (−y, x) in place of (x, y) in every pair: a quarter turn, exactly. In the layout `half` it is
/// Hugging Face's `rotate_half`: the second half negated, then the first.
///
/// Shapes    x: (d). Returns (d); 0 in the dimensions that pass through.
/// Throws    ShapeError unless x is as long as a head.
std::vector<double> quarter_turned(const RotaryEmbedding& embedding, std::span<const double> x);

/// cos ⊙ x + sin ⊙ x'.
///
/// Accuracy  bit for bit the result of rotate_elementwise with the row of these columns, except for
///           the sign of a zero.
/// Throws    ShapeError unless x and both columns are as long as a head.
std::vector<double> rotate_by_columns(const RotaryEmbedding& embedding,
                                      const RotationColumns& columns, std::span<const double> x);

}  // namespace rope
