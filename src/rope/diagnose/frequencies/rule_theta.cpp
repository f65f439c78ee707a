#include "rope/diagnose/frequencies/rule_theta.hpp"

#include <cmath>
#include <numbers>

#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

}  // namespace

std::vector<double> unscaled_theta(double base, std::size_t pairs) {
  std::vector<double> theta(pairs);
  for (std::size_t i = 0; i < pairs; ++i)
    theta[i] = std::exp(-std::log(base) * static_cast<double>(i) / static_cast<double>(pairs));
  return theta;
}

std::vector<double> yarn_theta(double base, const std::vector<double>& unscaled, double factor,
                               double original, std::pair<double, double> beta, bool truncate) {
  const double r = 2 * static_cast<double>(unscaled.size());
  const auto dimension = [&](double turns) {
    return r * std::log(original / (turns * kTurn)) / (2 * std::log(base));
  };
  double low = dimension(beta.first), high = dimension(beta.second);
  if (truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = larger(low, 0.0);
  high = smaller(high, r - 1);
  if (low == high) high += 0.001;
  std::vector<double> theta = unscaled;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double ramp = smaller(larger((static_cast<double>(i) - low) / (high - low), 0.0), 1.0);
    theta[i] = theta[i] * (1 - ramp) + theta[i] / factor * ramp;
  }
  return theta;
}

std::vector<double> llama3_theta(const std::vector<double>& unscaled, double factor,
                                 double original, std::pair<double, double> low_high) {
  std::vector<double> theta = unscaled;
  for (double& each : theta) {
    const double turns = original * each / kTurn;
    if (turns < low_high.first) {
      each /= factor;
    } else if (turns <= low_high.second && low_high.first != low_high.second) {
      const double smooth = (turns - low_high.first) / (low_high.second - low_high.first);
      each = (1 - smooth) * each / factor + smooth * each;
    }
  }
  return theta;
}

}  // namespace rope
