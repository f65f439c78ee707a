#pragma once

#include <cstddef>

#include "rope/precision/hypotheses.hpp"
#include "rope/precision/pipeline.hpp"

namespace rope {

/// τ_i θ_i: the largest |θ̂_i − θ_i| that a faithful pipeline of this policy may have. This allows
/// for the rounding of pow, its exponent and its base in the angle's format, even if the frequency
/// format is narrower: a wider angle format cannot make up for rounded frequencies. Zero for
/// `exact`. Derived in docs/accuracy.md.
double granted_frequency_error(const Pipeline& pipeline, std::size_t pair,
                               const Hypotheses& hypotheses);

/// An upper bound on |θ̂_i − θ_i| for this particular pipeline, whether or not
/// granted_frequency_error allows it; θ_i itself is known only to the nearest double, which the
/// bound takes into account.
double actual_frequency_error(const Pipeline& pipeline, std::size_t pair);

}  // namespace rope
