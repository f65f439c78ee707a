#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rope/attention/layers.hpp"

namespace rope {

// How far rounding may separate attention results that are mathematically equal. Each bound holds
// for the doubles that this library computes, whatever the numbers; none of the bounds was
// measured.

/// An upper bound on the 2-norm of a matrix: ‖W‖¹⁶ = ‖(WᵀW)⁸‖ ≤ ‖(WᵀW)⁸‖_F, rounding included. It
/// is at most d^(1/16) times the norm: 1.36 at d = 128, where ‖W‖_F may be 11 times the norm.
double operator_norm_bound(const RowMatrix& matrix);

/// An upper bound on Σ_j |a_j − b_j| for two computed rows of softmax weights over the same `keys`,
/// each summed in any order, whose computed scores differ by at most `scores`.
///
/// Scores within δ change the odds of any set of keys by at most a factor e^2δ, and hence the exact
/// weight of the set by at most tanh(δ/2). The sum is twice the change of the keys whose weights
/// grow: at most 2 tanh(δ/2), which two keys attain, and therefore at most δ and at most 2. Each
/// computed weight is off by at most γ of itself.
double weights_difference(double scores, std::size_t keys);

/// An upper bound on |Σ a_j v_j − Σ b_j v_j| as computed, for rows of weights that differ by
/// `weights`. The values are bit-identical for both, and at most `value_norm` long.
double output_difference(double weights, std::size_t keys, double value_norm);

/// An upper bound on |R_−m Σ a_j R_j v_j − R_−m Σ b_j R_j v_j| as computed at two shifts of all
/// positions, where the exact turns agree. Each value is turned, and so is the output, each turn
/// being off by kRotationError.
///
/// `averages`: output_difference of the rotated values, none longer than `value_norm`; `factor`: A.
double turned_back_difference(double averages, double value_norm, double factor);

/// An upper bound on the difference between any two rows after each layer, for `tokens` tokens that
/// are equal before the first layer and at most `length` long.
///
/// Each query gets an average of values, so no two averages are farther apart than the values are,
/// whatever weights result from an encoding or a mask. The rest is rounding, which the layers
/// propagate. Layers that rotate values are not covered.
std::vector<double> equal_token_drift(std::span<const AttentionLayer> layers, std::size_t tokens,
                                      double length);

}  // namespace rope
