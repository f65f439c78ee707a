#include "rope/verify/matrix_checks.hpp"

#include <cmath>
#include <cstddef>

#include "rope/error.hpp"
#include "rope/precision/measured.hpp"
#include "rope/rotary/turns.hpp"

namespace rope {
namespace {

constexpr double kSqrtTwo = 0x1.6a09e667f3bcdp+0;   // rounded up
constexpr double kEntry = kSqrtTwo * kCosSinError;  // E
constexpr double kModulus = (2 + kEntry) * kEntry;  // D
constexpr double kMeasuring = 1 + 1e-15;            // relative error of a measurement
constexpr double kMeasuringFloor = 1e-30;           // and its absolute error

/// A product of two doubles as a sum of two, without error.
struct Product {
  Product(double x, double y) : high(x * y), low(std::fma(x, y, -high)) {}
  double high;
  double low;
};

/// x + y − z for products x and y, where the result is far smaller than z: rounded only once the
/// large parts have cancelled.
double sum_less(const Product& x, const Product& y, double z) {
  const double sum = x.high + y.high;
  const double part = sum - x.high;
  const double lost = (x.high - (sum - part)) + (y.high - part);  // Knuth's exact addition
  return (sum - z) + (lost + (x.low + y.low));
}

/// |ŵ|² − 1 of one block.
double modulus_defect(const RotationRow& row, std::size_t k) {
  return sum_less({row.cos[k], row.cos[k]}, {row.sin[k], row.sin[k]}, 1.0);
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

MatrixCheck check_orthogonality(const RotationRow& row) {
  MatrixCheck check{0, kModulus * kMeasuring + kMeasuringFloor};
  for (std::size_t k = 0; k < row.cos.size(); ++k)
    check.value = larger(check.value, std::abs(modulus_defect(row, k)));
  return check;
}

MatrixCheck check_determinant(const RotationRow& row) {
  const std::size_t pairs = row.cos.size();
  MatrixCheck check;
  check.value =
      std::abs(product_less_one(pairs, [&](std::size_t k) { return modulus_defect(row, k); }));
  // Each factor rounds the running product three times, on both sides of the comparison.
  const double rounding = 1 + 6 * static_cast<double>(pairs) * 0x1p-53;
  const double exact = product_less_one(pairs, [](std::size_t) { return kModulus; });
  check.bound = exact * rounding * kMeasuring + static_cast<double>(pairs) * kMeasuringFloor;
  return check;
}

MatrixCheck check_inverse(const RotationRow& row) {
  MatrixCheck check{0, kModulus / (1 - kEntry) * kMeasuring + kMeasuringFloor};
  for (std::size_t k = 0; k < row.cos.size(); ++k) {
    const double defect = modulus_defect(row, k);
    check.value = larger(check.value, std::abs(defect) / std::sqrt(1 + defect));
  }
  return check;
}

MatrixCheck check_composition(const RotationRow& m, const RotationRow& n,
                              const RotationRow& difference) {
  const std::size_t pairs = m.cos.size();
  if (n.cos.size() != pairs || difference.cos.size() != pairs)
    throw ShapeError("composition: expected rows of the same number of pairs");
  MatrixCheck check{0, (kModulus + kEntry) * kMeasuring + kMeasuringFloor};
  for (std::size_t k = 0; k < pairs; ++k) {
    const double real = sum_less({m.cos[k], n.cos[k]}, {m.sin[k], n.sin[k]}, difference.cos[k]);
    const double imaginary =
        sum_less({m.cos[k], n.sin[k]}, {-m.sin[k], n.cos[k]}, difference.sin[k]);
    check.value = larger(check.value, std::sqrt(real * real + imaginary * imaginary));
  }
  return check;
}

}  // namespace rope
