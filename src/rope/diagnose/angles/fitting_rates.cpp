#include "rope/diagnose/angles/fitting_rates.hpp"

#include <cmath>
#include <utility>

#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr std::size_t kMostIntervals = std::size_t{1} << 16;

/// The parts of an interval of rates that agree with one observed turn.
void narrow(const RateInterval& interval, const TurnBetween& seen,
            std::vector<RateInterval>& parts) {
  const double fastest = larger(std::abs(interval.low), std::abs(interval.high));
  const double error = seen.error + seen.error_per_rate * fastest;
  if (!(error < 0.5)) {  // it says nothing
    parts.push_back(interval);
    return;
  }
  const auto length = static_cast<double>(std::abs(seen.length));
  const double turn = seen.length < 0 ? -seen.turn : seen.turn;
  const double first = std::ceil(interval.low * length - turn - error);
  const double last = std::floor(interval.high * length - turn + error);
  for (double whole = first; whole <= last && parts.size() <= kMostIntervals; ++whole) {
    const double low = larger(interval.low, (turn + whole - error) / length);
    const double high = smaller(interval.high, (turn + whole + error) / length);
    if (low <= high) parts.push_back({low, high});
  }
}

}  // namespace

std::optional<std::vector<RateInterval>> fitting_rates(std::span<const TurnBetween> observed,
                                                       double largest) {
  std::vector<RateInterval> intervals = {{-largest, largest}};
  for (const TurnBetween& seen : observed) {
    std::vector<RateInterval> parts;
    for (const RateInterval& interval : intervals) {
      narrow(interval, seen, parts);
      if (parts.size() > kMostIntervals) return std::nullopt;
    }
    intervals = std::move(parts);
  }
  return intervals;
}

}  // namespace rope
