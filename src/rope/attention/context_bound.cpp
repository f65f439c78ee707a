#include "rope/attention/context_bound.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "rope/attention/decay.hpp"
#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"
#include "rope/rotary/turns.hpp"

namespace rope {
namespace {

constexpr int kGridBits = 32;  // quick steps end at multiples of 2^-32 tokens
constexpr std::int64_t kGrid = std::int64_t{1} << kGridBits;

/// What a sum of `terms` cosines in double is off by at most: each of them by `each`, and the j-th
/// partial sum by u·j, u = 2^-53, which makes n·each + u·n(n + 1)/2. Twice that leaves room for the
/// turns cut to 64 bits (3.4e-19 rad) and for what is of second order.
double sum_error(std::size_t terms, double each) {
  const auto n = static_cast<double>(terms);
  return n * (2 * each + 0x1p-53 * (n + 1));
}

/// B and its slope at one distance, from below.
struct Value {
  double sum = 0;
  double slope = 0;
};

/// B at a distance in 256 bits. Of each θ 2^-128 of a turn a token is lost; else it is exact.
class ExactSum {
 public:
  ExactSum(const Frequencies& frequencies, const ExactReal& distance) {
    const ExactReal& two_pi = exact_two_pi();
    ExactReal all_theta;
    for (const TurnFraction& fraction : frequencies.turns) {
      const ExactReal theta =
          ldexp(ExactReal(fraction.high), -64) + ldexp(ExactReal(fraction.low), -128);
      const ExactReal turns = distance * theta - floor(distance * theta);
      const ExactReal cosine = cos(two_pi * turns);
      // Half of the digits are enough for a slope, and a square root is quick.
      const ExactReal sine = sqrt(std::max<ExactReal>(0, 1 - cosine * cosine));
      sum_ += cosine;
      slope_ += theta * (turns < 0.5 ? -sine : sine);
      all_theta += theta;
    }
    const ExactReal angle_error = ldexp(two_pi * distance, -128) + ldexp(ExactReal(1), -200);
    sum_error_ = static_cast<double>(frequencies.pairs()) * angle_error;
    slope_ -= all_theta * (angle_error + ldexp(ExactReal(1), -120));
    slope_ = slope_ * two_pi;
  }

  /// Twice the error, so that steps towards a root, as far as B less its error is known to be
  /// above 0, come to an end.
  bool positive() const { return sum_ > 2 * sum_error_; }
  bool negative() const { return -sum_ > sum_error_; }

  Value from_below() const {
    const ExactReal sum = sum_ - sum_error_;
    return {static_cast<double>(sum), static_cast<double>(slope_)};
  }

 private:
  ExactReal sum_, sum_error_, slope_;
};

/// B and its slope at real distances, from below: what is known of them for certain.
class LowerBound {
 public:
  explicit LowerBound(const Frequencies& frequencies) : frequencies_(frequencies) {
    for (const TurnFraction& turns : frequencies.turns)
      steps_.push_back(
          {turns.high >> kGridBits, (turns.high << kGridBits) | (turns.low >> kGridBits)});
    double slopes = 0;
    for (const double theta : frequencies.theta) {
      slopes += theta;
      curvature_ += theta * theta;
    }
    sum_error_ = sum_error(frequencies.pairs(), kCosSinError);
    slope_error_ = sum_error_ * slopes;
    curvature_ = curvature_ * (1 + sum_error_) + 1e-300;  // rounded up; no θ² is lost below 1e-308
  }

  /// At `grid`/2^32 tokens. The turns of a grid step are known to 2^-128, so those of 2^63 of them
  /// to 2^-65.
  Value at(std::int64_t grid) const {
    Value value;
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      const CosSin turned = cos_sin(grid * steps_[k]);
      value.sum += turned.cos;
      value.slope -= frequencies_.theta[k] * turned.sin;
    }
    return {value.sum - sum_error_, value.slope - slope_error_};
  }

  /// How far B stays above 0 at least: B(x + h) >= B(x) + B'(x)h − (Σθ²)h²/2. Nothing if B(x) is
  /// not known to be above 0.
  double safe_step(const Value& value) const {
    if (!(value.sum > 0)) return 0;
    const double root = std::sqrt(value.slope * value.slope + 2 * curvature_ * value.sum);
    const double step =
        value.slope < 0 ? 2 * value.sum / (root - value.slope) : (value.slope + root) / curvature_;
    return step * (1 - 1e-14);  // rounded down
  }

 private:
  const Frequencies& frequencies_;
  std::vector<TurnFraction> steps_;
  double curvature_ = 0;
  double sum_error_ = 0;
  double slope_error_ = 0;
};

std::optional<double> first_root(const Frequencies& frequencies, std::int64_t limit) {
  const bool slow = std::ranges::all_of(frequencies.theta,
                                        [](double theta) { return theta < 2 * std::numbers::pi; });
  if (!slow) return std::nullopt;
  const std::int64_t end = std::min(limit, std::int64_t{1} << 30) * kGrid;
  const LowerBound bound(frequencies);
  std::int64_t grid = 0;
  while (grid < end) {
    const double steps = bound.safe_step(bound.at(grid)) * static_cast<double>(kGrid);
    if (steps >= 1) {
      const bool beyond = steps >= static_cast<double>(end - grid);
      grid = beyond ? end : grid + static_cast<std::int64_t>(steps);
      continue;
    }
    // Too near to 0 for double, or for the grid.
    ExactReal distance = ldexp(ExactReal(grid), -kGridBits);
    const ExactReal next = ldexp(ExactReal(grid + 1), -kGridBits);
    while (distance < next) {
      const ExactSum exact(frequencies, distance);
      if (!exact.positive()) return static_cast<double>(distance);
      distance += bound.safe_step(exact.from_below());
    }
    grid = static_cast<std::int64_t>(floor(ldexp(distance, kGridBits)));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> first_negative_distance(const Frequencies& frequencies,
                                                    std::int64_t limit, CpuLevel level) {
  if (limit < 1 || limit > std::int64_t{1} << 40)
    throw DomainError("limit: expected a distance from 1 to 2^40, got " + std::to_string(limit));
  constexpr std::int64_t kMost = 65536;
  const auto pairs = static_cast<double>(frequencies.pairs());
  const double error = sum_error(frequencies.pairs(), kCurveCosineError);
  std::int64_t count = 1024;
  for (std::int64_t begin = 1; begin <= limit; begin += count, count = std::min(2 * count, kMost)) {
    count = std::min(count, limit - begin + 1);
    std::vector<std::int64_t> distances(static_cast<std::size_t>(count));
    std::iota(distances.begin(), distances.end(), begin);
    const std::vector<double> mean = decay_curve(frequencies, distances, level).mean_cosine;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      const double sum = mean[i] * pairs;
      if (sum < -error || (sum <= error && ExactSum(frequencies, distances[i]).negative()))
        return distances[i];
    }
  }
  return std::nullopt;
}

FirstNegative first_negative(const Frequencies& frequencies, std::int64_t limit, CpuLevel level) {
  FirstNegative found;
  found.distance = first_negative_distance(frequencies, limit, level);
  found.root = first_root(frequencies, found.distance.value_or(limit));
  return found;
}

NegativeDistance negative_distance(const Frequencies& frequencies, std::int64_t wanted) {
  constexpr std::int64_t kMost = std::int64_t{1} << 20;
  constexpr std::int64_t kCosines = std::int64_t{1} << 27;
  const auto pairs = static_cast<std::int64_t>(frequencies.pairs());
  NegativeDistance found;
  found.searched = std::min(wanted, std::clamp<std::int64_t>(kCosines / pairs, 4096, kMost));
  if (found.searched >= 1) found.first = first_negative(frequencies, found.searched);
  return found;
}

}  // namespace rope
