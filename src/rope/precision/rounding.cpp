#include "rope/precision/rounding.hpp"

#include <bit>
#include <cmath>

#include "rope/precision/largest.hpp"

namespace rope {

std::int64_t distinct_integers(Format format, std::int64_t n) {
  const FormatLimits& f = limits(format);
  const std::int64_t exact = std::int64_t{1} << f.precision;  // 0 … 2^p are all there
  if (static_cast<double>(n) > f.largest) n = static_cast<std::int64_t>(f.largest);
  if (n <= exact) return n + 1;
  std::int64_t count = exact + 1;
  // [2^e, 2^(e+1)) holds 2^(p−1) numbers, 2^(e−p+1) apart; the last one reached is fl(n).
  std::int64_t low = exact, gap = 2;
  while (low <= n / 2) {
    count += exact / 2;
    low *= 2;
    gap *= 2;
  }
  const auto last = static_cast<std::int64_t>(round_to(format, static_cast<double>(n)));
  return count + (last - low) / gap;
}

int significant_bits(double value) {
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);
  const auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  return 53 - std::countr_zero(digits);
}

Significand significand_of(double value) {
  if (value == 0 || !std::isfinite(value)) return {std::abs(value), 0, 0};
  int exponent = 0;
  std::frexp(value, &exponent);  // |value| in [2^(exponent − 1), 2^exponent)
  const int bits = significant_bits(value);
  return {std::abs(value), bits, std::ldexp(1.0, exponent - bits)};
}

double half_ulp(const FormatLimits& format, double x) {
  return larger(power_of_two_below(x) * format.unit_roundoff, format.underflow / 2);
}

double product_rounding(const FormatLimits& format, const Significand& a, const Significand& b) {
  if (a.magnitude == 0 || b.magnitude == 0) return 0;
  const double product = a.magnitude * b.magnitude;
  if (!(product <= format.largest)) return HUGE_VAL;
  if (a.bits + b.bits <= format.precision && a.lowest * b.lowest >= format.underflow) return 0;
  // The product may have rounded up to a power of two here, which only enlarges the bound.
  return half_ulp(format, product);
}

}  // namespace rope
