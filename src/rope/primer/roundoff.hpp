#pragma once

namespace rope::primer {

/// u: one operation on doubles is off by at most this fraction of its result.
inline constexpr double kUnitRoundoff = 0x1p-53;

/// γ_n = nu/(1 − nu): the largest relative error of n successive roundings if nothing underflows.
///
/// Source    Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 3.1.
constexpr double gamma(double n) { return n * kUnitRoundoff / (1 - n * kUnitRoundoff); }

}  // namespace rope::primer
