#pragma once

#include <Eigen/Core>

#include "rope/primer/angle.hpp"

namespace rope::primer {

// Rotations and mirrors of the plane. All norms are Frobenius norms; E is kUnitError, the error of
// a column.

/// R(φ) = [cos φ, −sin φ; sin φ, cos φ]: turns column vectors by φ, counter-clockwise. As a matrix,
/// it represents multiplication by e^{iφ}, so the angles of rotations in the plane add: R(α)R(β) =
/// R(α+β) = R(β)R(α).
///
/// Accuracy  within √2·E of exact.
Eigen::Matrix2d plane_rotation(TurnFraction turn);

/// S(φ) = [cos 2φ, sin 2φ; sin 2φ, −cos 2φ]: the mirror image in the line through the origin at the
/// angle φ. It turns counter-clockwise paths into clockwise ones: det S = −1.
///
/// Accuracy  that of plane_rotation.
Eigen::Matrix2d plane_mirror(TurnFraction line);

/// The largest ‖AB − C‖ that may be computed if A and B are two such matrices and C is the one that
/// represents their exact product: √2(3E + E²) for the entries and 2(γ_2(1 + E)² + γ_1(1 + E)) for
/// the products, the sums and the differences.
double plane_product_error();

/// The largest | |det| − 1 | that may be computed for such a matrix.
double plane_determinant_error();

/// ad − bc.
double determinant(const Eigen::Matrix2d& matrix);

}  // namespace rope::primer
