#pragma once

#include <cstdint>
#include <span>

#include "rope/rotary/frequencies.hpp"

namespace rope {

/// How far the rotations at several positions are from one matrix that replaces them: the square
/// root of the mean over m of ‖R_m − M‖²_F/r, for the best M, which is their mean. It is 0 if all
/// rotations are equal and 1 if their mean is 0; in general it is √(1 − (2/r) Σ_i |mean_m
/// e^{imθ_i}|²).
///
/// This is the relative error if one fused projection M·W replaces R_m·W at each position, for a
/// W whose columns have no preferred pair.
///
/// Accuracy  the square within (n + r/2 + 8)·2^-51, for n positions: a mean of n cosines has an
///           error of n roundings and 1.1e-16, its square has twice that, and the mean over the
///           pairs adds r/2 roundings.
/// Throws    ShapeError if there are no positions.
double distance_from_mean_rotation(const Frequencies& frequencies,
                                   std::span<const std::int64_t> positions);

}  // namespace rope
