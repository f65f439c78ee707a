#pragma once

#include <cstdint>
#include <span>

#include "rope/rotary/frequencies.hpp"

namespace rope {

/// What one matrix misses when it replaces the rotations at several positions: the root of the mean
/// over m of ‖R_m − M‖²_F/r, for the best M, their mean. 0 if all are alike, 1 if their mean is 0;
/// √(1 − (2/r) Σ_i |mean_m e^{imθ_i}|²).
///
/// So it is the relative error of one fused projection M·W in place of R_m·W at each position, for
/// a W whose columns have no preferred pair.
///
/// Accuracy  the square within (n + r/2 + 8)·2^-51, for n positions: a mean of n cosines loses n
///           roundings and 1.1e-16, its square twice that, the mean over the pairs r/2 roundings.
///           Throws ShapeError if there is no position.
double distance_from_mean_rotation(const Frequencies& frequencies,
                                   std::span<const std::int64_t> positions);

}  // namespace rope
