#include "rope/attention/base_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "rope/attention/context_bound.hpp"
#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"
#include "rope/rotary/frequencies.hpp"

namespace rope {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

void check_lengths(std::int64_t trained_length, std::int64_t length) {
  if (trained_length < 1 || trained_length > length)
    throw DomainError("lengths: expected 1 <= trained <= extended, got " +
                      std::to_string(trained_length) + " and " + std::to_string(length));
}

/// B(Δ) = Σ_k cos(Δθ_k) of one base in plain double: quick, and right enough to throw bases out.
class QuickSum {
 public:
  QuickSum(double log_base, std::size_t rotary_dim) : theta_(rotary_dim / 2) {
    for (std::size_t k = 0; k < theta_.size(); ++k)
      theta_[k] =
          std::exp(-log_base * static_cast<double>(2 * k) / static_cast<double>(rotary_dim));
  }

  double at(std::int64_t distance) const {
    double sum = 0;
    for (const double theta : theta_) sum += std::cos(static_cast<double>(distance) * theta);
    return sum;
  }

  /// The first distance below `length` with a sum below −margin, or 0.
  std::int64_t first_negative(std::int64_t length, double margin) const {
    std::vector<double> cos(theta_.size(), 1), sin(theta_.size(), 0);
    std::vector<double> turn_cos, turn_sin;
    for (const double theta : theta_) {
      turn_cos.push_back(std::cos(theta));
      turn_sin.push_back(std::sin(theta));
    }
    for (std::int64_t distance = 1; distance < length; ++distance) {
      double sum = 0;
      for (std::size_t k = 0; k < theta_.size(); ++k) {
        const double c = cos[k] * turn_cos[k] - sin[k] * turn_sin[k];
        sin[k] = cos[k] * turn_sin[k] + sin[k] * turn_cos[k];
        cos[k] = c;
      }
      for (const double c : cos) sum += c;
      if (sum < -margin) return distance;
    }
    return 0;
  }

 private:
  std::vector<double> theta_;
};

/// Decides whether a base serves a length, remembering which distances threw out the last ones.
class BaseTest {
 public:
  BaseTest(std::int64_t length, std::size_t rotary_dim) : length_(length), dim_(rotary_dim) {}

  bool serves(double log_base) {
    // Above what a quick sum loses: a θ through its exponent, rounded twice, and a token's rotation
    // through its own roundings.
    const std::size_t pairs = dim_ / 2;
    const double margin =
        (3e-16 * log_base + 1e-15) * static_cast<double>(length_) * static_cast<double>(pairs);
    const QuickSum quick(log_base, dim_);
    for (std::size_t i = 0; i < witnesses_.size(); ++i) {
      if (!(quick.at(witnesses_[i]) < -margin)) continue;
      std::swap(witnesses_[i], witnesses_[i / 2]);
      return false;
    }
    if (const std::int64_t found = quick.first_negative(length_, margin)) {
      witnesses_.push_front(found);
      if (witnesses_.size() > kWitnesses) witnesses_.pop_back();
      return false;
    }
    const Frequencies exact =
        geometric_frequencies(static_cast<double>(exp(ExactReal(log_base))), dim_);
    return !first_negative_distance(exact, length_ - 1);
  }

 private:
  static constexpr std::size_t kWitnesses = 24;

  std::int64_t length_;
  std::size_t dim_;
  std::deque<std::int64_t> witnesses_;
};

}  // namespace

double critical_base(double base, std::int64_t trained_length, std::int64_t length) {
  check_lengths(trained_length, length);
  if (!(base > 1) || !std::isfinite(base))
    throw DomainError("base: expected a finite number above 1, got " + number_text(base));
  if (static_cast<double>(trained_length) <= kTwoPi)
    throw DomainError("trained length: expected more than 2π tokens, got " +
                      std::to_string(trained_length));
  return static_cast<double>(exp(log(ExactReal(base)) * log(ExactReal(length) / exact_two_pi()) /
                                 log(ExactReal(trained_length) / exact_two_pi())));
}

double covering_factor(double base, std::size_t rotary_dim, std::int64_t trained_length,
                       std::int64_t length) {
  check_lengths(trained_length, length);
  const Frequencies frequencies = geometric_frequencies(base, rotary_dim);
  for (std::size_t k = 1; k < frequencies.pairs(); ++k)
    if (static_cast<double>(trained_length) < frequencies.wavelength[k])
      return static_cast<double>(pow(ExactReal(length) / ExactReal(trained_length),
                                     ExactReal(rotary_dim) / ExactReal(2 * k)));
  return 1;
}

std::optional<double> smallest_base(std::int64_t length, std::size_t rotary_dim,
                                    const std::function<void()>& progress) {
  constexpr double kStep = 1e-4;    // of ln b
  constexpr double kLargest = 690;  // beyond, θ would be below the smallest that is accepted
  if (length < 2 || length > kLongestBaseSearch)
    throw DomainError("length: expected 2 to " + std::to_string(kLongestBaseSearch) +
                      " tokens, got " + std::to_string(length));
  geometric_frequencies(2, rotary_dim);  // checks the size
  BaseTest test(length, rotary_dim);
  double good = 0;
  while (!test.serves(good)) {
    good += kStep;
    if (good > kLargest) return std::nullopt;
    if (progress) progress();
  }
  double bad = std::max(good - kStep, 0.0);
  while (good - bad > 5e-8) {
    const double middle = (good + bad) / 2;
    (test.serves(middle) ? good : bad) = middle;
  }
  return static_cast<double>(exp(ExactReal(good)));
}

}  // namespace rope
