#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

namespace rope {

/// A double with an unbounded exponent: 2^-16000 and its square are ordinary numbers. It is the
/// same on every machine, unlike a long double, whose precision and range differ between machines.
class Wide {
 public:
  Wide() = default;
  Wide(double value, std::int64_t exponent = 0) {  // value·2^exponent
    int shift = 0;
    number_ = std::frexp(value, &shift);
    exponent_ = number_ == 0 || !std::isfinite(number_) ? 0 : exponent + shift;
  }

  explicit operator double() const { return std::ldexp(number_, near(exponent_, 3000)); }
  /// For printing; 0 if the value is below the exponent range of this machine's long double.
  explicit operator long double() const {
    return std::ldexp(static_cast<long double>(number_), near(exponent_, 40000));
  }

  friend Wide operator*(Wide a, Wide b) {
    return {a.number_ * b.number_, a.exponent_ + b.exponent_};
  }
  friend Wide operator/(Wide a, Wide b) {
    return {a.number_ / b.number_, a.exponent_ - b.exponent_};
  }
  friend Wide operator+(Wide a, Wide b) {
    if (b.number_ == 0) return a;
    if (a.number_ == 0) return b;
    if (a.exponent_ < b.exponent_) return b + a;
    return {a.number_ + std::ldexp(b.number_, near(b.exponent_ - a.exponent_, 200)), a.exponent_};
  }
  friend Wide operator-(Wide a, Wide b) {
    b.number_ = -b.number_;
    return a + b;
  }
  friend Wide sqrt(Wide a) {
    const std::int64_t odd = a.exponent_ & 1;
    return {std::sqrt(odd == 0 ? a.number_ : 2 * a.number_), (a.exponent_ - odd) / 2};
  }
  friend std::partial_ordering operator<=>(Wide a, Wide b) { return (a - b).number_ <=> 0.0; }
  friend bool operator==(Wide a, Wide b) { return (a - b).number_ == 0; }
  friend bool isnan(Wide a) { return std::isnan(a.number_); }

 private:
  static int near(std::int64_t exponent, int limit) {
    return exponent < -limit ? -limit : exponent > limit ? limit : static_cast<int>(exponent);
  }

  double number_ = 0;
  std::int64_t exponent_ = 0;
};

// As in precision/largest.hpp: if one of the two is NaN, so is the result.

inline Wide larger(Wide a, Wide b) { return a < b || isnan(b) ? b : a; }
inline Wide smaller(Wide a, Wide b) { return b < a || isnan(b) ? b : a; }

}  // namespace rope
