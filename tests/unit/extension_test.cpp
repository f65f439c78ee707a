// What a longer context meets: angles that training saw or did not, and what a base must be for it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "rope/attention/base_bounds.hpp"
#include "rope/attention/context_bound.hpp"
#include "rope/error.hpp"
#include "rope/rotary/unseen_angles.hpp"

namespace rope {
namespace {

constexpr double kPi = std::numbers::pi;

/// The share by comparing every new angle with every trained one, in floating point.
double unseen_by_hand(double trained, double extended, std::int64_t trained_length,
                      std::int64_t length, double tolerance) {
  std::int64_t unseen = 0;
  for (std::int64_t p = trained_length; p < length; ++p) {
    bool seen = false;
    for (std::int64_t q = 0; q < trained_length && !seen; ++q) {
      const double apart = std::remainder(
          static_cast<double>(p) * extended - static_cast<double>(q) * trained, 2 * kPi);
      seen = std::abs(apart) <= tolerance;
    }
    unseen += seen ? 0 : 1;
  }
  return static_cast<double>(unseen) / static_cast<double>(length - trained_length);
}

TEST(AngleCoverage, IsTheShareThatComparingEveryAngleFinds) {
  const std::vector<double> trained = {1, 0.3, 0.011, 1e-3, 6.2, 3.0, 0, 2 * kPi / 5};
  const std::vector<double> extended = {1, 0.1, 0.011, 2e-4, 6.2, 0.7, 0, 0.7};
  for (const double tolerance : {1e-6, 0.05, 0.5, kPi}) {
    const AngleCoverage c =
        angle_coverage(given_frequencies(trained), given_frequencies(extended), 40, 170, tolerance);
    for (std::size_t k = 0; k < trained.size(); ++k)
      EXPECT_EQ(c.unseen[k], unseen_by_hand(trained[k], extended[k], 40, 170, tolerance))
          << "pair " << k << ", tolerance " << tolerance;
  }
}

TEST(AngleCoverage, OfOneTrainedPositionIsAllThatDoesNotComeBackToIt) {
  const std::vector<double> theta = {1, 0.3, 0.04, 1e-3, 6.2, 0};
  const Frequencies frequencies = given_frequencies(theta);
  for (const double tolerance : {1e-6, 0.05, 0.5, 2.9, kPi}) {
    const AngleCoverage c = angle_coverage(frequencies, frequencies, 1, 170, tolerance);
    for (std::size_t k = 0; k < theta.size(); ++k)
      EXPECT_EQ(c.unseen[k], unseen_by_hand(theta[k], theta[k], 1, 170, tolerance))
          << "pair " << k << ", tolerance " << tolerance;
  }
  const std::vector<double> fan = angle_fan(frequencies, frequencies, 0, 1, 2, 8);
  EXPECT_EQ(fan, (std::vector<double>{1, 2, 0, 0, 0, 0, 0, 0})) << "0 and 1 rad";
}

TEST(AngleCoverage, OfTheUsualModelIsThatOfTheSlowPairs) {
  const Frequencies frequencies = geometric_frequencies(10000, 128);
  const AngleCoverage c = angle_coverage(frequencies, frequencies, 2048, 8192);
  EXPECT_EQ(c.unseen[0], 0);
  EXPECT_NEAR(c.unseen[47], 0.646, 5e-4);
  EXPECT_NEAR(c.unseen[63], 0.930, 5e-4);
  EXPECT_FALSE(c.never_turned[40]);
  EXPECT_TRUE(c.never_turned[41]) << "23 of 64";
  for (const double reach : c.reach) EXPECT_NEAR(reach, 4, 4e-15);
}

TEST(AngleCoverage, OfNoExtensionIsNothing) {
  const Frequencies frequencies = geometric_frequencies(10000, 8);
  const AngleCoverage c = angle_coverage(frequencies, frequencies, 5, 5);
  EXPECT_EQ(c.unseen, std::vector<double>(4, 0));
  EXPECT_EQ(c.reach, std::vector<double>(4, 1));
}

TEST(AngleCoverage, OfAPairThatNeverTurnsHasNoReach) {
  const std::vector<double> still = {0};
  const AngleCoverage c = angle_coverage(given_frequencies(still), given_frequencies(still), 1, 10);
  EXPECT_TRUE(std::isnan(c.reach[0]));
  EXPECT_EQ(c.unseen[0], 0);
  EXPECT_TRUE(c.never_turned[0]);
}

TEST(AngleCoverage, RefusesLengthsAndSizesThatDoNotFit) {
  const Frequencies four = geometric_frequencies(10000, 4), eight = geometric_frequencies(10000, 8);
  EXPECT_THROW(angle_coverage(four, eight, 1, 2), ShapeError);
  EXPECT_THROW(angle_coverage(four, four, 0, 2), DomainError);
  EXPECT_THROW(angle_coverage(four, four, 3, 2), DomainError);
  EXPECT_THROW(angle_coverage(four, four, 1, (1 << 24) + 1), DomainError);
  EXPECT_THROW(angle_coverage(four, four, 1, 2, -1), DomainError);
}

TEST(AngleReach, IsThatOfTheCoverage) {
  const Frequencies trained = geometric_frequencies(10000, 64);
  const Frequencies extended = geometric_frequencies(50000, 64);
  EXPECT_EQ(angle_reach(trained, extended, 300, 1000),
            angle_coverage(trained, extended, 300, 1000).reach);
  EXPECT_THROW(angle_reach(trained, geometric_frequencies(10000, 32), 300, 1000), ShapeError);
  EXPECT_THROW(angle_reach(trained, extended, 300, 299), DomainError);
}

TEST(WidestGap, OfEqualStepsIsOneOfThemAndOfOneAngleTheWholeCircle) {
  Frequencies eighths = given_frequencies(std::vector<double>{kPi / 4, 1});
  eighths.turns[0] = {std::uint64_t{1} << 61, 0};
  EXPECT_EQ(widest_gap(eighths, 0, 1), 2 * kPi);
  EXPECT_EQ(widest_gap(eighths, 0, 2), 7 * kPi / 4);
  EXPECT_EQ(widest_gap(eighths, 0, 8), kPi / 4);
  EXPECT_EQ(widest_gap(eighths, 0, 100), kPi / 4);
  EXPECT_EQ(widest_gap(given_frequencies(std::vector<double>{0}), 0, 5), 2 * kPi);
  EXPECT_THROW(widest_gap(eighths, 2, 8), DomainError);
  EXPECT_THROW(widest_gap(eighths, 0, 0), DomainError);
}

TEST(WidestGap, LeavesNoAngleFartherThanHalfOfItFromASeenOne) {
  const Frequencies fast = given_frequencies(std::vector<double>{1, 2.5});
  for (const std::size_t pair : {0U, 1U}) {
    const double half = widest_gap(fast, pair, 200) / 2;
    const auto unseen = [&](double tolerance) {
      return angle_coverage(fast, fast, 200, 100000, tolerance).unseen[pair];
    };
    EXPECT_EQ(unseen(half * (1 + 1e-9)), 0);
    EXPECT_GT(unseen(half * 0.99), 0);
  }
}

TEST(AngleFan, TellsTrainedAnglesFromNewOnes) {
  const std::vector<double> quarter = {2 * kPi / 8};
  const Frequencies frequencies = given_frequencies(quarter);
  // Positions 0, 1, 2 were trained, 3 and 4 are new: eighths of a turn, within rounding below.
  const std::vector<double> fan = angle_fan(frequencies, frequencies, 0, 3, 5, 4);
  EXPECT_EQ(fan[0], 1) << "positions 0 and 1";
  EXPECT_EQ(fan[3], 0);
  EXPECT_GT(fan[1], 0);
}

TEST(AngleFan, CountsAnAngleNearASeenOneAsSeen) {
  const std::vector<double> tenth = {2 * kPi / 10};
  const std::vector<double> twentieth = {2 * kPi / 20};
  const Frequencies trained = given_frequencies(tenth), extended = given_frequencies(twentieth);
  // Position 11 lies at 11/20 of the turn, 0.314 rad from the trained angles on both its sides.
  const auto fan = [&](double tolerance) {
    return angle_fan(trained, extended, 0, 11, 12, 20, tolerance);
  };
  EXPECT_EQ(std::ranges::count(fan(0.31), 2), 1);
  EXPECT_EQ(std::ranges::count(fan(0.32), 2), 0);
}

TEST(BaseBounds, TheCriticalBaseIsThatOfThePaper) {
  EXPECT_NEAR(critical_base(1e4, 4096, 8192), 26784.0, 0.05);
  EXPECT_NEAR(critical_base(1e4, 4096, 12288), 47661.5, 0.05);
  EXPECT_NEAR(critical_base(1e4, 4096, 16384), 71738.4, 0.05);
  EXPECT_NEAR(critical_base(5e5, 8192, 16384), 1776948.1, 0.05);
  EXPECT_THROW(critical_base(1, 4096, 8192), DomainError);
  EXPECT_THROW(critical_base(1e4, 6, 8192), DomainError);
}

TEST(BaseBounds, TheCoveringFactorKeepsEveryPairWithoutATurnWithinItsAngles) {
  const double factor = covering_factor(1e4, 128, 2048, 8192);
  EXPECT_NEAR(factor, std::pow(4.0, 128.0 / 82.0), 1e-14) << "pair 41 is the first without a turn";
  EXPECT_NEAR(factor, std::pow(4.0, 128.0 / 82), 1e-13);
  const AngleCoverage c = angle_coverage(geometric_frequencies(1e4, 128),
                                         geometric_frequencies(1e4 * factor, 128), 2048, 8192);
  for (std::size_t k = 0; k < 64; ++k)
    EXPECT_TRUE(!c.never_turned[k] || c.reach[k] <= 1 + 1e-12) << k;
  EXPECT_EQ(covering_factor(1e4, 8, 100000, 200000), 1) << "every pair turns";
}

TEST(BaseBounds, TheSmallestBaseIsThatOfADirectSearch) {
  EXPECT_NEAR(smallest_base(1024, 128).value().base, 4293.44, 0.01);
  EXPECT_NEAR(smallest_base(2048, 128).value().base, 11587.24, 0.01);
  EXPECT_THROW(smallest_base(1, 128), DomainError);
  EXPECT_THROW(smallest_base((std::int64_t{1} << 40) + 1, 128), DomainError);
}

// A look at every base in steps of 4e-3: what throws out each is not what the search uses.
TEST(BaseBounds, NoBaseBelowTheSmallestServes) {
  for (const std::size_t dim : {4U, 8U, 64U}) {
    const std::int64_t length = 300;
    const SmallestBase found = smallest_base(length, dim).value();
    EXPECT_TRUE(found.certified()) << dim;
    EXPECT_LE(found.none_below, found.base);
    for (double x = 0; std::exp(x) < found.none_below; x += 4e-3)
      ASSERT_TRUE(first_negative_distance(geometric_frequencies(std::exp(x), dim), length - 1))
          << dim << ": " << std::exp(x) << " serves, below " << found.none_below;
  }
}

// At 104348 the two cosines cancel to 1e-9: less than what a quick sum up to there may lose.
TEST(BaseBounds, ASumThatNearlyCancelsThrowsOutItsBasesToo) {
  const SmallestBase found = smallest_base(131072, 4).value();
  EXPECT_TRUE(found.certified()) << found.none_below << " to " << found.base;
  EXPECT_TRUE(first_negative_distance(geometric_frequencies(found.base * (1 - 1e-6), 4), 131071));
}

TEST(BaseBounds, WithOnePairNoBaseServesMoreThanTwoTokens) {
  EXPECT_EQ(smallest_base(2, 2).value().base, 1) << "cos 1 is positive";
  for (const std::int64_t length : {3, 64, 131072})
    EXPECT_FALSE(smallest_base(length, 2)) << length;
}

// From numpy: every base of two digits up to there and those around it, at every distance. 4300
// and 84000 serve by accident.
TEST(BaseBounds, TheRoundBaseIsThatOfADirectSearch) {
  EXPECT_EQ(round_base(2, 2, 1).value().base, 1);
  EXPECT_EQ(round_base(512, 64, 2).value().base, 5600);
  EXPECT_EQ(round_base(1024, 128, 4293.43).value().base, 6400);
  EXPECT_EQ(round_base(8192, 128, 83763.84).value().base, 190000);
  const RoundBase found = round_base(2048, 128, 11587.23).value();
  EXPECT_EQ(found.base, 19000);
  EXPECT_EQ(found.from, 18050);
  EXPECT_EQ(found.to, 19950);
  EXPECT_GT(round_base(2048, 128, found.base * (1 + 1e-9)).value().base, found.base);
  EXPECT_FALSE(round_base(3, 2, 1)) << "cos 2 is negative, whatever the base";
  EXPECT_THROW(round_base(1, 128, 1), DomainError);
  EXPECT_THROW(round_base(9, 128, 0.5), DomainError);
}

TEST(BaseBounds, TheSmallestBaseServesItsLengthAndOneJustBelowDoesNot) {
  const double base = smallest_base(512, 64).value().base;
  EXPECT_FALSE(first_negative(geometric_frequencies(base, 64), 511).distance);
  EXPECT_TRUE(first_negative(geometric_frequencies(base * (1 - 1e-6), 64), 511).distance);
}

}  // namespace
}  // namespace rope
