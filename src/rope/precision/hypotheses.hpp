#pragma once

// The errors that certify() allows the cos, sin and pow of an implementation.

namespace rope {

/// The assumptions about the arithmetic, checked at run time where possible.
struct Hypotheses {
  double libm_ulp = 1.0;  ///< λ: |cos, sin computed − exact| in ulp, for every argument
  double pow_ulp = 1.0;   ///< λ_p: the same for pow
  /// How many roundings of the angle's format a scaling rule's own steps may cost a frequency, in
  /// addition to the last one: other code reaches the same θ_i through divisions, logarithms and
  /// blends.
  double rule_roundings = 0;
};

}  // namespace rope
