#pragma once

#include "rope/primer/complex_number.hpp"
#include "rope/rotary/turns.hpp"

namespace rope::primer {

/// An angle in two forms, in radians for series and as a fraction of a turn for rotations: a
/// quarter turn is exactly 0.25, while π/2 is not a double.
struct Angle {
  double radians = 0;
  TurnFraction turn;  ///< whole turns dropped
};

/// The largest accepted size of an angle, in radians: 2^64.
inline constexpr double kLargestAngle = 0x1p64;

/// An angle as a fraction of a turn.
///
/// Accuracy  within 2^-128 of a turn.
/// Throws    DomainError unless the angle is finite and at most kLargestAngle in size.
TurnFraction turn_of(double radians);

/// An angle given in radians, taken as exact, or in degrees, where 90 is exactly a quarter turn.
///
/// Throws    DomainError under the same conditions as turn_of.
Angle from_radians(double radians);
Angle from_degrees(double degrees);

/// The angle in radians without its whole turns, in (−π, π].
///
/// Accuracy  a relative error within 3u: the fraction, 2π and their product are rounded.
double principal(TurnFraction turn);

/// A turn by `a` and then by `b`, and a turn by `a` and then back by `b`: both exact, with whole
/// turns dropped.
TurnFraction sum(TurnFraction a, TurnFraction b);
TurnFraction difference(TurnFraction a, TurnFraction b);

/// Half of the angle, once the angle has been reduced to (−1/2, 1/2] of a turn; accurate to within
/// 2^-128.
TurnFraction half(TurnFraction turn);

/// How far the result of unit() may be from the exact point on the circle, as a distance in the
/// plane.
inline constexpr double kUnitError = 0x1.6a09e667f3bcdp+0 * kCosSinError;

/// e^{iφ} = cos φ + i sin φ, the arrow of length 1 at that angle.
///
/// Accuracy  within kUnitError of exact, whatever the size of the angle.
Complex unit(TurnFraction turn);
Complex unit(double radians);

/// The size of the smallest turn from one angle to the other, in [0, π].
///
/// Accuracy  that of the difference computed in double.
double angle_between(double radians, double other);

}  // namespace rope::primer
