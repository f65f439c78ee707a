#pragma once

// Angles as fractions of a turn, and their cos and sin: exact reduction at any position.

#include <cstdint>
#include <span>

#include "rope/rotary/cpu_level.hpp"

namespace rope {

/// An angle as a fraction of a turn, 0 ≤ f < 1, in steps of 2^-128: f = (high·2^64 + low)/2^128.
///
/// Whole turns do not matter to a rotation, so they are dropped by letting the integer overflow:
/// position·f mod 1 is one exact integer product, for every 64-bit position. This is why the
/// library's cos and sin stay correct even if m·θ_i, computed in floating point, has lost its
/// digits.
struct TurnFraction {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend bool operator==(const TurnFraction&, const TurnFraction&) = default;
};

/// position·fraction mod 1, exactly; the position may be negative.
constexpr TurnFraction operator*(std::int64_t position, TurnFraction fraction) {
  __extension__ using Uint128 = unsigned __int128;
  // Two's complement: −m and 2^128 − m are the same factor modulo 2^128.
  const auto factor = static_cast<Uint128>(position);
  const Uint128 product = factor * ((static_cast<Uint128>(fraction.high) << 64) | fraction.low);
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

/// The fraction of the opposite turn, −f mod 1, exactly.
constexpr TurnFraction operator-(TurnFraction fraction) { return -1 * fraction; }

/// cos and sin of one angle.
struct CosSin {
  double cos;
  double sin;

  friend bool operator==(const CosSin&, const CosSin&) = default;
};

/// Bound on the error of cos_sin in each component, for every fraction of a turn, against the exact
/// cosine and sine of that fraction. Derived in docs/accuracy.md#cos-and-sin, measured by
/// tests/laws/turns_laws_test.cpp.
inline constexpr double kCosSinError = 1.1e-16;

/// cos and sin of a fraction of a turn, computed with the library's own polynomials, without libm
/// or contraction, so that the bits are the same on every machine.
///
/// Units     fraction in turns.
/// Accuracy  each component within kCosSinError of exact.
/// Edge      0 gives exactly (1, 0); multiples of a quarter turn give exactly 0 and ±1.
CosSin cos_sin(TurnFraction fraction);

/// The same for many angles at once, each given by the upper 64 bits of its fraction (the rest is
/// below 2^-64 of a turn: 3.4e-19 rad).
///
/// Shapes    turns, cos, sin: (n), all of the same length.
/// Accuracy  bit for bit the result of the scalar form, at every CPU level.
/// Throws    ShapeError if the lengths differ.
void cos_sin(std::span<const std::uint64_t> turns, std::span<double> cos, std::span<double> sin,
             CpuLevel level = best_cpu_level());

}  // namespace rope
