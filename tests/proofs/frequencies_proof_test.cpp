// θ_k = b^(−2k/r) and θ_k/2π mod 1 within their bounds, proved for each base and size of a list:
// θ_k^r·b^2k is 1, and how far the number that stands for θ_k is from that, in intervals of
// products alone, bounds its error. So nothing is assumed of the logarithm and the exponential it
// was made with.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "rope/precision/largest.hpp"
#include "rope/rotary/exact_real.hpp"
#include "rope/rotary/frequencies.hpp"

namespace rope {
namespace {

constexpr mpfr_prec_t kBits =
    1400;  // of the ends of intervals: whole turns of 2^64, and 2^-1000 with its 256 bits
constexpr double kRelative = 0x1p-230;  // what exact_geometric promises
constexpr double kTurns = 0x1p-128;     // what round_frequencies promises

/// Numbers above 0 that lie between two others.
class Interval {
 public:
  explicit Interval(double value) : Interval() {
    mpfr_set_d(low_, value, MPFR_RNDD);
    mpfr_set_d(high_, value, MPFR_RNDU);
  }
  /// The 256 bits of a number, exactly: as doubles that add up to it.
  explicit Interval(ExactReal value) : Interval(0.0) {
    constexpr int kUp = 600;  // what is left after a few doubles would be below the smallest
    value = ldexp(value, kUp);
    while (!(value == 0)) {
      const auto part = static_cast<double>(value);
      mpfr_add_d(low_, low_, part, MPFR_RNDD);
      mpfr_add_d(high_, high_, part, MPFR_RNDU);
      value -= part;
    }
    mpfr_div_2ui(low_, low_, kUp, MPFR_RNDD);
    mpfr_div_2ui(high_, high_, kUp, MPFR_RNDU);
  }
  Interval(const Interval& other) : Interval() {
    mpfr_set(low_, other.low_, MPFR_RNDD);
    mpfr_set(high_, other.high_, MPFR_RNDU);
  }
  Interval& operator=(const Interval&) = delete;
  ~Interval() {
    mpfr_clear(low_);
    mpfr_clear(high_);
  }

  static Interval two_pi() {
    Interval result(0.0);
    mpfr_const_pi(result.low_, MPFR_RNDD);
    mpfr_const_pi(result.high_, MPFR_RNDU);
    return result.times(Interval(2.0));
  }

  Interval times(const Interval& other) const {
    Interval result(0.0);
    mpfr_mul(result.low_, low_, other.low_, MPFR_RNDD);
    mpfr_mul(result.high_, high_, other.high_, MPFR_RNDU);
    return result;
  }

  Interval over(const Interval& other) const {
    Interval result(0.0);
    mpfr_div(result.low_, low_, other.high_, MPFR_RNDD);
    mpfr_div(result.high_, high_, other.low_, MPFR_RNDU);
    return result;
  }

  Interval power(std::uint64_t exponent) const {
    Interval result(1.0), square(*this);
    for (; exponent > 0; exponent /= 2) {
      if (exponent % 2 == 1) result.take(result.times(square));
      square.take(square.times(square));
    }
    return result;
  }

  /// The same numbers, each wrong by a factor of up to 1 ± error.
  Interval give_or_take(double error) const {
    Interval result(0.0), factor(1.0);
    mpfr_sub_d(factor.low_, factor.low_, error, MPFR_RNDD);
    mpfr_add_d(factor.high_, factor.high_, error, MPFR_RNDU);
    return times(factor);
  }

  /// The largest |x − value|.
  double farthest_from(double value) const {
    mpfr_t difference;
    mpfr_init2(difference, kBits);
    double largest = 0;
    for (const auto* end : {&low_, &high_}) {
      mpfr_sub_d(difference, *end, value, MPFR_RNDA);
      largest = larger(largest, std::abs(mpfr_get_d(difference, MPFR_RNDA)));
    }
    mpfr_clear(difference);
    return largest;
  }

  /// The largest distance of x from a fraction of a turn, around the circle.
  double farthest_from(TurnFraction fraction) const {
    mpfr_t steps, difference, whole;
    mpfr_inits2(kBits, steps, difference, whole, static_cast<mpfr_ptr>(nullptr));
    mpfr_set_ui(steps, fraction.high, MPFR_RNDN);
    mpfr_mul_2ui(steps, steps, 64, MPFR_RNDN);
    mpfr_add_ui(steps, steps, fraction.low, MPFR_RNDN);
    mpfr_div_2ui(steps, steps, 128, MPFR_RNDN);
    double largest = 0;
    for (const auto* end : {&low_, &high_}) {
      mpfr_sub(difference, *end, steps, MPFR_RNDA);
      mpfr_rint_round(whole, difference, MPFR_RNDN);
      mpfr_sub(difference, difference, whole, MPFR_RNDA);
      largest = larger(largest, std::abs(mpfr_get_d(difference, MPFR_RNDA)));
    }
    mpfr_clears(steps, difference, whole, static_cast<mpfr_ptr>(nullptr));
    return largest;
  }

 private:
  Interval() {
    mpfr_init2(low_, kBits);
    mpfr_init2(high_, kBits);
  }
  void take(const Interval& other) {
    mpfr_set(low_, other.low_, MPFR_RNDD);
    mpfr_set(high_, other.high_, MPFR_RNDU);
  }

  mpfr_t low_, high_;
};

/// A bound of |θ̂/θ − 1| for θ = b^(−2k/r). With θ̂/θ = 1 + δ the product θ̂^r·b^2k is (1 + δ)^r, so
/// where that is within w < 1 of 1, |δ| ≤ (w/r)/(1 − w).
double relative_error(const ExactReal& theta, double base, std::size_t k, std::size_t r) {
  const Interval one = Interval(theta).power(r).times(Interval(base).power(2 * k));
  const double w = one.farthest_from(1);
  constexpr double kOfThisLine = 1 + 1e-12;  // its own roundings
  return w < 0.5 ? w / static_cast<double>(r) / (1 - w) * kOfThisLine : HUGE_VAL;
}

struct Largest {
  double relative = 0, turns = 0;  // errors, each at most this
  std::size_t proved = 0;
};

/// Every pair, or every `step`-th.
void prove(double base, std::size_t r, std::size_t step, Largest& largest) {
  const std::vector<ExactReal> theta = exact_geometric(base, r);
  const Frequencies frequencies = geometric_frequencies(base, r);
  const Interval two_pi = Interval::two_pi();
  for (std::size_t k = 0; k < theta.size(); k += step) {
    const double error = relative_error(theta[k], base, k, r);
    const double turns =
        Interval(theta[k]).give_or_take(error).over(two_pi).farthest_from(frequencies.turns[k]);
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
  TurnFraction turns = geometric_frequencies(10000, 128).turns[5];
  const Interval exact = Interval(theta).over(Interval::two_pi());
  EXPECT_LE(exact.farthest_from(turns), kTurns);
  ++turns.low;
  ++turns.low;
  EXPECT_GT(exact.farthest_from(turns), kTurns);
}

}  // namespace
}  // namespace rope
