#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <vector>

namespace rope {

// A lost NaN would let a check pass, and std::max, std::min and std::clamp lose a NaN in their
// second argument. Precision, verify and diagnose compare measured values only with the functions
// below; tests/architecture/measured.cmake rejects the std functions in that code.

/// The larger of two numbers; NaN if one of them is NaN.
template <std::floating_point Number>
Number larger(Number a, Number b) {
  return a < b || std::isnan(b) ? b : a;
}

/// The smaller of two numbers; NaN if one of them is NaN.
template <std::floating_point Number>
Number smaller(Number a, Number b) {
  return b < a || std::isnan(b) ? b : a;
}

/// Whether a candidate replaces the worst value so far, because it is larger or not a number.
/// Nothing replaces a NaN.
template <std::floating_point Number>
bool exceeds(Number candidate, Number worst) {
  return !std::isnan(worst) && !(candidate <= worst);
}

/// The largest of many numbers; NaN if one of them is NaN, because NaN sorts after everything.
template <std::floating_point Number>
class LargestOf {
 public:
  LargestOf() = default;
  explicit LargestOf(Number start) : value_(start) {}

  /// Takes a candidate; returns whether it is now the largest.
  bool take(Number candidate) {
    if (!exceeds(candidate, value_)) return false;
    value_ = candidate;
    return true;
  }
  Number value() const { return value_; }

 private:
  Number value_ = 0;
};
using Largest = LargestOf<double>;

/// The largest of several magnitudes; 0 if there are none.
template <class Numbers>
double largest_of(const Numbers& numbers) {
  Largest largest;
  for (const double number : numbers) largest.take(number);
  return largest.value();
}

/// The median, with NaN sorted after everything. For an even count, it is the upper of the two
/// middle numbers; it is 0 if there are no numbers.
template <std::floating_point Number>
double median_of(std::vector<Number> numbers) {
  if (numbers.empty()) return 0;
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end(),
                   [](Number a, Number b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
  return static_cast<double>(*middle);
}

}  // namespace rope
