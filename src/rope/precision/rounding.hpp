#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "rope/precision/format.hpp"

namespace rope {

/// Whether every number of `narrow` is one of `wide`, so that casting to `wide` changes nothing. A
/// format with more bits need not contain one with fewer: float16 cannot represent most of
/// bfloat16's numbers, because its exponent range is much smaller.
constexpr bool holds(Format wide, Format narrow) {
  const FormatLimits &w = limits(wide), &n = limits(narrow);
  return w.precision >= n.precision && w.underflow <= n.underflow && w.largest >= n.largest;
}

/// How far rounding may move a number: by relative·|x| + absolute, whether x is the number before
/// rounding or after.
struct RoundingError {
  double relative = 0, absolute = 0;
};

/// (1 + a)(1 + b) − 1: two relative errors in succession, correct even if a is far below the gap
/// between 1 and the next double.
constexpr double compounded(double a, double b) { return a + b + a * b; }

/// How far casting from one format to another may move a number, short of overflow.
constexpr RoundingError cast_error(Format from, Format to) {
  const FormatLimits &f = limits(from), &t = limits(to);
  return {t.precision < f.precision ? t.unit_roundoff : 0,
          t.underflow > f.underflow ? t.underflow / 2 : 0};
}

/// Rounds to a format narrower than float32 (see round_to).
inline double round_to_narrow(const FormatLimits& format, double value) {
  if (std::isnan(value)) return value;
  const double magnitude = std::abs(value);
  if (magnitude < format.smallest_normal) {
    // Numbers near 2^52·η are whole multiples of η: adding and then subtracting such a number
    // rounds.
    const double shift = 0x1p52 * format.underflow;
    return std::copysign((magnitude + shift) - shift, value);
  }
  // Adds half a unit of the last bit kept, minus 1 in the lowest bit unless the bit kept is odd:
  // ties to even.
  const int cut = 53 - format.precision;
  auto bits = std::bit_cast<std::uint64_t>(magnitude);
  bits += (std::uint64_t{1} << (cut - 1)) - 1 + (bits >> cut & 1U);
  bits &= ~((std::uint64_t{1} << cut) - 1);
  const auto rounded = std::bit_cast<double>(bits);
  return std::copysign(rounded > format.largest ? format.beyond : rounded, value);
}

/// Rounds to float32 (see round_to).
inline double round_to_single(double value) {
  auto narrow = static_cast<float>(value);
#if defined(__GNUC__) && !defined(__clang__) && defined(__SSE2__)
  // Where a difference and a sum are rounded side by side, as the two numbers of a rotated pair
  // are, the vectorizer of GCC 12 leaves both unrounded, so it must not see through the conversion.
  asm("" : "+x"(narrow));
#endif
  return static_cast<double>(narrow);
}

/// The nearest number of the format, ties to even, held in a double; NaN stays NaN.
///
/// One operation of a narrower format is `round_to(format, operation in double)`: for + − × ÷ √ of
/// numbers of that format the double rounding changes nothing as long as 53 ≥ 2p + 2 (Figueroa
/// 1995), which is true of every format here except float64. If the operands are wider, the
/// rounding error of the result grows by up to 2^(p−53) of itself, at most 2^-29, which
/// kBoundInflation covers.
inline double round_to(Format format, double value) {
  switch (format) {
    case Format::float64:
      return value;
    case Format::float32:
      return round_to_single(value);
    default:
      return round_to_narrow(limits(format), value);
  }
}

/// Calls use(round), where round(value) is round_to(format, value), so that the format is tested
/// once for many numbers.
template <class Use>
auto with_rounding(Format format, Use use) {
  switch (format) {
    case Format::float64:
      return use([](double value) { return value; });
    case Format::float32:
      return use([](double value) { return round_to_single(value); });
    default:
      return use(
          [&narrow = limits(format)](double value) { return round_to_narrow(narrow, value); });
  }
}

/// How many distinct numbers the integers 0 … n become in the format, n ≤ 2^62; integers too large
/// for the format are not counted.
std::int64_t distinct_integers(Format format, std::int64_t n);

/// The number of bits from the first to the last set bit of a significand, which is the smallest
/// precision that can represent it.
int significant_bits(double value);

/// The facts about a number that decide whether a format can represent its product with another
/// number: the bits and the exponents.
struct Significand {
  double magnitude = 0;  ///< upper bound on |x|
  int bits = 0;          ///< upper bound on the number of bits in its significand
  double lowest = 0;     ///< lower bound on the value of its last set bit, a power of two
};

Significand significand_of(double value);

/// The largest possible |fl(ab) − ab|: 0 if the format can represent the product, otherwise half a
/// unit in its last place, or infinity if the product may overflow.
double product_rounding(const FormatLimits& format, const Significand& a, const Significand& b);

/// Half a unit in the last place of x ≥ 0 in the format.
double half_ulp(const FormatLimits& format, double x);

/// The power of two at or below x ≥ 0; 0 for subnormal doubles.
inline double power_of_two_below(double x) {
  constexpr std::uint64_t kExponentBits = 0x7ff0000000000000U;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & kExponentBits);
}

}  // namespace rope
