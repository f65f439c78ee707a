#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace rope {

/// Adds up the absolute values of numbers.
struct Magnitudes {
  double seen = 0;
  void operator()(double x) { seen += std::abs(x); }
};

/// Collects the numbers.
struct RoundedNumbers {
  std::vector<double> seen;
  void operator()(double x) { seen.push_back(x); }
};

/// The sum of z_i = a_i b_i as a tree or from left to right, with every operation rounded by
/// `round`; Count receives each rounded number.
template <class Count, class Round>
class Sum {
 public:
  Sum(Round round, bool exact_products) : round_(round), exact_products_(exact_products) {}

  double value() const { return value_; }
  auto counted() const { return count_.seen; }

  /// From left to right: starts with z_0, then adds the other products one by one.
  void start(double a, double b) { value_ = product(a, b); }
  void add(double a, double b) { value_ = sum(value_, product(a, b)); }

  void sequential(std::span<const double> a, std::span<const double> b) {
    if (!a.empty()) start(a[0], b[0]);
    for (std::size_t i = 1; i < a.size(); ++i) add(a[i], b[i]);
  }

  void pairwise(std::span<const double> a, std::span<const double> b) { value_ = tree(a, b); }

 private:
  double product(double a, double b) {
    const double z = round_(a * b);
    if (!exact_products_) count_(z);
    return z;
  }
  double sum(double a, double b) {
    const double s = round_(a + b);
    count_(s);
    return s;
  }
  double tree(std::span<const double> a, std::span<const double> b) {
    if (a.size() == 1) return product(a[0], b[0]);
    const std::size_t half = a.size() / 2;
    const double left = tree(a.first(half), b.first(half));
    return sum(left, tree(a.subspan(half), b.subspan(half)));
  }

  Round round_;
  bool exact_products_;
  double value_ = 0;
  Count count_;
};

}  // namespace rope
