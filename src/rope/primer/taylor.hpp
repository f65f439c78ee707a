#pragma once

#include <cstddef>
#include <vector>

#include "rope/primer/complex_number.hpp"

// e^{iθ} = Σ (iθ)ⁿ/n!, summed directly: each term is at a right angle to the one before, so the
// path of partial sums has right-angled corners and closes in on the unit circle. Terms grow until
// n = |θ| and cancel afterwards, which costs digits: the sum for a large angle is worthless, so
// programs remove whole turns first.

namespace rope::primer {

/// The largest accepted angle: up to it, the largest term, near e^{|θ|}, stays within the range of
/// double.
inline constexpr double kLargestSeriesAngle = 700;

/// The largest degree that is summed; an angle of 700 needs 1934.
inline constexpr std::size_t kMostTerms = 4096;

/// The partial sums of degree 0 … `degree`, where each term is the previous one times θ, then
/// divided by n.
///
/// Shapes    returns degree + 1 numbers.
/// Accuracy  sum n is within taylor_remainder(θ, n) + taylor_rounding(θ, n) of e^{iθ}.
/// Throws    DomainError unless |θ| ≤ kLargestSeriesAngle and degree ≤ kMostTerms.
std::vector<Complex> taylor_sums(double angle, std::size_t degree);

/// Bound on the sum of the terms above `degree`: |θ|^{n+1}/(n+1)!.
//
// By Taylor's theorem with the integral remainder, since every derivative of e^{iθ} has length 1.
double taylor_remainder(double angle, std::size_t degree);

/// The most that rounding can change the sum up to that degree: Σ γ_{2n + (N−n)/2 + 1}|θ|ⁿ/n!. Each
/// term is computed from the one before with two roundings and added to its component, to which
/// half of the later terms are then added.
double taylor_rounding(double angle, std::size_t degree);

/// The largest value of |θ|ⁿ/n! over all n.
double largest_term(double angle);

/// The smallest degree whose remainder is at most `error`, which must be 1e-290 or more, since
/// terms underflow below that.
std::size_t degree_needed(double angle, double error);

}  // namespace rope::primer
