// What multiprecision.hpp promises: an identity's error falls with the bits, a mistake's stays.

#include "rope/verify/multiprecision.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rope/error.hpp"

namespace rope {
namespace {

VerifyOptions options(std::uint64_t trials) {
  VerifyOptions result;
  result.embedding = default_embedding(16, 10000);
  result.layouts = {PairLayout::interleaved};
  result.policy = *find_policy("float64");
  result.trials = trials;
  return result;
}

const std::vector<int> kBits = {kFewestBits, 11, 24, 53, 64, 113, 237, 1000};

TEST(Multiprecision, TheErrorFallsAsTheBitsGrow) {
  const std::vector<MultiprecisionStep> steps = verify_in_bits(options(60), kBits);
  ASSERT_EQ(steps.size(), kBits.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const MultiprecisionStep& step = steps[i];
    const int bits = kBits[i];
    EXPECT_EQ(step.bits, bits);
    EXPECT_EQ(step.cases, 60U);
    EXPECT_EQ(step.violations, 0U) << bits;
    EXPECT_LE(step.max_error, step.bound) << bits;
    EXPECT_LE(step.max_ratio, 1) << bits;
    EXPECT_GT(step.max_ratio, 0.01) << bits;
    // Numbers of that many bits, not of more: the last addition alone loses this much in some case.
    EXPECT_GT(step.max_error, std::ldexp(1.0L, -bits - 4)) << bits;
  }
}

TEST(Multiprecision, TheBoundOfACaseFallsAsTwoToTheMinusBits) {
  VerifyOptions one = options(0);
  for (const std::uint64_t number : {0U, 3U, 9U}) {
    one.only_case = number;
    const std::vector<MultiprecisionStep> steps = verify_in_bits(one, {24, 53, 113, 1000});
    for (const MultiprecisionStep& step : steps) {
      EXPECT_EQ(step.cases, 1U);
      EXPECT_LE(step.max_error, step.bound);
    }
    for (std::size_t i = 2; i < steps.size(); ++i)  // at 24 bits terms of u² are still seen
      EXPECT_NEAR(static_cast<double>(
                      std::ldexp(steps[i].bound / steps[1].bound, steps[i].bits - steps[1].bits)),
                  1, 1e-12);
  }
}

TEST(Multiprecision, TheBoundIsThatOfItsFormula) {
  // One pair, θ = 0.5, q = k = (1, 0), m = 3, n = 5, in 24 bits.
  VerifyOptions given = options(0);
  given.embedding.head_dim = 2;
  given.embedding.base.reset();
  given.embedding.frequencies = given_frequencies(std::vector<double>{0.5});
  VerifyCase vectors;
  vectors.q = vectors.k = {1, 0};
  vectors.m = 3;
  vectors.n = 5;
  given.given = vectors;
  const double u = 0x1p-24, e = u / std::sqrt(2.0), y = 1 + e;
  const double rho = std::sqrt(2.0) * (2 * u + u * u), dy = rho * y, nu = 2 * u;
  const double left = nu * (y + dy) * (y + dy) + 2 * y * dy + dy * dy, right = nu * (y + dy) + dy;
  const double angles = u * 0.5 * (3 + 5 + 2);
  const auto bound = static_cast<double>(verify_in_bits(given, {24}).front().bound);
  EXPECT_NEAR(bound, angles + 3 * e + e * e + left + right, 1e-8 * bound);
  // Beyond 2^24 positions are rounded as well, and so is their product.
  given.embedding.frequencies = given_frequencies(std::vector<double>{0x1p-6});
  given.given->m = given.given->n = (1 << 24) + 1;
  const double far = 0x1p24 + 1;
  const double beyond = 2 * (u * far + u * (far + u * far)) * 0x1p-6;
  EXPECT_NEAR(static_cast<double>(verify_in_bits(given, {24}).front().bound),
              beyond + 2 * e + e * e + left + right, 1e-8 * beyond);
}

TEST(Multiprecision, TheErrorOfAMistakeStaysWhereItIs) {
  VerifyOptions wrong = options(40);
  wrong.control = find_control("wrong-sign");
  const std::vector<MultiprecisionStep> steps = verify_in_bits(wrong, {24, 53, 113, 1000});
  for (const MultiprecisionStep& step : steps) {
    EXPECT_GT(step.violations, 20U);
    EXPECT_GT(step.max_error, 0.1L);
    EXPECT_GT(step.max_ratio, 1);
  }
  EXPECT_NEAR(static_cast<double>(steps.back().max_error), static_cast<double>(steps[1].max_error),
              1e-9);
}

TEST(Multiprecision, SeesEveryMistakeByTheIdentityOrByItsAngles) {
  for (const Control& control : controls()) {
    VerifyOptions wrong = options(40);
    wrong.control = control;
    const std::vector<MultiprecisionStep> steps = verify_in_bits(wrong, {24, 200});
    for (const MultiprecisionStep& step : steps) {
      EXPECT_EQ(step.violations == 0, control.keeps_identity) << control.name;
      EXPECT_GT(step.table_violations, 0U) << control.name;
    }
    EXPECT_EQ(verdict(wrong, steps), Verdict::fail) << control.name;
  }
}

TEST(Multiprecision, ItsAnglesAreWithinTheirBoundWhateverTheBase) {
  for (const double base : {1.0001, 2.0, 10000.0, 5e5, 1e300})
    for (const std::int64_t last : {std::int64_t{7}, std::int64_t{131072}, kMaxVerifyPosition}) {
      VerifyOptions each = options(30);
      each.embedding = default_embedding(48, base);
      each.max_position = last;
      for (const MultiprecisionStep& step : verify_in_bits(each, kBits)) {
        EXPECT_EQ(step.table_violations, 0U) << base << " " << last << " " << step.bits;
        EXPECT_EQ(step.entries, 16U * 3 * 24);
        EXPECT_GT(step.max_table_ratio, 0.1) << "sharp, not just safe";
      }
    }
}

TEST(Multiprecision, WhatRoundingMayTurnByARadianProvesNothing) {
  VerifyOptions far = options(40);
  far.max_position = 10'000'000;
  const std::vector<MultiprecisionStep> few = verify_in_bits(far, {10});
  EXPECT_GT(few.front().vacuous, 20U);
  EXPECT_EQ(verdict(far, few), Verdict::inconclusive);
  // Enough bits prove it, whatever the rows before say.
  const std::vector<MultiprecisionStep> more = verify_in_bits(far, {10, 113});
  EXPECT_EQ(more.back().vacuous, 0U);
  EXPECT_EQ(verdict(far, more), Verdict::pass);
  // A mistake that only the identity could see, and whose bound is vacuous, is no pass.
  VerifyOptions wrong = far;
  wrong.control = find_control("wrong-sign");
  EXPECT_NE(verdict(wrong, verify_in_bits(wrong, {10})), Verdict::pass);
  // Nor is one that is smaller than the rounding.
  VerifyOptions near = options(20);
  near.max_position = 4;
  near.control = find_control("base-nearly-right");
  const std::vector<MultiprecisionStep> eight = verify_in_bits(near, {8});
  EXPECT_TRUE(eight.front().held());
  EXPECT_EQ(verdict(near, eight), Verdict::inconclusive);
  EXPECT_EQ(verdict(far, {}), Verdict::inconclusive);
}

TEST(Multiprecision, TheErrorFallsOnlyWhereItIsSeenTo) {
  EXPECT_TRUE(error_falls(verify_in_bits(options(20), {24, 53, 113})));
  EXPECT_FALSE(error_falls(verify_in_bits(options(20), {113})));
  VerifyOptions still = options(20);
  still.control = find_control("no-rotation");
  EXPECT_FALSE(error_falls(verify_in_bits(still, {24, 53})));
  VerifyOptions wrong = options(20);
  wrong.control = find_control("wrong-sign");
  EXPECT_FALSE(error_falls(verify_in_bits(wrong, {53, 113})));
}

TEST(Multiprecision, RefusesWhatDoesNotFitTogether) {
  VerifyOptions inert = options(4);
  inert.embedding = default_embedding(2, 10000);
  inert.control = find_control("wrong-base");
  EXPECT_THROW(verify_in_bits(inert, {53}), DomainError);
  VerifyOptions none = options(4);
  none.layouts.clear();
  EXPECT_THROW(verify_in_bits(none, {53}), ShapeError);
}

TEST(Multiprecision, TheBoundIsThatOfTheRightFrequenciesWhateverTheMistake) {
  VerifyOptions one = options(0);
  one.only_case = 2;
  const long double right = verify_in_bits(one, {53}).front().bound;
  EXPECT_GT(right, 0);
  for (const Control& control : controls()) {
    one.control = control;
    EXPECT_EQ(verify_in_bits(one, {53}).front().bound, right) << control.name;
  }
}

TEST(Multiprecision, TakesGivenFrequenciesAndTheFirstLayout) {
  VerifyOptions given = options(40);
  given.layouts = {PairLayout::half, PairLayout::interleaved};
  given.embedding.base.reset();
  given.embedding.frequencies =
      given_frequencies(std::vector<double>{1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0});
  for (const MultiprecisionStep& step : verify_in_bits(given, {24, 300})) {
    EXPECT_EQ(step.violations, 0U);
    EXPECT_GT(step.max_error, std::ldexp(1.0L, -step.bits - 4));
  }
}

TEST(Multiprecision, RefusesBitsThatAreTooFewOrTooMany) {
  EXPECT_THROW(verify_in_bits(options(1), {kFewestBits - 1}), DomainError);
  EXPECT_THROW(verify_in_bits(options(1), {53, kMostBits + 1}), DomainError);
  EXPECT_EQ(verify_in_bits(options(1), {}).size(), 0U);
}

}  // namespace
}  // namespace rope
