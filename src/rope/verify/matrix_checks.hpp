#pragma once

#include "rope/rotary/measured.hpp"
#include "rope/rotary/rotation_matrix.hpp"

namespace rope {

// The properties that R_m must have, checked on the block a + ib = cos φ + i sin φ of each pair. A
// block is the matrix of multiplication by the number ŵ = a + ib, so its 2-norm is |ŵ|, and the
// 2-norm of a block diagonal matrix is the largest 2-norm of a block. Dimensions that pass through
// deviate by 0.
//
// a and b are within e = kCosSinError of a cosine and a sine, respectively, so ŵ is within E = √2·e
// of a number of modulus 1, and | |ŵ|² − 1 | ≤ D = 2E + E². All bounds are derived from E and D;
// none is tuned. Products are split into two doubles without error, and sums cancel before they are
// rounded, so the error of the measurement itself is below 1e-15 times the measured value plus
// 1e-30; the bound includes both.
//
// With an attention factor A, the rows contain A cos and A sin, each rounded once, and R/A is
// checked. Then ŵ = (a + ib)/A is within E = √2·e + u(1 + √2·e) of a number of modulus 1, where u =
// 2^-53, plus 2^-1074/A for underflow.

/// Measures ‖RᵀR − I‖ = max | |ŵ|² − 1 | ≤ D.
Measured check_orthogonality(const RotationRow& row, double attention_factor = 1);

/// Measures |det R − 1| ≤ (1 + D)^(r/2) − 1, where det R = Π |ŵ|².
Measured check_determinant(const RotationRow& row, double attention_factor = 1);

/// ‖R⁻¹ − Rᵀ‖ = max |conj(ŵ)/|ŵ|² − conj(ŵ)| = max | |ŵ|² − 1 |/|ŵ| ≤ D/(1 − E).
Measured check_inverse(const RotationRow& row, double attention_factor = 1);

/// ‖R_mᵀR_n − R_{n−m}‖ = max |conj(ŵ_m)·ŵ_n − ŵ_{n−m}| ≤ D + E.
///
/// Throws    ShapeError if the rows differ in length.
Measured check_composition(const RotationRow& m, const RotationRow& n,
                           const RotationRow& difference, double attention_factor = 1);

}  // namespace rope
