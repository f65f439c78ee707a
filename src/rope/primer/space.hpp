#pragma once

#include <Eigen/Core>

#include "rope/primer/angle.hpp"
#include "rope/primer/roundoff.hpp"

namespace rope::primer {

// Rotations of space. Each has an axis. For different axes, angles do not add and the order
// generally matters: a quarter turn about x and one about y make a third of a turn. All norms are
// Frobenius norms.

/// How far a rotation computed entry by entry may be from the exact one if s, c = sin θ, cos θ are
/// within e = kCosSinError and each number of the axis is within γ_4: 31u + 4.2e. This adds up
/// 10u·(1 − c)‖nnᵀ‖ for products, e + 2u for 1 − c, √3e for the diagonal, √2(e + 5u) for the sines
/// and √3u for the sums.
inline constexpr double kSpaceRotationError = 36 * kUnitRoundoff;

/// R = cos θ·I + (1 − cos θ)nnᵀ + sin θ·[n]×: turns by θ about the axis n, counter-clockwise when n
/// points at the viewer (Rodrigues). Its trace is 1 + 2 cos θ, whatever the axis.
///
/// Shapes    axis: (3), of any length except 0.
/// Accuracy  within kSpaceRotationError of exact.
/// Throws    DomainError for an axis that is 0 or not finite.
/// Source    O. Rodrigues, J. Math. Pures Appl. 5 (1840).
Eigen::Matrix3d space_rotation(const Eigen::Vector3d& axis, TurnFraction turn);

/// The mirror image in the plane perpendicular to n: I − 2nnᵀ. One direction is reversed.
///
/// Accuracy  within kSpaceRotationError of exact.
/// Throws    what space_rotation throws.
Eigen::Matrix3d space_mirror(const Eigen::Vector3d& normal);

/// How far the trace of space_rotation may be from 1 + 2 cos θ computed with `unit`: 20u for
/// products, e + 5u for 1 − c and sums of entries, 6u for their sum, 3e for cosines, and 2e + 2u
/// for 1 + 2 cos θ.
inline constexpr double kTraceError = 40 * kUnitRoundoff;

/// The angle by which a rotation of space turns, from its trace and its skew part: the number (tr R
/// − 1) + i|v| with v = (R_32 − R_23, R_13 − R_31, R_21 − R_12) is 2e^{iθ}.
///
/// Units     radians in [0, π].
/// Accuracy  within rotation_angle_error(e) for a matrix within e of a rotation.
double rotation_angle(const Eigen::Matrix3d& rotation);
constexpr double rotation_angle_error(double matrix_error) {
  return 1.13 * matrix_error +
         14 * kUnitRoundoff;  // √5/2, plus a little for the arcsine of a number below 0.1
}

/// The axis, of length 1, about which a rotation turns counter-clockwise by rotation_angle.
///
/// Accuracy  within 7 times the matrix's error plus 40u, for angles above a quarter turn; for
///           smaller ones, within (3 times that error plus 10u)/sin θ.
/// Edge      NaN for I, which has no axis.
Eigen::Vector3d rotation_axis(const Eigen::Matrix3d& rotation);

/// How far the computed product of two matrices, within a and b of rotations, may be from the
/// product of the rotations; the sums in the product account for γ_3·3.
constexpr double rotation_product_error(double a, double b) {
  return a + b + a * b + 1.01 * gamma(9) * (1 + a) * (1 + b);
}

/// The angle and axis of two successive turns, computed with quaternions: the product of
/// quaternions composes turns as that of matrices does, but the two computations share no step.
///
/// Units     the angle in radians in [0, π].
struct Turn {
  double angle = 0;
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< of length 1, or 0 if nothing turns
};
Turn turn_after(const Eigen::Vector3d& second_axis, TurnFraction second,
                const Eigen::Vector3d& first_axis, TurnFraction first);

/// The largest error of the angle that turn_after returns, in radians.
inline constexpr double kQuaternionAngleError = 80 * kUnitRoundoff;

/// The determinant of a 3 × 3 matrix, expanded along its first row.
///
/// Accuracy  within γ_5·6 for a nearly orthogonal matrix.
double determinant(const Eigen::Matrix3d& matrix);

}  // namespace rope::primer
