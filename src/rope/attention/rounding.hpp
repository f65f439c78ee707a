#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rope/attention/layers.hpp"

namespace rope {

// How far rounding may separate attention results that are mathematically equal. Each bound holds
// for the doubles that this library computes, whatever the input; none of the bounds comes from a
// measurement.

/// An upper bound on the 2-norm of a matrix: ‖W‖¹⁶ = ‖(WᵀW)⁸‖ ≤ ‖(WᵀW)⁸‖_F, rounding included. It
/// is at most d^(1/16) times the norm: 1.36 at d = 128, where ‖W‖_F may be 11 times the norm.
double operator_norm_bound(const RowMatrix& matrix);

/// An upper bound on Σ_j |a_j − b_j| for two computed rows of softmax weights over the same keys
/// (`keys` of them), each summed in any order, if their computed scores differ by at most `scores`.
///
/// If scores differ by at most δ, the odds of any set of keys change by at most a factor e^2δ.
/// Hence the exact weight of the set changes by at most tanh(δ/2). The sum is twice the total
/// change of the weights that grow: at most 2 tanh(δ/2), which two keys attain, and therefore at
/// most δ and at most 2. Rounding adds a relative error of at most γ = dot_error(keys) to each
/// computed weight.
double weights_difference(double scores, std::size_t keys);

/// An upper bound on |Σ a_j v_j − Σ b_j v_j| as computed, for rows of weights that differ by
/// `weights`. The values v_j are bit-identical in both sums, and at most `value_norm` long.
double output_difference(double weights, std::size_t keys, double value_norm);

/// An upper bound on |R_−m Σ a_j R_j v_j − R_−m Σ b_j R_j v_j| as computed at two shifts of all
/// positions, where the exact turns agree. The values and the output are all turned, and each turn
/// is off by kRotationError.
///
/// `averages`: the output_difference of the rotated values, which are at most `value_norm` long;
/// `factor`: the attention factor A.
double turned_back_difference(double averages, double value_norm, double factor);

/// An upper bound on the difference between any two rows after each layer, for `tokens` tokens that
/// are equal before the first layer and at most `length` long.
///
/// The output for each query is an average of values, so no two outputs are farther apart than the
/// values are, whatever weights result from an encoding or a mask. Any further difference is
/// rounding, which the layers propagate. Layers that rotate values are not covered.
std::vector<double> equal_token_drift(std::span<const AttentionLayer> layers, std::size_t tokens,
                                      double length);

}  // namespace rope
