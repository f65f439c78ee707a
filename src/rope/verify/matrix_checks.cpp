#include "rope/verify/matrix_checks.hpp"

#include <cmath>
#include <cstddef>

#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/rotary/turns.hpp"

namespace rope {
namespace {

constexpr double kSqrtTwo = 0x1.6a09e667f3bcdp+0;  // rounded up
constexpr double kMeasuring = 1 + 1e-15;           // relative error of a measurement
constexpr double kMeasuringFloor = 1e-30;          // and its absolute error

/// E: how far a block over A may be from a number of modulus 1.
double entry_error(double factor) {
  constexpr double kEntry = kSqrtTwo * kCosSinError;
  if (factor == 1) return kEntry;
  constexpr double kRounding = 0x1p-53, kUnderflow = 0x1p-1074;
  return (kEntry + kRounding * (1 + kEntry) + kUnderflow / factor) * (1 + 0x1p-50);
}

/// D: how far its modulus squared may be from 1.
double modulus_error(double factor) { return (2 + entry_error(factor)) * entry_error(factor); }

/// Entries and A over the power of two next below A: squares neither overflow nor vanish, and
/// nothing is rounded.
struct Scaled {
  Scaled(const RotationRow& row, double factor)
      : row_(row), unit(factor == 1 ? 1 : std::ldexp(1, -std::ilogb(factor))), a(factor * unit) {}
  double cos(std::size_t k) const { return row_.cos[k] * unit; }
  double sin(std::size_t k) const { return row_.sin[k] * unit; }

 private:
  const RotationRow& row_;

 public:
  double unit;
  double a;
};

/// A product of two doubles as a sum of two, without error.
struct Product {
  Product(double x, double y) : high(x * y), low(std::fma(x, y, -high)) {}
  double high;
  double low;
};

/// x + y − z for products, where the result is far smaller than z: rounded only once the large
/// parts have cancelled.
double sum_less(const Product& x, const Product& y, const Product& z) {
  const double sum = x.high + y.high;
  const double part = sum - x.high;
  const double lost = (x.high - (sum - part)) + (y.high - part);  // Knuth's exact addition
  return (sum - z.high) + (lost + (x.low + y.low) - z.low);
}

/// |ŵ|² − 1 of one block.
double modulus_defect(const Scaled& row, std::size_t k) {
  const double cos = row.cos(k), sin = row.sin(k);
  return sum_less({cos, cos}, {sin, sin}, {row.a, row.a}) / (row.a * row.a);
}

/// Π (1 + x) − 1 over `count` numbers, without rounding 1 + x.
template <typename Defect>
double product_less_one(std::size_t count, Defect defect) {
  double result = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double x = defect(k);
    result = result + x + result * x;
  }
  return result;
}

}  // namespace

Measured check_orthogonality(const RotationRow& row, double attention_factor) {
  Measured check{0, modulus_error(attention_factor) * kMeasuring + kMeasuringFloor};
  const Scaled scaled(row, attention_factor);
  for (std::size_t k = 0; k < row.cos.size(); ++k)
    check.error = larger(check.error, std::abs(modulus_defect(scaled, k)));
  return check;
}

Measured check_determinant(const RotationRow& row, double attention_factor) {
  const std::size_t pairs = row.cos.size();
  const Scaled scaled(row, attention_factor);
  Measured check;
  check.error =
      std::abs(product_less_one(pairs, [&](std::size_t k) { return modulus_defect(scaled, k); }));
  // Each factor rounds the running product three times, on both sides of the comparison.
  const double rounding = 1 + 6 * static_cast<double>(pairs) * 0x1p-53;
  const double exact =
      product_less_one(pairs, [=](std::size_t) { return modulus_error(attention_factor); });
  check.bound = exact * rounding * kMeasuring + static_cast<double>(pairs) * kMeasuringFloor;
  return check;
}

Measured check_inverse(const RotationRow& row, double attention_factor) {
  Measured check{
      0, modulus_error(attention_factor) / (1 - entry_error(attention_factor)) * kMeasuring +
             kMeasuringFloor};
  const Scaled scaled(row, attention_factor);
  for (std::size_t k = 0; k < row.cos.size(); ++k) {
    const double defect = modulus_defect(scaled, k);
    check.error = larger(check.error, std::abs(defect) / std::sqrt(1 + defect));
  }
  return check;
}

Measured check_composition(const RotationRow& m, const RotationRow& n,
                           const RotationRow& difference, double attention_factor) {
  const std::size_t pairs = m.cos.size();
  if (n.cos.size() != pairs || difference.cos.size() != pairs)
    throw ShapeError("composition: expected rows with the same number of pairs");
  Measured check{0, (modulus_error(attention_factor) + entry_error(attention_factor)) * kMeasuring +
                        kMeasuringFloor};
  const Scaled at_m(m, attention_factor), at_n(n, attention_factor);
  const Scaled at_difference(difference, attention_factor);
  const double a = at_m.a;
  for (std::size_t k = 0; k < pairs; ++k) {
    const double real =
        sum_less({at_m.cos(k), at_n.cos(k)}, {at_m.sin(k), at_n.sin(k)}, {a, at_difference.cos(k)});
    const double imaginary = sum_less({at_m.cos(k), at_n.sin(k)}, {-at_m.sin(k), at_n.cos(k)},
                                      {a, at_difference.sin(k)});
    check.error = larger(check.error, std::sqrt(real * real + imaginary * imaginary) / (a * a));
  }
  return check;
}

}  // namespace rope
