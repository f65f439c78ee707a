#pragma once

// The errors that certify() allows the cos, sin and pow of an implementation.

namespace rope {

/// The assumptions about the arithmetic, checked at run time where possible.
struct Hypotheses {
  double libm_ulp = 1.0;  ///< λ: |cos, sin computed − exact| in ulp, for every argument
  double pow_ulp = 1.0;   ///< λ_p: the same error for pow
  /// How many roundings in the angle's format, besides the last rounding, a scaling rule's own
  /// steps may add to a frequency's error: other code reaches the same θ_i through divisions,
  /// logarithms and blends.
  double rule_roundings = 0;
};

}  // namespace rope
