#pragma once

#include "rope/primer/roundoff.hpp"

namespace rope::primer {

/// The complex number a + bi, and the arrow from the origin to the point (a, b).
///
/// The functions below use only + − × ÷ √, in a fixed order, so they give the same bits on every
/// machine; std::complex leaves length and angle to the system's libm. NaN and infinity propagate.
struct Complex {
  double re = 0;  ///< a, along the real axis
  double im = 0;  ///< b, along the imaginary axis

  friend bool operator==(const Complex&, const Complex&) = default;
  friend Complex operator+(Complex z, Complex w) { return {z.re + w.re, z.im + w.im}; }
  friend Complex operator-(Complex z, Complex w) { return {z.re - w.re, z.im - w.im}; }
  friend Complex operator-(Complex z) { return {-z.re, -z.im}; }
};

/// Bound on the relative error of `modulus`, which comes from two squares, their sum and the root.
inline constexpr double kModulusError = gamma(2);

/// r = |a + bi| = √(a² + b²), the length of the arrow.
///
/// Accuracy  within kModulusError·r + 2^-1074 of exact.
/// Edge      z is scaled by a power of two first, so no square overflows or vanishes.
double modulus(Complex z);

/// Largest error of `argument` and `arctan`, in radians: derived in their source, measured by
/// tests/laws/primer_arrows_laws_test.cpp.
inline constexpr double kArgumentError = 4.8e-16;

/// The angle from the positive real axis to the arrow, counter-clockwise; it is often called
/// atan2(b, a). It uses the signs of both numbers, and therefore distinguishes an arrow from its
/// opposite.
///
/// Units     radians in (−π, π]; π on the negative real axis, whatever the sign of a zero.
/// Accuracy  within kArgumentError of exact.
/// Edge      NaN for 0, which points nowhere, and if a or b is NaN or infinite.
double argument(Complex z);

/// arctan(b/a), which many texts call the argument. A quotient loses the signs: z and −z have the
/// same quotient, so the angle is off by π for every arrow that points left (a < 0).
///
/// Units     radians in [−π/2, π/2].
/// Accuracy  within kArgumentError of arctan(b/a).
/// Edge      ±π/2 if a is 0; NaN for z = 0.
double slope_angle(Complex z);

/// z* = a − bi: the mirror image of the arrow in the real axis.
constexpr Complex conjugate(Complex z) { return {z.re, -z.im}; }

/// i·z = −b + ai, exactly: a quarter turn counter-clockwise.
constexpr Complex times_i(Complex z) { return {-z.im, z.re}; }

/// Bound on the error of `product`, as a fraction of |z||w|: each component is off by γ_2(|ac| +
/// |bd|), and both together by at most √2·γ_2.
inline constexpr double kProductError = 0x1.6a09e667f3bcdp+0 * gamma(2);

/// (a + bi)(c + di) = (ac − bd) + (bc + ad)i: lengths multiply, angles add.
///
/// Accuracy  within kProductError·|z||w| of exact, if no product underflows.
constexpr Complex product(Complex z, Complex w) {
  return {z.re * w.re - z.im * w.im, z.im * w.re + z.re * w.im};
}

/// s·z: the arrow s times as long.
constexpr Complex scaled(double s, Complex z) { return {s * z.re, s * z.im}; }

/// A complex number given by the length and the angle of its arrow.
struct Polar {
  double modulus = 0;
  double argument = 0;  ///< radians
};

/// Accuracy  that of modulus and argument.
Polar polar(Complex z);

/// r(cos φ + i sin φ).
///
/// Accuracy  within |r|·1.7e-16 of exact: √2·kCosSinError and a rounding.
/// Throws    DomainError as turn_of does.
Complex from_polar(Polar polar);

}  // namespace rope::primer
