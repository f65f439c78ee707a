#pragma once

#include "rope/primer/complex_number.hpp"
#include "rope/rotary/turns.hpp"

namespace rope::primer {

/// An angle in radians, for series, and as a fraction of a turn, for rotations: a quarter turn is
/// exactly 0.25, while π/2 is not a double.
struct Angle {
  double radians = 0;
  TurnFraction turn;  ///< whole turns left out
};

/// The largest angle that is accepted, in radians: 2^64.
inline constexpr double kLargestAngle = 0x1p64;

/// The fraction of a turn that an angle is.
///
/// Accuracy  within 2^-128 of a turn.
/// Throws    DomainError unless the angle is finite and at most kLargestAngle in size.
TurnFraction turn_of(double radians);

/// An angle given in radians, taken as exact; in degrees: 90 is a quarter turn exactly.
///
/// Throws    DomainError as turn_of.
Angle from_radians(double radians);
Angle from_degrees(double degrees);

/// The same angle without its whole turns, in (−π, π].
///
/// Accuracy  relative 3u: the fraction, 2π and their product are rounded.
double principal(TurnFraction turn);

/// One turn after another, and one before another is undone: exactly, whole turns left out.
TurnFraction sum(TurnFraction a, TurnFraction b);
TurnFraction difference(TurnFraction a, TurnFraction b);

/// Half of the angle that lies in (−1/2, 1/2] of a turn, within 2^-128.
TurnFraction half(TurnFraction turn);

/// How far `unit` may be from the circle's point, as a distance in the plane.
inline constexpr double kUnitError = 0x1.6a09e667f3bcdp+0 * kCosSinError;

/// e^{iφ} = cos φ + i sin φ, the arrow of length 1 at that angle.
///
/// Accuracy  within kUnitError of exact, whatever the size of the angle.
Complex unit(TurnFraction turn);
Complex unit(double radians);

/// The size of the smallest turn from one angle to the other, in [0, π].
///
/// Accuracy  that of the difference in double.
double angle_between(double radians, double other);

}  // namespace rope::primer
