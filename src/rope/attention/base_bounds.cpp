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

/// B(Δ) = Σ_k cos(Δθ_k) of the base e^x in plain double, and how far a negative one reaches.
class QuickSum {
 public:
  QuickSum(double x, std::size_t rotary_dim, std::int64_t length)
      : theta_(rotary_dim / 2),
        length_(length),
        // Of a θ through its exponent, rounded twice, and its exp; of a token's rotation through
        // its own roundings.
        margin_((3e-16 * x + 1e-15) * static_cast<double>(length) *
                static_cast<double>(theta_.size())) {
    for (std::size_t k = 0; k < theta_.size(); ++k) {
      theta_[k] = std::exp(-x * static_cast<double>(2 * k) / static_cast<double>(rotary_dim));
      share_.push_back(static_cast<double>(2 * k) / static_cast<double>(rotary_dim));
      slope_ += share_[k] * theta_[k];
    }
  }

  double at(std::int64_t distance) const {
    double sum = 0;
    for (const double theta : theta_) sum += std::cos(static_cast<double>(distance) * theta);
    return sum;
  }

  /// B(Δ) of at most `sum` stays negative from x to x + reach: |dB/dx| = |Σ Δ(2k/r)θ_k sin(Δθ_k)|
  /// is at most Σ Δ(2k/r)θ_k min(1, Δθ_k), and less for larger bases. Not above 0 where B may not
  /// be negative.
  double reach(std::int64_t distance, double sum) const {
    constexpr double kOfThisLine = 1 - 1e-9;  // its own roundings, and that of x + reach
    double slope = 0;
    for (std::size_t k = 0; k < theta_.size(); ++k) {
      const double angle = static_cast<double>(distance) * theta_[k];
      slope += share_[k] * angle * std::min(1.0, angle);
    }
    return -sum / slope * kOfThisLine;
  }
  double reach(std::int64_t distance) const { return reach(distance, at(distance) + margin_); }

  /// The distance below the length that reaches farthest, but for the sines of `reach`; or 0.
  std::int64_t farthest() const {
    const std::size_t pairs = theta_.size();
    std::vector<double> cos(pairs, 1), sin(pairs, 0), turn_cos, turn_sin;
    for (const double theta : theta_) {
      turn_cos.push_back(std::cos(theta));
      turn_sin.push_back(std::sin(theta));
    }
    std::int64_t farthest = 0;
    double most = 0;
    for (std::int64_t distance = 1; distance < length_; ++distance) {
      double sum = 0;
      for (std::size_t k = 0; k < pairs; ++k) {
        const double c = cos[k] * turn_cos[k] - sin[k] * turn_sin[k];
        sin[k] = cos[k] * turn_sin[k] + sin[k] * turn_cos[k];
        cos[k] = c;
      }
      for (const double c : cos) sum += c;
      const double tokens = static_cast<double>(distance) * slope_;
      if (const double reached = (-sum - margin_) / tokens; reached > most) {
        farthest = distance;
        most = reached;
      }
      if (most * tokens > static_cast<double>(pairs)) break;
    }
    return farthest;
  }

 private:
  std::vector<double> theta_, share_;
  std::int64_t length_;
  double margin_;
  double slope_ = 0;
};

/// Distances that threw out the last bases, and so may throw out the next.
class Witnesses {
 public:
  /// How far from x on none of the bases e^x serves; 0 where that is not known.
  double reach(const QuickSum& sums) {
    constexpr double kEnough = 1e-6;  // below, all distances are looked at
    constexpr std::size_t kMost = 24;
    double most = 0;
    for (std::int64_t& distance : distances_) {
      const double reached = sums.reach(distance);
      if (!(reached > most)) continue;
      most = reached;
      std::swap(distance, distances_.front());
    }
    if (most > kEnough) return most;
    const std::int64_t farthest = sums.farthest();
    if (farthest == 0) return most;
    const double reached = sums.reach(farthest);
    if (!(reached > most)) return most;
    distances_.push_front(farthest);
    if (distances_.size() > kMost) distances_.pop_back();
    return reached;
  }

 private:
  std::deque<std::int64_t> distances_;
};

/// B(Δ) of the base e^x, in 256 bits.
ExactReal exact_sum(double x, std::size_t rotary_dim, std::int64_t distance) {
  ExactReal sum = 0;
  for (std::size_t k = 0; k < rotary_dim / 2; ++k)
    sum += cos(ExactReal(distance) * exp(ExactReal(-x) * ExactReal(2 * k) / ExactReal(rotary_dim)));
  return sum;
}

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

std::optional<SmallestBase> smallest_base(std::int64_t length, std::size_t rotary_dim,
                                          const std::function<void()>& progress) {
  constexpr double kLeast = 1e-9;   // of ln b: how far the search goes where no distance reaches it
  constexpr double kLargest = 690;  // beyond, θ would be below the smallest that is accepted
  if (length < 2 || length > kLongestBaseSearch)
    throw DomainError("length: expected 2 to " + std::to_string(kLongestBaseSearch) +
                      " tokens, got " + std::to_string(length));
  geometric_frequencies(2, rotary_dim);  // checks the size
  Witnesses witnesses;
  std::optional<double> unproved;  // the first x from which no distance reached kLeast
  for (double x = 0; x < kLargest;) {
    const QuickSum sums(x, rotary_dim, length);
    double reach = witnesses.reach(sums);
    if (!(reach > 0)) {  // as far as double can tell
      const auto base = static_cast<double>(exp(ExactReal(x)));
      const auto negative =
          first_negative_distance(geometric_frequencies(base, rotary_dim), length - 1);
      if (!negative)
        return SmallestBase{base, static_cast<double>(exp(ExactReal(unproved.value_or(x))))};
      reach = sums.reach(*negative, static_cast<double>(exact_sum(x, rotary_dim, *negative)));
    }
    if (!(reach >= kLeast) && !unproved) unproved = x;
    x += std::max(reach, kLeast);
    if (progress) progress();
  }
  return std::nullopt;
}

}  // namespace rope
