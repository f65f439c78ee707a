#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rope/attention/layers.hpp"

namespace rope {

// How far rounding may separate attention results that are mathematically equal. Each bound holds
// for the doubles that this library computes, whatever the numbers: nothing in it was measured.

/// At least the 2-norm of a matrix: ‖W‖¹⁶ = ‖(WᵀW)⁸‖ ≤ ‖(WᵀW)⁸‖_F, rounding included. It is at most
/// d^(1/16) times the norm: 1.36 at d = 128, where ‖W‖_F may be 11 times the norm.
double operator_norm_bound(const RowMatrix& matrix);

/// At least Σ_j |a_j − b_j| for two computed rows of softmax weights over the same `keys`, each
/// summed in any order, whose computed scores differ by at most `scores`.
///
/// Scores within δ change the odds of any set of keys by at most a factor e^2δ, hence its exact
/// weight by at most tanh(δ/2). The sum is twice the change of the keys whose weights grow: at most
/// 2 tanh(δ/2), which two keys attain, and so at most δ and at most 2. Each computed weight is off
/// by at most γ of itself.
double weights_difference(double scores, std::size_t keys);

/// At least |Σ a_j v_j − Σ b_j v_j| as computed, for rows of weights that differ by `weights` and
/// values of at most that length, bit-identical for both.
double output_difference(double weights, std::size_t keys, double value_norm);

/// At least |R_−m Σ a_j R_j v_j − R_−m Σ b_j R_j v_j| as computed at two shifts of all positions,
/// where the exact turns agree: a turn of each value and one of the output, each off by
/// kRotationError.
///
/// `averages`: output_difference of the rotated values, none longer than `value_norm`; `factor`: A.
double turned_back_difference(double averages, double value_norm, double factor);

/// At least the largest difference between two rows after each layer, for `tokens` tokens that are
/// equal before the first layer and at most `length` long.
///
/// Each query gets an average of values, so no two averages lie farther apart than the values do,
/// whatever weights an encoding or a mask gives. The rest is rounding, which the layers propagate.
/// Layers that rotate values are not covered.
std::vector<double> equal_token_drift(std::span<const AttentionLayer> layers, std::size_t tokens,
                                      double length);

}  // namespace rope
