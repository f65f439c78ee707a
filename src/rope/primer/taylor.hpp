#pragma once

#include <cstddef>
#include <vector>

#include "rope/primer/complex_number.hpp"

// e^{iθ} = Σ (iθ)ⁿ/n!, summed as it stands: each term is a quarter turn from the one before, so the
// partial sums turn right-angle corners and close in on the unit circle. Terms grow until n = |θ|
// and cancel afterwards, which costs digits: the sum for a large angle is worthless, and programs
// remove whole turns first.

namespace rope::primer {

/// Angles up to here: the largest term, near e^{|θ|}, stays within double.
inline constexpr double kLargestSeriesAngle = 700;

/// The largest degree that is summed; an angle of 700 needs 1934.
inline constexpr std::size_t kMostTerms = 4096;

/// The partial sums of degree 0 … `degree`, each term being the one before times θ, then divided by
/// n.
///
/// Shapes    returns degree + 1 numbers.
/// Accuracy  sum n is within taylor_remainder(θ, n) + taylor_rounding(θ, n) of e^{iθ}.
/// Throws    DomainError unless |θ| ≤ kLargestSeriesAngle and degree ≤ kMostTerms.
std::vector<Complex> taylor_sums(double angle, std::size_t degree);

/// Bound on the sum of the terms above `degree`: |θ|^{n+1}/(n+1)!.
//
// By Taylor's theorem with the integral remainder: every derivative of e^{iθ} has length 1.
double taylor_remainder(double angle, std::size_t degree);

/// The most that rounding can change the sum of that degree: Σ γ_{2n + (N−n)/2 + 1}|θ|ⁿ/n!. Two
/// roundings make a term from the last; each is added to its component, and so are half of those
/// after it.
double taylor_rounding(double angle, std::size_t degree);

/// The largest |θ|ⁿ/n!.
double largest_term(double angle);

/// The smallest degree whose remainder is at most `error`, which is 1e-290 or more: below, terms
/// underflow.
std::size_t degree_needed(double angle, double error);

}  // namespace rope::primer
