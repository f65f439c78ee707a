#include "rope/diagnose/frequencies/measured_theta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/precision/largest.hpp"

namespace rope {

bool MeasuredTheta::near(std::span<const double> other, double relative) const {
  for (std::size_t i = 0; i < theta.size(); ++i)
    if (!(std::abs(theta[i] - other[i]) <= 2 * error[i] + relative * other[i])) return false;
  return true;
}

BaseInterval base_interval(const MeasuredTheta& measured, double log_scale, std::size_t first,
                           std::size_t last, double relative) {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  const auto pairs = static_cast<double>(measured.pairs());
  for (std::size_t i = std::max<std::size_t>(first, 1); i <= last; ++i) {
    if (!measured.resolved(i)) continue;
    const double slack = measured.error[i] + (relative + 1e-15) * measured.theta[i];
    const double times = pairs / static_cast<double>(i);
    low = larger(low, (log_scale - std::log(measured.theta[i] + slack)) * times);
    high = smaller(high, (log_scale - std::log(measured.theta[i] - slack)) * times);
  }
  if (!(low <= high) || !std::isfinite(low) || !std::isfinite(high)) return {};
  return {std::exp(low) * (1 - 1e-15), std::exp(high) * (1 + 1e-15), true};
}

std::vector<double> base_candidates(const BaseInterval& interval) {
  std::vector<double> candidates;
  const double middle = std::sqrt(interval.low) * std::sqrt(interval.high);
  // A pipeline may round its frequencies by more than the measurement error: look a little further.
  for (const double width : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 0.0}) {
    const double low = smaller(interval.low, middle * (1 - width));
    const double high = larger(interval.high, middle * (1 + width));
    const double base = simplest_number(low, high);
    if (std::find(candidates.begin(), candidates.end(), base) == candidates.end())
      candidates.push_back(base);
  }
  if (std::find(candidates.begin(), candidates.end(), middle) == candidates.end())
    candidates.push_back(middle);
  return candidates;
}

}  // namespace rope
