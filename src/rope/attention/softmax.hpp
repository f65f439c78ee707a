#pragma once

#include <cstdint>
#include <span>

#include "rope/encodings/encoding.hpp"

namespace rope {

/// Which keys a query may attend to.
enum class Mask {
  none,    ///< all
  causal,  ///< those at its own position or before it
};

/// Applies the mask: the scores that it hides become −∞.
void apply_mask(Mask mask, std::span<const std::int64_t> query_positions,
                std::span<const std::int64_t> key_positions, RowMatrix& scores);

/// softmax along each row: e^(s_ij − max_j s_ij) over their sum.
///
/// Shapes    as the scores.
/// Accuracy  each weight within (n + 4)·u relative, u = 2^-53 and n keys, in addition to the effect
///           of the error of its score.
/// Edge      a hidden key (−∞) has a weight of exactly 0. A row without a visible key, or with NaN
///           or +∞, is NaN.
RowMatrix softmax(const RowMatrix& scores);

/// Σ_j weight_ij v_j, in the order of the keys.
///
/// Shapes    weights: (T_q, T_k), values: (T_k, d). Returns (T_q, d).
/// Throws    ShapeError if the sizes do not match.
RowMatrix weighted_values(const RowMatrix& weights, const RowMatrix& values);

/// The attention weights: softmax of the masked scores of an encoding.
RowMatrix attention_weights(const PositionEncoding& encoding, const Tokens& queries,
                            const Tokens& keys, Mask mask);

}  // namespace rope
