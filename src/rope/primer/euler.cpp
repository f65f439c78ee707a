#include "rope/primer/euler.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "rope/error.hpp"
#include "rope/primer/roundoff.hpp"
#include "rope/primer/taylor.hpp"
#include "rope/rotary/exact_real.hpp"

namespace rope::primer {
namespace {

void check_steps(double angle, std::size_t steps) {
  if (!(std::abs(angle) <= kLargestSeriesAngle))
    throw DomainError(Subject{"angle"},
                      "expected a size of at most 700 radians, got " + number_text(angle),
                      "The steps of larger angles overflow.");
  if (steps == 0 || steps > kMostSteps)
    throw DomainError(Subject{"steps"}, "expected 1 to " + std::to_string(kMostSteps) + ", got " +
                                            std::to_string(steps));
}

}  // namespace

std::vector<Complex> compound_path(double angle, std::size_t steps) {
  check_steps(angle, steps);
  std::vector<Complex> path;
  path.reserve(steps + 1);
  path.push_back({1, 0});
  const double step = angle / static_cast<double>(steps);
  for (std::size_t k = 0; k < steps; ++k)
    path.push_back(path.back() + scaled(step, times_i(path.back())));
  return path;
}

double compound_error(double angle, std::size_t steps) {
  check_steps(angle, steps);
  const auto n = static_cast<double>(steps);
  const double step = angle / n;
  const double length = std::sqrt(1 + step * step);
  double growth = 1;  // g^{n−1}
  for (std::size_t k = 1; k < steps; ++k) growth *= length;
  const double bound = step * step * n / 2 * growth + gamma(4 * n) * growth * length;
  return bound * (1 + 2 * gamma(5 * n + 10));
}

HalfTurn half_turn(double pi) {
  if (!(std::abs(pi - std::numbers::pi) <= 1))
    throw DomainError(Subject{"pi"},
                      "expected a number within 1 of 3.14159, got " + number_text(pi));
  HalfTurn result;
  result.gap = static_cast<double>(exact_two_pi() / 2 - ExactReal(pi));
  // 2 sin(x/2) = x − x³/(4·3!) + x⁵/(16·5!) …, x ≤ 1: the tenth term is below 1e-22 of the first.
  const double x = std::abs(result.gap);
  double term = x;
  for (int n = 1; n <= 10; ++n) {
    result.distance += term;
    term *= -x * x / (4.0 * (2 * n) * (2 * n + 1));
  }
  return result;
}

double pi_in_bits(int bits) {
  if (bits < 2 || bits > 53)
    throw DomainError(Subject{"bits"}, "expected 2 to 53, got " + std::to_string(bits));
  return std::ldexp(std::nearbyint(std::ldexp(std::numbers::pi, bits - 2)), 2 - bits);
}

}  // namespace rope::primer
