#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "rope/precision/policy.hpp"
#include "rope/rotary/embedding.hpp"

// Any pipeline that a stage list can name, written once more, from docs/accuracy.md alone: numbers
// are whole multiples of a power of two, rounded in integers. libm's cos, sin, pow and remainder
// are taken as given.
namespace rope::test {

/// A format by its name: significand, exponent of the smallest number, the largest one, and whether
/// there is an infinity.
struct Shape {
  int bits;
  int lowest;
  double largest;
  bool infinite;
};

inline Shape shape_of(Format format) {
  switch (format) {
    case Format::float64:
      return {53, -1074, 1.7976931348623157e308, true};
    case Format::float32:
      return {24, -149, 3.4028234663852886e38, true};
    case Format::tfloat32:
      return {11, -136, 3.401162134214653e38, true};
    case Format::float16:
      return {11, -24, 65504, true};
    case Format::bfloat16:
      return {8, -133, 3.3895313892515355e38, true};
    case Format::float8:
      break;
  }
  return {4, -9, 448, false};
}

inline double beyond(const Shape& shape, bool negative) {
  if (!shape.infinite) return std::nan("");
  return negative ? -HUGE_VAL : HUGE_VAL;
}

/// The nearest number of the format to whole·2^exponent, ties to even.
inline double nearest(const Shape& shape, std::uint64_t whole, int exponent, bool negative) {
  if (whole == 0) return negative ? -0.0 : 0.0;
  const int top = exponent + 64 - std::countl_zero(whole);  // in [2^(top − 1), 2^top)
  const int last = std::max(top - shape.bits, shape.lowest);
  if (const int cut = last - exponent; cut > 0) {
    if (cut > 64) return negative ? -0.0 : 0.0;
    const std::uint64_t kept = cut == 64 ? 0 : whole >> cut;
    const std::uint64_t lost = cut == 64 ? whole : whole - (kept << cut);
    const std::uint64_t half = std::uint64_t{1} << (cut - 1);
    whole = kept + (lost > half || (lost == half && kept % 2 == 1) ? 1 : 0);
    exponent = last;
  }
  const double value = std::ldexp(static_cast<double>(whole), exponent);
  if (value > shape.largest) return beyond(shape, negative);
  return negative ? -value : value;
}

inline double rounded(Format format, double x) {
  const Shape shape = shape_of(format);
  if (std::isnan(x)) return x;
  if (std::isinf(x)) return beyond(shape, x < 0);
  int exponent = 0;
  const double fraction = std::frexp(std::abs(x), &exponent);
  return nearest(shape, static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53,
                 std::signbit(x));
}

inline double rounded(Format format, std::int64_t x) {
  const std::uint64_t size = x < 0 ? -static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
  return nearest(shape_of(format), size, 0, x < 0);
}

struct Entry {
  double cos, sin;
};

/// The stages, one after the other.
class Emulation {
 public:
  Emulation(const Policy& policy, const RotaryEmbedding& embedding)
      : policy_(policy), embedding_(embedding) {
    if (!embedding.base) policy_.angle_rule = AngleRule::product;
    for (std::size_t k = 0; k < embedding.pairs(); ++k) frequencies_.push_back(frequency(k));
    if (embedding.base)
      scale_ = rounded(policy.frequency, static_cast<double>(std::pow(
                                             static_cast<float>(*embedding.base), -2.0F / size())));
  }

  /// p̂, θ̂_i of a product (or of powers of s), and s.
  double held(std::int64_t position) const { return rounded(policy_.position, position); }
  double theta(std::size_t k) const { return frequencies_[k]; }
  double scale() const { return scale_; }
  const Policy& policy() const { return policy_; }
  const RotaryEmbedding& embedding() const { return embedding_; }

  double angle(std::int64_t position, std::size_t k) const {
    const double held = this->held(position);
    if (policy_.angle_rule == AngleRule::recurrence) {
      double angle = held;
      for (std::size_t i = 0; i < k; ++i) angle = rounded(policy_.angle, angle * scale_);
      return angle;
    }
    const double angle = rounded(policy_.angle, held * frequencies_[k]);
    if (!policy_.reduced) return angle;
    return rounded(Format::float32, std::remainder(angle, 2 * std::numbers::pi));
  }

  Entry entry(std::int64_t position, std::size_t k) const {
    const double phi = angle(position, k);
    const bool wide = policy_.angle == Format::float64 && !policy_.reduced;
    const auto single = static_cast<float>(phi);
    Entry entry =
        wide ? Entry{std::cos(phi), std::sin(phi)}
             : Entry{static_cast<double>(std::cos(single)), static_cast<double>(std::sin(single))};
    if (embedding_.attention_factor != 1) {
      const Format format = wide ? Format::float64 : Format::float32;
      const double factor = rounded(format, embedding_.attention_factor);
      entry = {rounded(format, entry.cos * factor), rounded(format, entry.sin * factor)};
    }
    return {rounded(policy_.table, entry.cos), rounded(policy_.table, entry.sin)};
  }

  std::vector<double> turned(std::int64_t position, const std::vector<double>& x) const {
    std::vector<double> y = x;
    for (std::size_t k = 0; k < embedding_.pairs(); ++k) {
      const auto [i, j] = dimensions(k);
      const auto [c, s] = entry(position, k);
      const auto apply = [&](double value) { return rounded(policy_.apply, value); };
      y[i] = apply(apply(x[i] * c) - apply(x[j] * s));
      y[j] = apply(apply(x[i] * s) + apply(x[j] * c));
    }
    if (policy_.store == policy_.apply) return y;
    if (policy_.store != Format::float8) {
      for (double& value : y) value = rounded(policy_.store, value);
      return y;
    }
    double largest = 0;
    for (const double value : y)  // a NaN stays
      if (std::isnan(value) || std::abs(value) > largest) largest = std::abs(value);
    double scale = rounded(Format::float32, largest / 448);
    if (scale < 0x1p-126) scale = 0x1p-126;
    for (double& value : y) {
      const double small = rounded(Format::float8, rounded(Format::float32, value / scale));
      value = rounded(Format::float32, small * scale);
    }
    return y;
  }

  /// The two numbers of pair i.
  std::array<std::size_t, 2> dimensions(std::size_t k) const {
    const bool apart = embedding_.layout == PairLayout::half;
    return apart ? std::array{k, k + embedding_.pairs()} : std::array{2 * k, 2 * k + 1};
  }

  /// `seen` is told every number that is rounded, and whether it is a product.
  template <class Seen>
  double score(const std::vector<double>& a, const std::vector<double>& b, Seen seen) const {
    const auto product = [&](std::size_t i) {
      const double z = rounded(policy_.accumulate, a[i] * b[i]);
      seen(z, true);
      return z;
    };
    const auto sum = [&](double x, double y) {
      const double s = rounded(policy_.accumulate, x + y);
      seen(s, false);
      return s;
    };
    if (policy_.sum == SumOrder::pairwise) return tree(0, a.size(), product, sum);
    double all = product(0);
    for (std::size_t i = 1; i < a.size(); ++i) all = sum(all, product(i));
    return all;
  }
  double score(const std::vector<double>& a, const std::vector<double>& b) const {
    return score(a, b, [](double, bool) {});
  }

 private:
  float size() const { return static_cast<float>(embedding_.rotary_dim()); }

  double frequency(std::size_t k) const {
    if (!embedding_.base) return rounded(policy_.frequency, embedding_.frequencies.theta[k]);
    const double base = *embedding_.base;
    const auto twice = static_cast<double>(2 * k);
    if (policy_.angle_rule == AngleRule::scale_power) {
      const float s = static_cast<float>(
          rounded(policy_.frequency,
                  static_cast<double>(std::pow(static_cast<float>(base), -2.0F / size()))));
      return rounded(policy_.frequency, static_cast<double>(std::pow(s, static_cast<float>(k))));
    }
    if (policy_.frequency == Format::float64)
      return std::pow(base, -twice / static_cast<double>(embedding_.rotary_dim()));
    const float power = std::pow(static_cast<float>(base), static_cast<float>(twice) / size());
    return rounded(policy_.frequency, static_cast<double>(1.0F / power));
  }

  /// The halves apart, the first one the shorter.
  template <class Product, class Sum>
  static double tree(std::size_t begin, std::size_t end, Product& product, Sum& sum) {
    if (end - begin == 1) return product(begin);
    const std::size_t middle = begin + (end - begin) / 2;
    const double left = tree(begin, middle, product, sum);
    return sum(left, tree(middle, end, product, sum));
  }

  Policy policy_;
  const RotaryEmbedding& embedding_;
  std::vector<double> frequencies_;
  double scale_ = 0;
};

}  // namespace rope::test
