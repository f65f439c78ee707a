// Numbers of few digits: what they still tell, and what they leave open.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/angles/lines.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/verdict/judge.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

using test::counted;
using test::Made;

Made coarse(std::size_t rotary_dim, double base, const ScalingSpec& spec, const char* policy) {
  return {{0, rotary_dim, 0, 0},
          scaled_embedding(spec, {base, rotary_dim, rotary_dim, std::nullopt, std::nullopt}),
          parse_policy(policy),
          false};
}

const ScalingSpec kLlama3 = {
    "llama3", {{"factor", 8}, {"low", 1}, {"high", 4}, {"original", 8192}}, {}};

/// The judgement of tensors under the pipeline that made them, with frequencies of another
/// embedding.
Judgement judged(const Made& made, const RotaryEmbedding& embedding,
                 const test::RotatedVectors& tensors, const std::vector<std::int64_t>& positions) {
  Regime regime;
  regime.tokens.resize(tensors.tokens);
  std::iota(regime.tokens.begin(), regime.tokens.end(), std::size_t{0});
  regime.positions = positions;
  regime.spectrum.embedding = embedding;
  regime.spectrum.recognised = true;
  return Judge(tensors, made.arrangement, {}).judge({made.policy, false}, regime);
}

TEST(Coarse, TablesThatWereCastAreKnownToTheNumber) {
  const auto positions = counted(1000, 60);
  for (const char* policy : {"bfloat16-table", "float64-angle-bfloat16"}) {
    const Made made = coarse(64, 500000, {"yarn", {{"factor", 4}, {"original", 4096}}, {}}, policy);
    const test::RotatedVectors tensors = test::made_tensors(made, positions, 4, 64);
    const Judgement right = judged(made, made.embedding, tensors, positions);
    EXPECT_TRUE(right.passed) << policy << right.error << " " << right.bound;
    // The slowest pair half as fast again: 1e-3 radians at most, below the last digit of cos 0.
    RotaryEmbedding wrong = made.embedding;
    std::vector<double> theta = wrong.frequencies.theta;
    ASSERT_LT(theta.back() * 1060, 2e-3);
    theta.back() *= 1.5;
    wrong.frequencies = given_frequencies(theta);
    EXPECT_FALSE(judged(made, wrong, tensors, positions).passed) << policy;
  }
}

TEST(Coarse, PairsThatHardlyTurnBelongToTheRotatedSize) {
  Made made = coarse(16, 72567.568, {}, "bfloat16-table");
  const Diagnosis d = diagnose(test::made_tensors(made, counted(0, 137), 8, 32), {});
  ASSERT_EQ(d.verdict, DiagnosisVerdict::unique);
  EXPECT_EQ(d.explanations[0].arrangement.rotary_dim, 16U);
  EXPECT_LE(d.explanations[0].spectrum().base_low, 72567.568);
  EXPECT_GE(d.explanations[0].spectrum().base_high, 72567.568);
}

TEST(Coarse, AFactorThatNoPairShowsByItselfIsFoundInTheRamp) {
  // No pair beyond the ramp turns by more than 0.01 radians over 170 tokens.
  const ScalingSpec yarn = {"yarn", {{"factor", 32}, {"original", 8192}}, {}};
  const Made made = coarse(32, 10000, yarn, "float16-table");
  const Diagnosis d = diagnose(test::made_tensors(made, counted(0, 170), 2, 32), {});
  ASSERT_EQ(d.verdict, DiagnosisVerdict::unique);
  EXPECT_EQ(d.explanations[0].spectrum().embedding.scaling.rule, "yarn");
  EXPECT_EQ(d.explanations[0].spectrum().embedding.scaling.numbers, yarn.numbers);
}

TEST(Coarse, ACacheThatBeginsFarOnIsFoundUnderARule) {
  for (const char* policy : {"bfloat16-store", "float64-angle-bfloat16"}) {
    const Made made = coarse(64, 500000, kLlama3, policy);
    const Diagnosis d = diagnose(test::made_tensors(made, counted(4385, 69), 8, 64), {});
    ASSERT_EQ(d.verdict, DiagnosisVerdict::unique) << policy;
    EXPECT_EQ(d.explanations[0].position_offset, 4385) << policy;
    EXPECT_EQ(d.explanations[0].spectrum().embedding.scaling.rule, "llama3") << policy;
    EXPECT_EQ(d.explanations[0].spectrum().embedding.scaling.numbers.at("factor"), 8) << policy;
  }
}

TEST(Coarse, FourDimensionsFarOnLeaveTheOffsetOpen) {
  const Made made = coarse(4, 5000000, {}, "bfloat16-table");
  const Diagnosis d = diagnose(test::made_tensors(made, counted(2946, 87), 1, 16), {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
}

TEST(Coarse, AFactorThatIsNoRoundNumberGoesWithOtherOffsets) {
  // The angle of bfloat16 tells position over factor to 1 in 512, which 1803 and 1806 are.
  const ScalingSpec linear = {"linear", {{"factor", 32.40989632865142}}, {}};
  const Made made = coarse(96, 10000, linear, "float64-angle-bfloat16");
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    const Diagnosis d = diagnose(test::made_tensors(made, counted(1803, 66), 8, 96, seed), {});
    ASSERT_FALSE(d.explanations.empty());
    EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
    const bool holds = std::ranges::any_of(d.explanations, [](const Explanation& e) {
      return e.position_offset == 1803 || std::ranges::any_of(e.open, [](const std::string& said) {
               return said.starts_with("the position offset, and the factor with it");
             });
    });
    EXPECT_TRUE(holds);
  }
}

TEST(Coarse, AFittedBaseAtTheTokensAsCountedIsNotHiddenByFarOffsets) {
  // Four tokens under table and store of float16: a rule and an offset, both fitted, pass with the
  // rounding of the store alone.
  Made made = coarse(24, 509752.44, {}, "float32,table=f16,store=f16");
  made.arrangement = {72, 24, -1, 0};
  made.clockwise = true;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const Diagnosis d = diagnose(test::made_tensors(made, counted(0, 4), 4, 96, seed), {});
    ASSERT_FALSE(d.explanations.empty());
    const Explanation& first = d.explanations.front();
    EXPECT_EQ(first.position_offset, 0);
    EXPECT_LE(first.spectrum().base_low, 509752.44);
    EXPECT_GE(first.spectrum().base_high, 509752.44);
  }
}

TEST(Coarse, MeasuredFrequenciesLeaveTheRotatedSizeOpen) {
  Made made = coarse(8, 10000, {}, "float32");
  made.embedding.frequencies = given_frequencies(std::vector<double>{1, 0.31, 0.07, 1e-9});
  made.embedding.base.reset();
  const Diagnosis d = diagnose(test::made_tensors(made, counted(0, 60), 4, 16), {});
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  ASSERT_EQ(d.explanations[0].open.size(), 2U);
  EXPECT_NE(d.explanations[0].open[0].find("the rotated size"), std::string::npos);
  EXPECT_NE(d.explanations[0].open[1].find("the frequency of pair 3:"), std::string::npos);
  const auto says_another_size = [&](std::size_t stated) {
    RotaryEmbedding assumed = default_embedding(stated, 1e4);
    assumed.head_dim = 16;
    return std::ranges::any_of(
        differences(d.explanations[0], {assumed, false, false, false}),
        [](const Advice& advice) { return advice.remedy.name.text() == "rotary-dim"; });
  };
  EXPECT_FALSE(says_another_size(16));  // which may turn unseen
  EXPECT_TRUE(says_another_size(4));
}

TEST(Coarse, RoundingsAreNotSortedIntoTwoRegimes) {
  const Made made = coarse(256, 10000, {}, "ggml");
  for (const std::uint64_t seed : {2U, 8U}) {
    const Diagnosis d = diagnose(test::made_tensors(made, counted(2369, 146), 8, 256, seed), {});
    ASSERT_FALSE(d.explanations.empty()) << seed;
    EXPECT_EQ(d.explanations[0].regimes.size(), 1U) << seed;
    EXPECT_EQ(d.explanations[0].position_offset, 2369) << seed;
  }
}

/// Angles of a line with roundings that are as likely up as down, a tenth of what they may be.
MeasuredAngles scattered(double rate, const std::vector<std::int64_t>& positions, double error) {
  MeasuredAngles angles;
  angles.tokens = positions.size();
  angles.pairs = 1;
  RandomStream random(3, 0);
  for (const std::int64_t position : positions) {
    const double rounding = error * static_cast<double>(random.integer(-1000, 1000)) / 10000;
    angles.turns.push_back(wrapped(static_cast<double>(position) * rate + rounding));
    angles.error.push_back(error);
  }
  return angles;
}

TEST(Lines, WhatIsTypicalIsNarrowerThanTheWorst) {
  const auto positions = counted(5000, 100);
  const double rate = 0.0721;
  const MeasuredAngles angles = scattered(rate, positions, 2e-3);
  const AngleLine worst = fit_lines(angles, positions, 0, false).lines[0];
  const AngleLine typical =
      fit_lines(angles, positions, 0, false, {}, LineErrors::typical).lines[0];
  EXPECT_LT(typical.rate_error, worst.rate_error);
  EXPECT_LE(std::abs(typical.rate - rate), typical.rate_error);
  const std::int64_t origin = fit_lines(angles, positions, 0, false).origin;
  EXPECT_LE(std::abs(wrapped(typical.reference - static_cast<double>(origin) * rate)),
            typical.reference_error);
  // With the offset known, the line through 0 is sharper by the ratio of the lengths.
  const AngleLine through = fit_lines(angles, positions, 0, true, {}, LineErrors::typical).lines[0];
  EXPECT_LT(through.rate_error, typical.rate_error / 20);
  EXPECT_LE(std::abs(through.rate - rate), through.rate_error);
}

TEST(Lines, AnglesBelowTheirRoundingAreNotSharpened) {
  const auto positions = counted(0, 100);
  MeasuredAngles angles;
  angles.tokens = positions.size();
  angles.pairs = 1;
  // All of them were rounded to 0: no scatter at all.
  angles.turns.assign(positions.size(), 0);
  angles.error.assign(positions.size(), 2e-3);
  const AngleLine line = fit_lines(angles, positions, 0, false, {}, LineErrors::typical).lines[0];
  EXPECT_GT(line.rate_error, 1e-5);
}

}  // namespace
}  // namespace rope
