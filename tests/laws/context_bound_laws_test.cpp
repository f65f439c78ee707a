// Where B(Δ) = Σ_i cos(Δθ_i) is first negative, against 500 bits: its sign at every distance that
// counts, and its first root, also where the sum nearly cancels or touches 0.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "rope/attention/base_bounds.hpp"
#include "rope/attention/context_bound.hpp"
#include "support/exact.hpp"

namespace rope {
namespace {

using test::Exact;

Exact exact_sum(const Frequencies& frequencies, const Exact& distance) {
  Exact sum = 0;
  for (const TurnFraction& fraction : frequencies.turns) {
    const Exact turns = distance * test::turns(fraction);
    sum += cos(test::two_pi() * (turns - floor(turns)));
  }
  return sum;
}

/// What is lost with the turns beyond 2^-128 a token.
Exact lost(const Frequencies& frequencies, const Exact& distance) {
  return 2 * test::two_pi() * Exact(frequencies.pairs()) * distance * ldexp(Exact(1), -128);
}

void expect_first_negative(const Frequencies& frequencies, std::int64_t limit) {
  const FirstNegative found = first_negative(frequencies, limit);
  EXPECT_EQ(found.distance, first_negative_distance(frequencies, limit));
  for (std::int64_t distance = 1; distance < found.distance.value_or(limit + 1); ++distance)
    ASSERT_GE(exact_sum(frequencies, distance), 0) << distance;
  if (found.distance) {
    ASSERT_LT(exact_sum(frequencies, *found.distance), 0) << *found.distance;
    ASSERT_LE(found.root.value(), static_cast<double>(*found.distance));
  }
  if (!found.root) return;
  ASSERT_GT(*found.root, 0);
  // B falls through 0 between the neighbours of the root, or touches it there.
  const double infinity = std::numeric_limits<double>::infinity();
  const Exact before = std::nextafter(*found.root, 0),
              after = std::nextafter(*found.root, infinity);
  EXPECT_GT(exact_sum(frequencies, before), 0) << *found.root;
  EXPECT_LE(exact_sum(frequencies, after), lost(frequencies, after)) << *found.root;
  // No root before it, as far as looking can tell.
  for (int i = 1; i < 500; ++i)
    ASSERT_GT(exact_sum(frequencies, Exact(i) / 500 * before), 0) << i << " of 500";
}

TEST(ContextBoundLaws, TheFirstNegativeSumAndTheFirstRootAreThoseOf500Bits) {
  for (const std::size_t dim : {2U, 4U, 6U, 10U, 32U, 64U})
    for (const double base : {1.0, 2.0, 100.0, 1e4, 5e5}) {
      SCOPED_TRACE(testing::Message() << "dim " << dim << ", base " << base);
      expect_first_negative(geometric_frequencies(base, dim), 600);
    }
}

TEST(ContextBoundLaws, TwoPairsThatNearlyCancelAreToldApart) {
  // cos Δ + cos(Δθ) comes to 0 as near as Δ comes to an odd multiple of π: 355 to 113π.
  for (const double base :
       {1e8, 1e12, 138689866069045.14, 1.3868986607e14, 1.5e14, 1e15, 1e18, 1e20, 1e24, 1e30}) {
    SCOPED_TRACE(base);
    expect_first_negative(geometric_frequencies(base, 4), 1200);
  }
}

TEST(ContextBoundLaws, TheSmallestBaseOfTwoPairsServesItsLengthInExactArithmetic) {
  for (const std::int64_t length : {20, 100, 356, 700}) {
    const double base = smallest_base(length, 4).value().base;
    const auto fails = [&](double b) {
      for (std::int64_t distance = 1; distance < length; ++distance)
        if (exact_sum(geometric_frequencies(b, 4), distance) < 0) return true;
      return false;
    };
    EXPECT_FALSE(fails(base)) << length;
    EXPECT_TRUE(fails(base * (1 - 1e-7))) << length;
  }
}

TEST(ContextBoundLaws, ASearchEndsHoweverSlowlyThePairsTurn) {
  for (const double scale : {1e6, 4e8, 1e9, 2147483648.0, 1e18, 1e100, 1e290}) {
    std::vector<double> theta;
    for (const double each : geometric_frequencies(1e4, 128).theta) theta.push_back(each / scale);
    const FirstNegative found = first_negative(given_frequencies(theta), 1 << 20);
    EXPECT_FALSE(found.distance) << scale;
    EXPECT_FALSE(found.root) << scale;
  }
  const FirstNegative never =
      first_negative(given_frequencies(std::vector<double>(64, 0.0)), 1 << 20);
  EXPECT_FALSE(never.distance || never.root);
}

}  // namespace
}  // namespace rope
