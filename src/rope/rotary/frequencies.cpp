#include "rope/rotary/frequencies.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"
#include "rope/rotary/turns_kernel.hpp"

namespace rope {
namespace {

constexpr int kSmallestExponent = -1000;  // of θ: keeps 2π/θ within double
constexpr int kLargestExponent = 64;      // of θ: keeps enough of the 256 bits behind the point

void check_rotary_dim(std::size_t rotary_dim) {
  if (rotary_dim < 2 || rotary_dim > kMaxRotaryDim || rotary_dim % 2 != 0)
    throw ShapeError("rotary_dim: expected an even integer from 2 to " +
                     std::to_string(kMaxRotaryDim) + ", got " + std::to_string(rotary_dim));
}

/// The fraction of a turn per token, to the nearest 2^-128.
TurnFraction turn_fraction(const ExactReal& turns) {
  static const ExactReal two_64 = ldexp(ExactReal(1), 64);
  // Rounding at 2^-128 may carry into the next whole turn, which fmod then drops.
  const ExactReal steps = round(ldexp(turns - floor(turns), 128));
  const ExactReal high = floor(ldexp(steps, -64));
  const ExactReal low = steps - ldexp(high, 64);
  return {high == two_64 ? 0 : static_cast<std::uint64_t>(high), static_cast<std::uint64_t>(low)};
}

}  // namespace

std::vector<ExactReal> exact_geometric(const ExactReal& base, std::size_t rotary_dim) {
  // One power, then products: 32768 of them cost 2^-241 of the 256 bits at most.
  const ExactReal ratio = exp(-log(base) * 2 / ExactReal(rotary_dim));
  std::vector<ExactReal> theta((rotary_dim + 1) / 2);
  if (!theta.empty()) theta[0] = 1;
  for (std::size_t i = 1; i < theta.size(); ++i) theta[i] = theta[i - 1] * ratio;
  return theta;
}

Frequencies round_frequencies(std::span<const ExactReal> theta) {
  if (theta.empty() || theta.size() > kMaxRotaryDim / 2)
    throw ShapeError("frequencies: expected 1 to " + std::to_string(kMaxRotaryDim / 2) +
                     " values, got " + std::to_string(theta.size()));
  const ExactReal smallest = ldexp(ExactReal(1), kSmallestExponent);
  const ExactReal largest = ldexp(ExactReal(1), kLargestExponent);
  const ExactReal& two_pi = exact_two_pi();
  const ExactReal per_radian = 1 / two_pi;  // turns
  Frequencies result;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const ExactReal& exact = theta[i];
    if (!(exact == 0 || (exact >= smallest && exact <= largest)))
      throw DomainError("frequency of pair " + std::to_string(i) +
                            ": expected 0 or a value from 2^-1000 to 2^64 rad/token, got " +
                            exact.text(),
                        "Choose a base closer to 10000, or smaller frequencies.");
    result.theta.push_back(static_cast<double>(exact));
    result.wavelength.push_back(exact == 0 ? std::numeric_limits<double>::infinity()
                                           : static_cast<double>(two_pi / exact));
    result.turns.push_back(turn_fraction(exact * per_radian));
  }
  return result;
}

Frequencies geometric_frequencies(double base, std::size_t rotary_dim) {
  check_rotary_dim(rotary_dim);
  if (!(base > 0) || !std::isfinite(base))
    throw DomainError("base: expected a finite number above 0, got " + number_text(base));
  return round_frequencies(exact_geometric(ExactReal(base), rotary_dim));
}

Frequencies given_frequencies(std::span<const double> theta) {
  std::vector<ExactReal> exact;
  for (const double value : theta) {
    if (!std::isfinite(value))
      throw DomainError("frequencies: expected finite numbers, got " + number_text(value));
    exact.emplace_back(value);
  }
  return round_frequencies(exact);
}

Frequencies power_frequencies(int power, std::size_t rotary_dim) {
  check_rotary_dim(rotary_dim);
  if (power != 1 && power != 2)
    throw DomainError("power: expected 1 (linear) or 2 (quadratic), got " + std::to_string(power));
  const std::size_t pairs = rotary_dim / 2;
  std::vector<ExactReal> theta;
  for (std::size_t i = 0; i < pairs; ++i) {
    const ExactReal ratio = ExactReal(i) / ExactReal(pairs);
    theta.push_back(power == 1 ? ratio : ratio * ratio);
  }
  return round_frequencies(theta);
}

std::vector<double> turns_within(const Frequencies& frequencies, std::int64_t context) {
  std::vector<double> turns;
  for (const double wavelength : frequencies.wavelength)
    turns.push_back(static_cast<double>(context) / wavelength);
  return turns;
}

std::vector<std::size_t> incomplete_pairs(const Frequencies& frequencies, std::int64_t context) {
  std::vector<std::size_t> incomplete;
  const std::vector<double> turns = turns_within(frequencies, context);
  for (std::size_t i = 0; i < turns.size(); ++i)
    if (!(turns[i] >= 1)) incomplete.push_back(i);
  return incomplete;
}

std::vector<double> reduced_angles(const Frequencies& frequencies, std::int64_t position) {
  std::vector<double> angles;
  for (const TurnFraction& turns : frequencies.turns)
    angles.push_back(kernel::kTwoPi *
                     std::ldexp(static_cast<double>((position * turns).high), -64));
  return angles;
}

}  // namespace rope
