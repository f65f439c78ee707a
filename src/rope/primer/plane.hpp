#pragma once

#include <Eigen/Core>

#include "rope/primer/angle.hpp"

namespace rope::primer {

// Matrices of the plane. All norms are Frobenius norms; E is kUnitError, the error of a column.

/// R(φ) = [cos φ, −sin φ; sin φ, cos φ]: turns column vectors by φ, counter-clockwise. As a matrix
/// it is multiplication by e^{iφ}, so rotations of the plane add: R(α)R(β) = R(α+β) = R(β)R(α).
///
/// Accuracy  within √2·E of exact.
Eigen::Matrix2d plane_rotation(TurnFraction turn);

/// S(φ) = [cos 2φ, sin 2φ; sin 2φ, −cos 2φ]: the mirror image in the line through the origin at the
/// angle φ. It makes counter-clockwise paths clockwise: det S = −1.
///
/// Accuracy  as plane_rotation.
Eigen::Matrix2d plane_mirror(TurnFraction line);

/// The largest computed ‖AB − C‖ for two such matrices and their exact product C: √2(3E + 3E² + E³)
/// for the entries and √2·γ_2(1 + E)² for the products and sums, and a rounding.
double plane_product_error();

/// The largest computed | |det| − 1 |.
double plane_determinant_error();

/// ad − bc.
double determinant(const Eigen::Matrix2d& matrix);

}  // namespace rope::primer
