#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>

namespace rope::primer {

// Orthogonal matrices: QᵀQ = I. They preserve lengths and angles, the product of two is orthogonal,
// and their determinant is 1 (a rotation) or −1 (orientation is reversed).

/// The largest accepted number of dimensions.
inline constexpr Eigen::Index kLargestOrthogonal = 16;

/// How many numbers describe a rotation in `size` dimensions: one angle for each plane that two of
/// the axes span, size·(size − 1)/2. Near I, a rotation is I + A to first order, where A = −Aᵀ; the
/// entries of A above the diagonal are these numbers. In the plane there is one such number.
std::size_t rotation_parameters(std::size_t size);

/// A random orthogonal matrix, where all such matrices are about equally likely: the Q from the QR
/// decomposition of a matrix of near-normal numbers, its columns multiplied by the signs of R's
/// diagonal. Both determinants, 1 and −1, occur.
///
/// Shapes    returns (size, size).
/// Accuracy  within orthogonal_error(size) of an orthogonal matrix.
/// Throws    ShapeError unless the size is 1 … kLargestOrthogonal.
/// Source    F. Mezzadri, How to generate random matrices from the classical compact groups,
///           arXiv:math-ph/0609050, for the signs.
Eigen::MatrixXd random_orthogonal(Eigen::Index size, std::uint64_t seed, std::uint64_t number);

/// How far, in the Frobenius norm, a computed Householder Q with n columns may be from an
/// orthogonal matrix: n((4n + 28) + (2n + 5)√n)u.
//
// Each of its n − 1 reflections I − τvvᵀ, where τ|v|² = 2, is computed with n/2 + 4 roundings per
// number of v and n + 6 for τ. It is within 2(2n + 14)u of the exact reflection, which is
// orthogonal whatever came before. Applying it to B, whose norm is √n, costs n + 2 roundings of
// |τ||v||vᵀ||B| and one of the result: (2n + 5)√n·u.
double orthogonal_error(Eigen::Index size);

/// The largest ‖AᵀA − I‖ that may be computed if A is within `error` of an orthogonal matrix.
double gram_error(Eigen::Index size, double error);

/// How far the computed product of two matrices, within `a` and `b` of orthogonal ones, may be from
/// an orthogonal matrix.
double orthogonal_product_error(Eigen::Index size, double a, double b);

/// ‖AᵀA − I‖.
double gram_defect(const Eigen::MatrixXd& matrix);

/// A determinant, and a bound on its error.
struct Determinant {
  double value = 0;
  double error = 0;
};

/// det A by LU decomposition with row exchanges, for A within `error` of an orthogonal matrix. The
/// error is the difference from ±1, the determinant of the orthogonal matrix nearest to A. It
/// includes the error of LU by Higham's theorem 9.3, |LU − A| ≤ γ_n|L||U|.
///
/// Source    Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.
Determinant orthogonal_determinant(const Eigen::MatrixXd& matrix, double error);

}  // namespace rope::primer
