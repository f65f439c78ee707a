#include "rope/diagnose/positions/find_position.hpp"

#include <algorithm>
#include <cmath>

#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr std::size_t kMostCandidates = 4096;
constexpr std::size_t kMostListed = 64;

/// A range of real positions.
struct Range {
  double low, high;
};

/// Cuts ranges down to where one more pair has its angle.
std::vector<Range> cut(const std::vector<Range>& ranges, double rate, double rate_error,
                       double turn, double error, double rounding) {
  std::vector<Range> result;
  for (const Range& range : ranges) {
    const double farthest = larger(std::abs(range.low), std::abs(range.high));
    const double slack = error + farthest * (rate_error + rounding * std::abs(rate));
    if (!(slack < kUnwrapLimit * 2)) {
      result.push_back(range);
      continue;
    }
    const double half = slack / std::abs(rate);
    const double first = rate > 0 ? range.low : range.high;
    const double last = rate > 0 ? range.high : range.low;
    // n counts whole turns: rate·p = turn + n.
    const double from = std::ceil(rate * first - turn - slack);
    const double to = std::floor(rate * last - turn + slack);
    if (to - from > static_cast<double>(kMostCandidates)) {
      result.push_back(range);
      continue;
    }
    for (int step = 0; step <= static_cast<int>(to - from); ++step) {
      const double centre = (turn + from + step) / rate;
      const Range part{larger(range.low, centre - half), smaller(range.high, centre + half)};
      if (std::ceil(part.low - 1e-6) <= std::floor(part.high + 1e-6)) result.push_back(part);
      if (result.size() > kMostCandidates) return result;
    }
  }
  return result;
}

}  // namespace

FoundPosition find_position(const KnownRates& rates, std::span<const double> turns,
                            std::span<const double> errors, double angle_rounding, std::int64_t low,
                            std::int64_t high) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < rates.rate.size(); ++k)
    if (std::abs(rates.rate[k]) > 2 * rates.error[k] && std::isfinite(errors[k]) &&
        errors[k] < kUnwrapLimit)
      order.push_back(k);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(rates.rate[a]) < std::abs(rates.rate[b]);
  });
  FoundPosition found;
  if (order.empty()) return found;
  std::vector<Range> ranges = {{static_cast<double>(low), static_cast<double>(high)}};
  // Slow pairs first; the second round cuts with the slack of ranges that have become narrow.
  for (int round = 0; round < 2; ++round)
    for (const std::size_t k : order)
      ranges = cut(ranges, rates.rate[k], rates.error[k], turns[k], errors[k], angle_rounding);
  for (const Range& range : ranges) {
    const double first = std::ceil(range.low - 1e-6), last = std::floor(range.high + 1e-6);
    if (!(first <= last)) continue;
    const auto count = static_cast<std::size_t>(last - first) + 1;
    found.candidates += count;
    for (std::size_t i = 0; i < count && found.all.size() < kMostListed; ++i)
      found.all.push_back(static_cast<std::int64_t>(first) + static_cast<std::int64_t>(i));
    // The candidate nearest to 0.
    const double nearest = first > 0 ? first : (last < 0 ? last : 0);
    const auto position = static_cast<std::int64_t>(nearest);
    if (!found.position || std::abs(position) < std::abs(*found.position))
      found.position = position;
  }
  return found;
}

}  // namespace rope
