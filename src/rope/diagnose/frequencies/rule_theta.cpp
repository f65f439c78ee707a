#include "rope/diagnose/frequencies/rule_theta.hpp"

#include <cmath>
#include <numbers>

#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

}  // namespace

double unscaled_theta(double base, std::size_t k, std::size_t pairs) {
  return std::exp(-std::log(base) * static_cast<double>(k) / static_cast<double>(pairs));
}

std::vector<double> yarn_theta(double base, std::size_t pairs, double factor, double original,
                               std::pair<double, double> beta, bool truncate) {
  const double r = 2 * static_cast<double>(pairs);
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
  std::vector<double> theta;
  for (std::size_t k = 0; k < pairs; ++k) {
    const double ramp = smaller(larger((static_cast<double>(k) - low) / (high - low), 0.0), 1.0);
    const double kept = unscaled_theta(base, k, pairs);
    theta.push_back(kept * (1 - ramp) + kept / factor * ramp);
  }
  return theta;
}

std::vector<double> llama3_theta(double base, std::size_t pairs, double factor, double original,
                                 std::pair<double, double> low_high) {
  std::vector<double> theta;
  for (std::size_t k = 0; k < pairs; ++k) {
    const double kept = unscaled_theta(base, k, pairs);
    const double turns = original * kept / kTurn;
    if (turns < low_high.first) {
      theta.push_back(kept / factor);
    } else if (turns > low_high.second || low_high.first == low_high.second) {
      theta.push_back(kept);
    } else {
      const double smooth = (turns - low_high.first) / (low_high.second - low_high.first);
      theta.push_back((1 - smooth) * kept / factor + smooth * kept);
    }
  }
  return theta;
}

}  // namespace rope
