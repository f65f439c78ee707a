#pragma once

#include <cmath>

namespace rope {

// Arithmetic with twice the digits of a double, built only from doubles and therefore the same on
// every machine; a long double has 64 bits on some machines and 113 on others. After Dekker, "A
// floating-point technique for extending the available precision" (1971). Nothing may overflow:
// scale first.

/// high + low, with |low| at most half a unit in the last place of high.
struct Twofold {
  double high = 0, low = 0;
};

/// a + b, exactly.
inline Twofold exact_sum(double a, double b) {
  const double high = a + b;
  const double b_in_it = high - a;
  return {high, (a - (high - b_in_it)) + (b - b_in_it)};
}

/// a·b, exactly unless it underflows.
inline Twofold exact_product(double a, double b) {
  const auto upper_half = [](double x) {
    const double shifted = 0x1p27 * x + x;
    return shifted - (shifted - x);
  };
  const double a_high = upper_half(a), b_high = upper_half(b);
  const double a_low = a - a_high, b_low = b - b_high;
  const double high = a * b;
  return {high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

/// The error is at most 2^-102·(|a| + |b|).
inline Twofold operator+(const Twofold& a, const Twofold& b) {
  const Twofold high = exact_sum(a.high, b.high);
  return exact_sum(high.high, high.low + (a.low + b.low));
}

inline Twofold operator-(const Twofold& a, const Twofold& b) {
  return a + Twofold{-b.high, -b.low};
}

/// The error is at most 2^-102·|a·b|.
inline Twofold operator*(const Twofold& a, const Twofold& b) {
  const Twofold high = exact_product(a.high, b.high);
  return exact_sum(high.high, high.low + (a.high * b.low + a.low * b.high));
}

/// √x, with twice the digits of a double.
inline Twofold twofold_root(const Twofold& x) {
  const double near = std::sqrt(x.high);
  const Twofold square = exact_product(near, near);
  const Twofold nearer =
      exact_sum(near, ((x.high - square.high) - square.low + x.low) / (2 * near));
  // There is no branch, so a loop over it becomes vector code.
  return {near > 0 ? nearer.high : near, near > 0 ? nearer.low : 0};
}

/// √x rounded to nearest, except within 2^-100 of a tie.
inline double square_root(const Twofold& x) { return twofold_root(x).high; }

}  // namespace rope
