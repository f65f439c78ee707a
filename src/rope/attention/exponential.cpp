#include "rope/attention/exponential.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace rope {
namespace {

// x = n·ln 2 + r, |r| ≤ ln 2/2. The head of ln 2 has 32 bits, so its product with n is exact.
constexpr double kLog2e = 0x1.71547652b82fep+0;
constexpr double kLn2Head = 0x1.62e42fefp-1;
constexpr double kLn2Tail = 0x1.473de6af278edp-34;

// 1/2!, 1/3! … 1/13!: what follows is below 4e-18 of the result.
constexpr std::array kTaylor = {1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,
                                1.0 / 720,     1.0 / 5040,     1.0 / 40320,     1.0 / 362880,
                                1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};

}  // namespace

double exponential(double x) {
  if (std::isnan(x)) return x;
  if (x > 709.79) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  const double n = std::nearbyint(x * kLog2e);
  const double high = x - n * kLn2Head;
  const double low = n * kLn2Tail;
  const double r = high - low;
  const double r_error = (high - r) - low;
  double sum = kTaylor.back();
  for (std::size_t i = kTaylor.size() - 1; i-- > 0;) sum = kTaylor[i] + r * sum;
  const double fraction = 1 + (r + (r * r * sum + r_error));
  return std::ldexp(fraction, static_cast<int>(n));
}

double logarithm(double x) {
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (!(x > 0) || std::isinf(x)) return x > 0 ? x : std::numeric_limits<double>::quiet_NaN();
  // x = 2^n·m, √½ ≤ m < √2, and ln m = 2 artanh z = 2(z + z³/3 + z⁵/5 + …), |z| < 0.172.
  int n = 0;
  double m = std::frexp(x, &n);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    --n;
  }
  const double z = (m - 1) / (m + 1);
  double sum = 0;
  for (int power = 23; power >= 3; power -= 2) sum = 1.0 / power + z * z * sum;
  return n * kLn2Head + (2 * z + (2 * z * (z * z * sum) + n * kLn2Tail));
}

}  // namespace rope
