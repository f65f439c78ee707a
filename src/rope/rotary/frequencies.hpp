#pragma once

// Frequencies θ_i, in radians per token, and the wavelengths λ_i = 2π/θ_i, in tokens.
//
//     const rope::Frequencies theta = rope::geometric_frequencies(10000, 128);
//     const auto unfinished = rope::incomplete_pairs(theta, 4096);   // no turn within 4096 tokens

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rope/rotary/turns.hpp"

namespace rope {

/// The frequencies of a rotary embedding, one per pair, pair 0 first.
///
/// Each θ_i is known more precisely than a double: every rotation is computed from `turns`, which
/// is θ_i/2π mod 1 to 128 bits. `theta` and `wavelength` are rounded, for people and for files.
struct Frequencies {
  std::vector<double> theta;       ///< θ_i, radians per token, correctly rounded
  std::vector<double> wavelength;  ///< λ_i = 2π/θ_i, tokens, correctly rounded; +inf if θ_i = 0
  std::vector<TurnFraction> turns;  ///< θ_i/2π mod 1, turns per token, within 2^-128

  std::size_t pairs() const { return theta.size(); }
};

/// The largest accepted rotated size: far above that of any published head, and far below any size
/// that causes trouble.
inline constexpr std::size_t kMaxRotaryDim = 65536;

/// θ_i = base^(−2i/r), i = 0 … r/2−1, r = rotary_dim.
///
/// Units     radians per token.
/// Edge      base 1 gives θ_i = 1 for every pair; base < 1 gives frequencies that grow with i.
/// Throws    DomainError unless base is finite and > 0 and every θ_i lies in [2^-1000, 2^64];
///           ShapeError unless rotary_dim is even and 2 … kMaxRotaryDim.
/// Source    Su et al., RoFormer, arXiv:2104.09864, §3.2.2.
Frequencies geometric_frequencies(double base, std::size_t rotary_dim);

/// The given θ_i, taken as exact.
///
/// Edge      0 is allowed and means a pair that never turns.
/// Throws    DomainError unless each is 0 or lies in [2^-1000, 2^64]; ShapeError if there are none
///           or more than kMaxRotaryDim/2.
Frequencies given_frequencies(std::span<const double> theta);

/// θ_i = (i/n)^power for i = 0 … n−1, n = rotary_dim/2: power 1 gives the linear family, power 2
/// the quadratic one. Scores with these frequencies decay at first and then revive: the θ_i are
/// whole multiples of θ_1, so at Δ = 2π·n^power all pairs are back where they started. This never
/// happens in the geometric family.
///
/// Throws    ShapeError as geometric_frequencies does; DomainError unless power is 1 or 2.
Frequencies power_frequencies(int power, std::size_t rotary_dim);

/// The turns that each pair makes over `context` tokens, context/λ_i.
std::vector<double> turns_within(const Frequencies& frequencies, std::int64_t context);

/// The pairs that never complete a turn within `context` tokens, ascending.
std::vector<std::size_t> incomplete_pairs(const Frequencies& frequencies, std::int64_t context);

/// The angle of each pair at a position, with whole turns dropped.
///
/// Units     radians in [0, 2π].
/// Accuracy  within 1.7e-15 of exact: the fraction, 2π and their product are each rounded.
std::vector<double> reduced_angles(const Frequencies& frequencies, std::int64_t position);

}  // namespace rope
