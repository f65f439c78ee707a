#include "rope/attention/context_bound.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "rope/attention/decay.hpp"
#include "rope/error.hpp"
#include "rope/rotary/turns.hpp"

namespace rope {
namespace {

constexpr int kGridBits = 32;  // real distances are multiples of 2^-32 tokens
constexpr std::int64_t kGrid = std::int64_t{1} << kGridBits;

/// B, its slope and a bound on its curvature at real distances.
class Sum {
 public:
  explicit Sum(const Frequencies& frequencies) : frequencies_(frequencies) {
    for (const TurnFraction& turns : frequencies.turns)
      steps_.push_back(
          {turns.high >> kGridBits, (turns.high << kGridBits) | (turns.low >> kGridBits)});
    for (const double theta : frequencies.theta) curvature_ += theta * theta;
  }

  struct Value {
    double sum = 0;
    double slope = 0;
  };

  /// At `grid`/2^32 tokens. The turns of a grid step are known to 2^-128, so those of 2^63 of them
  /// to 2^-65.
  Value at(std::int64_t grid) const {
    Value value;
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      const CosSin turned = cos_sin(grid * steps_[k]);
      value.sum += turned.cos;
      value.slope -= frequencies_.theta[k] * turned.sin;
    }
    return value;
  }

  /// How far B stays above 0 at least: B(x + h) >= B(x) + B'(x)h − (Σθ²)h²/2.
  double safe_step(const Value& value) const {
    return (value.slope + std::sqrt(value.slope * value.slope + 2 * curvature_ * value.sum)) /
           curvature_;
  }

 private:
  const Frequencies& frequencies_;
  std::vector<TurnFraction> steps_;
  double curvature_ = 0;
};

std::optional<double> first_root(const Frequencies& frequencies, std::int64_t limit) {
  const bool slow = std::ranges::all_of(frequencies.theta,
                                        [](double theta) { return theta < 2 * std::numbers::pi; });
  const std::int64_t end = std::min(limit, std::int64_t{1} << 30) * kGrid;
  const Sum sum(frequencies);
  if (!slow) return std::nullopt;
  std::int64_t grid = 0;
  while (grid < end) {
    const Sum::Value value = sum.at(grid);
    if (value.sum <= 0) return static_cast<double>(grid) / static_cast<double>(kGrid);
    const double step = sum.safe_step(value) * static_cast<double>(kGrid);
    grid += std::max<std::int64_t>(1, static_cast<std::int64_t>(step));
  }
  return std::nullopt;
}

std::optional<std::int64_t> first_distance(const Frequencies& frequencies, std::int64_t limit,
                                           CpuLevel level) {
  constexpr std::int64_t kMost = 65536;
  std::int64_t count = 1024;
  for (std::int64_t begin = 1; begin <= limit; begin += count, count = std::min(2 * count, kMost)) {
    count = std::min(count, limit - begin + 1);
    std::vector<std::int64_t> distances(static_cast<std::size_t>(count));
    std::iota(distances.begin(), distances.end(), begin);
    const std::vector<double> mean = decay_curve(frequencies, distances, level).mean_cosine;
    for (std::size_t i = 0; i < mean.size(); ++i)
      if (mean[i] < 0) return distances[i];
  }
  return std::nullopt;
}

}  // namespace

FirstNegative first_negative(const Frequencies& frequencies, std::int64_t limit, CpuLevel level) {
  if (limit < 1 || limit > std::int64_t{1} << 40)
    throw DomainError("limit: expected a distance from 1 to 2^40, got " + std::to_string(limit));
  FirstNegative found;
  found.distance = first_distance(frequencies, limit, level);
  found.root = first_root(frequencies, found.distance.value_or(limit));
  return found;
}

}  // namespace rope
