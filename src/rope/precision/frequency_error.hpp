#pragma once

#include <cstddef>

#include "rope/precision/pipeline.hpp"

namespace rope {

/// What is assumed of the arithmetic, and checked at run time where it can be.
struct Hypotheses {
  double libm_ulp = 1.0;  ///< λ: |cos, sin computed − exact| in ulp, for every argument
  double pow_ulp = 1.0;   ///< λ_p: the same of pow
  /// How many roundings of the angle's format a scaling rule's own steps may cost a frequency,
  /// beside the last one: other code comes to the same θ_k by divisions, logarithms and blends.
  double rule_roundings = 0;
};

/// τ_k θ_k: the |θ̂_k − θ_k| that a faithful pipeline of this policy may have. Granted is the
/// rounding of pow, of its exponent and base, in the format in which the angle is formed: wider
/// angles cannot mend frequencies that were rounded before. Zero for `exact`. Derived in
/// docs/accuracy.md.
double granted_frequency_error(const Pipeline& pipeline, std::size_t pair,
                               const Hypotheses& hypotheses);

/// At least |θ̂_k − θ_k| of this very pipeline, whether granted or not; θ_k is known as the double
/// nearest to it.
double actual_frequency_error(const Pipeline& pipeline, std::size_t pair);

}  // namespace rope
