#include "rope/diagnose/frequencies/common_divisor.hpp"

#include <cmath>

#include "rope/precision/largest.hpp"

namespace rope {
namespace {

/// How far the pairs are from agreeing on a base if ln θ_0 is `log_scale`: the largest lower bound
/// of ln b minus the smallest upper bound. As a maximum of linear functions it is convex.
double disagreement(const MeasuredTheta& measured, double log_scale) {
  double low = -HUGE_VAL, high = HUGE_VAL;
  for (std::size_t k = 1; k < measured.pairs(); ++k) {
    if (!measured.resolved(k)) continue;
    const double slack = measured.error[k] + 1e-15 * measured.theta[k];
    const double times = static_cast<double>(measured.pairs()) / static_cast<double>(k);
    low = larger(low, (log_scale - std::log(measured.theta[k] + slack)) * times);
    high = smaller(high, (log_scale - std::log(measured.theta[k] - slack)) * times);
  }
  return low - high;
}

}  // namespace

DivisorInterval divisor_interval(const MeasuredTheta& measured) {
  constexpr int kHalvings = 100;
  if (!measured.resolved(0)) return {};
  const double slack = measured.error[0] + 1e-15 * measured.theta[0];
  const double low = std::log(measured.theta[0] - slack);
  const double high = std::log(measured.theta[0] + slack);
  double left = low, right = high;
  for (int i = 0; i < kHalvings; ++i) {
    const double a = left + (right - left) / 3, b = right - (right - left) / 3;
    (disagreement(measured, a) < disagreement(measured, b) ? right : left) =
        disagreement(measured, a) < disagreement(measured, b) ? b : a;
  }
  const double best = left + (right - left) / 2;
  if (disagreement(measured, best) > 0) return {};
  // From where they agree to where they do not, or to the end.
  const auto end = [&](double outside) {
    if (disagreement(measured, outside) <= 0) return outside;
    double inside = best;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = inside + (outside - inside) / 2;
      (disagreement(measured, middle) <= 0 ? inside : outside) = middle;
    }
    return inside;
  };
  return {std::exp(-end(high)), std::exp(-end(low)), true};
}

}  // namespace rope
