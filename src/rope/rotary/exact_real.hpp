#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rope/rotary/frequencies.hpp"

namespace rope {

/// A 256-bit real number, with which frequencies are computed before they are rounded. Its
/// arithmetic uses integers, so the results are the same on every machine. It is not a template, so
/// that only exact_real.cpp has to compile the template library it uses, which takes seconds.
class ExactReal {
 public:
  ExactReal() = default;    // 0
  ExactReal(double value);  // exact, as for integers
  template <std::integral Integer>
  ExactReal(Integer value)
      : ExactReal(Whole{value < 0, value < 0 ? 0 - static_cast<std::uint64_t>(value)
                                             : static_cast<std::uint64_t>(value)}) {}

  explicit operator double() const;         // to nearest
  explicit operator std::int64_t() const;   // towards 0
  explicit operator std::uint64_t() const;  // towards 0
  std::string text() const;                 // six significant digits, for messages

  ExactReal operator-() const;
  ExactReal& operator+=(const ExactReal& other) { return *this = *this + other; }
  ExactReal& operator-=(const ExactReal& other) { return *this = *this - other; }
  friend ExactReal operator+(const ExactReal& a, const ExactReal& b);
  friend ExactReal operator-(const ExactReal& a, const ExactReal& b);
  friend ExactReal operator*(const ExactReal& a, const ExactReal& b);
  friend ExactReal operator/(const ExactReal& a, const ExactReal& b);
  friend bool operator==(const ExactReal& a, const ExactReal& b);
  friend std::partial_ordering operator<=>(const ExactReal& a, const ExactReal& b);

  friend ExactReal abs(const ExactReal& value);
  friend ExactReal floor(const ExactReal& value);
  friend ExactReal ceil(const ExactReal& value);
  friend ExactReal round(const ExactReal& value);  // halves away from 0
  friend ExactReal ldexp(const ExactReal& value, int exponent);
  friend ExactReal sqrt(const ExactReal& value);
  friend ExactReal exp(const ExactReal& value);
  friend ExactReal log(const ExactReal& value);
  friend ExactReal pow(const ExactReal& base, const ExactReal& exponent);
  friend ExactReal cos(const ExactReal& value);
  friend const ExactReal& exact_two_pi();

 private:
  struct Whole {
    bool negative;
    std::uint64_t magnitude;
  };
  struct Number;  // of the template library
  explicit ExactReal(Whole value);
  explicit ExactReal(Number number);
  const Number& number() const;

  std::shared_ptr<const Number> number_;  // null for 0
};

const ExactReal& exact_two_pi();  // 2π

/// θ_i = base^(−2i/r) for every i with 2i < r, r = rotary_dim, which may be odd.
///
/// Accuracy  relative 2^-230, after up to 32768 products.
/// Edge      base must be above 0; this is not checked.
std::vector<ExactReal> exact_geometric(const ExactReal& base, std::size_t rotary_dim);

/// Rounds frequencies in radians per token to the form that the rotation needs.
///
/// Accuracy  `turns` within 2^-128 of θ/2π mod 1: the largest θ, 2^64, leaves 192 fraction bits.
/// Throws    DomainError unless each is 0 or lies in [2^-1000, 2^64]; ShapeError if there are none.
Frequencies round_frequencies(std::span<const ExactReal> theta);

}  // namespace rope
