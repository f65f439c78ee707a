#pragma once

#include <cstddef>
#include <vector>

#include "rope/primer/complex_number.hpp"

// Why e^{iθ} turns: growing at the rate i means moving at a right angle to the current arrow, which
// changes its direction but not its length. In n steps, this gives (1 + iθ/n)ⁿ.

namespace rope::primer {

/// The largest accepted number of steps.
inline constexpr std::size_t kMostSteps = std::size_t{1} << 20;

/// 1, 1 + iθ/n, (1 + iθ/n)², … (1 + iθ/n)ⁿ: each step is at a right angle to the arrow of the
/// current point, and θ/n times as long as that arrow.
///
/// Shapes    returns steps + 1 points.
/// Accuracy  the last is within compound_error of e^{iθ}.
/// Throws    DomainError unless |θ| ≤ kLargestSeriesAngle and there are 1 … kMostSteps steps.
std::vector<Complex> compound_path(double angle, std::size_t steps);

/// Bound on the distance between (1 + iθ/n)ⁿ and e^{iθ}: θ²/(2n)·g^{n−1} with g = |1 + iθ/n|, plus
/// γ_{4n}·gⁿ for rounding.
//
// aⁿ − bⁿ = (a − b)Σ a^j b^{n−1−j} for a = e^{iθ/n}, of length 1, and b = 1 + iθ/n, of length g,
// has n terms of at most |a − b|·g^{n−1}; by the remainder of the series, |a − b| ≤ (θ/n)²/2. A
// step rounds θ/n once, and its product is off by √2·γ_2: fewer than four roundings.
double compound_error(double angle, std::size_t steps);

/// e^{iπ̂} + 1, where π̂ is an approximation of π.
struct HalfTurn {
  double gap = 0;       ///< π − π̂: the angle missing from a half turn
  double distance = 0;  ///< |e^{iπ̂} + 1| = 2 sin(|π − π̂|/2)
};

/// Accuracy  both have a relative error within γ_40: the gap is computed in 256 bits, and its chord
///           by a short series.
/// Throws    DomainError unless π̂ is within 1 of π.
HalfTurn half_turn(double pi);

/// π rounded to the nearest number with this many bits: 53 make a double, 24 a float, 11 a float16,
/// 8 a bfloat16.
///
/// Throws    DomainError unless `bits` is 2 … 53.
double pi_in_bits(int bits);

}  // namespace rope::primer
