#include "rope/primer/complex_number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "rope/primer/angle.hpp"

namespace rope::primer {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// π/2 and π as sums of two doubles.
constexpr double kHalfPiHead = 0x1.921fb54442d18p+0, kHalfPiTail = 0x1.1a62633145c07p-54;
constexpr double kPiHead = 0x1.921fb54442d18p+1, kPiTail = 0x1.1a62633145c07p-53;

// arctan(k/8), k = 0 … 8, to nearest.
constexpr std::array kArctanOfEighths = {0x0p+0,
                                         0x1.fd5ba9aac2f6ep-4,
                                         0x1.f5b75f92c80ddp-3,
                                         0x1.6f61941e4def1p-2,
                                         0x1.dac670561bb4fp-2,
                                         0x1.1e00babdefeb4p-1,
                                         0x1.4978fa3269ee1p-1,
                                         0x1.700a7c5784634p-1,
                                         0x1.921fb54442d18p-1};

/// arctan q for 0 ≤ q ≤ 1.
//
// With c the eighth nearest to q, arctan q = arctan c + arctan r, r = (q − c)/(1 + qc), and |r| is
// at most 1/16, where nine terms of the series leave 7e-25. Errors in units of u = 2^-53: q is a
// rounded quotient, which moves its arctan by q/(1 + q²) ≤ 1/2; q − c is exact, 1 + qc and the
// quotient are off by 5/2 parts of r, 0.16; the series and its last sum 0.07; arctan c is below 1
// and rounded, 1/2; the sum with it is below 1, 1/2. Together 1.8 u.
double arctan_to_one(double q) {
  const auto k = static_cast<std::size_t>(std::floor(8 * q + 0.5));
  const double c = static_cast<double>(k) / 8;
  const double r = (q - c) / (1 + q * c);
  const double s = r * r;
  double tail = 1.0 / 17;
  for (int n = 15; n >= 3; n -= 2) tail = 1.0 / n - s * tail;
  return kArctanOfEighths[k] + (r - r * (s * tail));
}

/// The angle of (x, y) with x, y ≥ 0, not both 0, seen from the real axis; `left`: of (−x, y).
//
// One sum more: the tail of a constant is added to a (½ u), then its head, where half a unit in
// the last place of what is below 4 is 2 u. With the 1.8 u of arctan_to_one below 4.3 u = 4.8e-16.
double upper_angle(double x, double y, bool left) {
  if (y > x) {
    const double a = arctan_to_one(x / y);
    return left ? kHalfPiHead + (a + kHalfPiTail) : kHalfPiHead - (a - kHalfPiTail);
  }
  const double a = arctan_to_one(y / x);
  return left ? kPiHead - (a - kPiTail) : a;
}

}  // namespace

double modulus(Complex z) {
  const double a = std::abs(z.re), b = std::abs(z.im);
  if (std::isnan(a) || std::isnan(b)) return kNotANumber;
  const double size = std::max(a, b);
  if (size == 0 || std::isinf(size)) return size;
  const int exponent = std::ilogb(size);
  const double x = std::ldexp(a, -exponent), y = std::ldexp(b, -exponent);
  return std::ldexp(std::sqrt(x * x + y * y), exponent);
}

double argument(Complex z) {
  const double x = std::abs(z.re), y = std::abs(z.im);
  if (!std::isfinite(x) || !std::isfinite(y) || (x == 0 && y == 0)) return kNotANumber;
  const double angle = upper_angle(x, y, z.re < 0);
  return z.im < 0 ? -angle : angle;
}

double slope_angle(Complex z) {
  const double x = std::abs(z.re), y = std::abs(z.im);
  if (!std::isfinite(x) || !std::isfinite(y) || (x == 0 && y == 0)) return kNotANumber;
  const double angle = upper_angle(x, y, false);
  return std::signbit(z.re) != std::signbit(z.im) ? -angle : angle;
}

Polar polar(Complex z) { return {modulus(z), argument(z)}; }

Complex from_polar(Polar polar) { return scaled(polar.modulus, unit(polar.argument)); }

}  // namespace rope::primer
