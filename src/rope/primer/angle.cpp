#include "rope/primer/angle.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"
#include "rope/rotary/frequencies.hpp"

namespace rope::primer {
namespace {

__extension__ using Uint128 = unsigned __int128;
__extension__ using Int128 = __int128;

Uint128 bits(TurnFraction turn) { return (static_cast<Uint128>(turn.high) << 64) | turn.low; }

TurnFraction fraction(Uint128 bits) {
  return {static_cast<std::uint64_t>(bits >> 64), static_cast<std::uint64_t>(bits)};
}

/// Of radians as a real number; negative ones turn the other way.
TurnFraction exact_turn(const ExactReal& radians) {
  const ExactReal size = abs(radians);
  // Smaller ones are far below 2^-128 of a turn, and below what a frequency may be.
  if (size < ldexp(ExactReal(1), -900)) return {};
  const TurnFraction turn = round_frequencies(std::array{size}).turns.front();
  return radians < 0 ? -turn : turn;
}

void check_angle(double radians) {
  if (!(std::abs(radians) <= kLargestAngle))
    throw DomainError(Subject{"angle"},
                      "expected a size of at most 2^64 radians, got " + number_text(radians));
}

}  // namespace

TurnFraction turn_of(double radians) {
  check_angle(radians);
  return exact_turn(ExactReal(radians));
}

Angle from_radians(double radians) { return {radians, turn_of(radians)}; }

Angle from_degrees(double degrees) {
  check_angle(degrees);
  const ExactReal radians = ExactReal(degrees) / 360 * exact_two_pi();
  return {static_cast<double>(radians), exact_turn(radians)};
}

double principal(TurnFraction turn) {
  const auto steps = static_cast<Int128>(bits(turn));
  // Half a turn is the largest angle, not the smallest.
  const double turns = std::ldexp(static_cast<double>(steps), -128);
  return 2 * std::numbers::pi * (turns == -0.5 ? 0.5 : turns);
}

TurnFraction sum(TurnFraction a, TurnFraction b) { return fraction(bits(a) + bits(b)); }

TurnFraction difference(TurnFraction a, TurnFraction b) { return fraction(bits(a) - bits(b)); }

TurnFraction half(TurnFraction turn) {
  constexpr Uint128 kHalfTurn = static_cast<Uint128>(1) << 127;
  const Uint128 whole = bits(turn);
  if (whole <= kHalfTurn) return fraction(whole / 2);
  return -fraction((0 - whole) / 2);
}

Complex unit(TurnFraction turn) {
  // Opposite turns are mirror images to the last bit: only the upper half is computed.
  const bool below = turn.high >> 63 != 0 && turn != -turn;
  const CosSin point = cos_sin(below ? -turn : turn);
  return {point.cos, below ? -point.sin : point.sin};
}

Complex unit(double radians) { return unit(turn_of(radians)); }

double angle_between(double radians, double other) {
  return std::abs(principal(turn_of(radians - other)));
}

}  // namespace rope::primer
