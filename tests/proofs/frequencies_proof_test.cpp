// θ_i = b^(−2i/r) and θ_i/2π mod 1 within their bounds, proved for each base and size of a list:
// θ_i^r·b^(2i) is 1, and how far the number that stands for θ_i is from that, in intervals of
// products alone, bounds its error. So nothing is assumed of the logarithm and the exponential it
// was made with.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "rope/precision/largest.hpp"
#include "rope/rotary/exact_real.hpp"
#include "rope/rotary/frequencies.hpp"
#include "support/turn_interval.hpp"

namespace rope {
namespace {

// Whole turns of 2^64, and 2^-1000 with its 256 bits.
using Interval = test::IntervalOf<1400>;
constexpr double kRelative = 0x1p-230;  // what exact_geometric promises
constexpr double kTurns = 0x1p-128;     // what round_frequencies promises

/// The 256 bits of a number, exactly: as doubles that add up to it.
Interval interval(ExactReal value) {
  constexpr int kUp = 600;  // what is left after a few doubles would be below the smallest
  Interval result;
  value = ldexp(value, kUp);
  while (!(value == 0)) {
    const auto part = static_cast<double>(value);
    result += part;
    value -= part;
  }
  return result * Interval::power_of_two(-kUp);
}

Interval turns_of(const Interval& theta) { return theta / (Interval(2.0) * Interval::pi()); }

/// The largest distance of a number of turns from a fraction of one, around the circle.
double farthest(const Interval& turns, TurnFraction fraction) {
  return test::turns_between(turns, fraction).high();
}

/// A bound of |θ̂/θ − 1| for θ = b^(−2i/r). With θ̂/θ = 1 + δ the product θ̂^r·b^(2i) is (1 + δ)^r, so
/// where that is within w < 1 of 1, |δ| ≤ (w/r)/(1 − w).
double relative_error(const ExactReal& theta, double base, std::size_t k, std::size_t r) {
  const Interval one = power(interval(theta), r) * power(Interval(base), 2 * k);
  const Interval w = abs(one - Interval(1.0));
  if (!surely_at_most(w, Interval(0.5))) return HUGE_VAL;
  return (w / Interval(static_cast<double>(r)) / (Interval(1.0) - w)).high();
}

struct Largest {
  double relative = 0, turns = 0;  // errors, each at most this
  std::size_t proved = 0;
};

/// Every pair, or every `step`-th.
void prove(double base, std::size_t r, std::size_t step, Largest& largest) {
  const std::vector<ExactReal> theta = exact_geometric(base, r);
  const Frequencies frequencies = geometric_frequencies(base, r);
  for (std::size_t k = 0; k < theta.size(); k += step) {
    const double error = relative_error(theta[k], base, k, r);
    const Interval exact = interval(theta[k]) * (Interval(1.0) + Interval::between(-error, error));
    const double turns = farthest(turns_of(exact), frequencies.turns[k]);
    ASSERT_TRUE(rounds_to(exact, frequencies.theta[k])) << base << ", " << k << " of " << r / 2;
    ASSERT_TRUE(rounds_to(Interval(1.0) / turns_of(exact), frequencies.wavelength[k]))
        << base << ", " << k << " of " << r / 2;
    ASSERT_LE(error, kRelative) << "base " << base << ", pair " << k << " of " << r / 2;
    ASSERT_LE(turns, kTurns) << "base " << base << ", pair " << k << " of " << r / 2;
    largest.relative = larger(largest.relative, error);
    largest.turns = larger(largest.turns, turns);
    ++largest.proved;
  }
}

TEST(FrequencyProof, ThetaAndItsTurnsAreWithinTheirBoundsForEveryUsualBaseAndSize) {
  Largest largest;
  for (const double base : {0.5, 1.0001, 2.0, 100.0, 1e4, 1.5e4, 2.5e4, 1e5, 1.6e5, 5e5, 1e6, 5e6,
                            8e6, 1e7, 1e9, 1e300})
    for (const std::size_t r : {2U, 6U, 16U, 32U, 40U, 64U, 72U, 80U, 96U, 128U, 192U, 256U, 512U})
      ASSERT_NO_FATAL_FAILURE(prove(base, r, 1, largest));
  ASSERT_NO_FATAL_FAILURE(prove(1e4, 65536, 127, largest));  // the largest size there is
  RecordProperty("pairs", static_cast<int>(largest.proved));
  RecordProperty("log2 of the largest relative error", std::to_string(std::log2(largest.relative)));
  RecordProperty("log2 of the largest error of turns", std::to_string(std::log2(largest.turns)));
}

TEST(FrequencyProof, ThetaAndItsTurnsAreWithinTheirBoundsForBasesThatAreDrawn) {
  std::mt19937_64 random(1);
  Largest largest;
  for (int i = 0; i < 500; ++i) {
    const double base = std::exp(std::uniform_real_distribution<>(1e-4, 690)(random));
    const std::size_t r = 2 * std::uniform_int_distribution<std::size_t>(1, 512)(random);
    ASSERT_NO_FATAL_FAILURE(prove(base, r, std::max<std::size_t>(r / 16, 1), largest));
  }
}

// What is 2^-229 off, or half a step of turns more than allowed, is seen.
TEST(FrequencyProof, NumbersThatAreOffAreNotProved) {
  const ExactReal theta = exact_geometric(ExactReal(10000), 128)[5];
  const ExactReal off = theta * (ExactReal(1) + ldexp(ExactReal(1), -229));
  EXPECT_LE(relative_error(theta, 10000, 5, 128), kRelative);
  EXPECT_GT(relative_error(off, 10000, 5, 128), kRelative);
  EXPECT_GT(relative_error(ExactReal(std::pow(10000.0, -10.0 / 128)), 10000, 5, 128), 0x1p-60);
  const Frequencies frequencies = geometric_frequencies(10000, 128);
  TurnFraction turns = frequencies.turns[5];
  const Interval exact = turns_of(interval(theta));
  EXPECT_TRUE(rounds_to(interval(theta), frequencies.theta[5]));
  for (const double beyond : {0.0, 1.0})
    EXPECT_FALSE(rounds_to(interval(theta), std::nextafter(frequencies.theta[5], beyond)));
  EXPECT_LE(farthest(exact, turns), kTurns);
  ++turns.low;
  ++turns.low;
  EXPECT_GT(farthest(exact, turns), kTurns);
}

}  // namespace
}  // namespace rope
