#pragma once

#include <cstddef>

#include "rope/precision/hypotheses.hpp"
#include "rope/precision/pipeline.hpp"

namespace rope {

/// τ_i θ_i: the |θ̂_i − θ_i| that a faithful pipeline of this policy may have. This allows for the
/// rounding of pow, its exponent and its base in the format in which the angle is formed, because
/// wider angles cannot repair frequencies that were rounded earlier. Zero for `exact`. Derived in
/// docs/accuracy.md.
double granted_frequency_error(const Pipeline& pipeline, std::size_t pair,
                               const Hypotheses& hypotheses);

/// An upper bound on |θ̂_i − θ_i| for this particular pipeline, whether granted or not; θ_i is
/// known as the double nearest to it.
double actual_frequency_error(const Pipeline& pipeline, std::size_t pair);

}  // namespace rope
