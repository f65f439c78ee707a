// Input that says little, nothing, or nonsense.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/error.hpp"
#include "rope/precision/rounding.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

using test::counted;
using test::Made;

Made plain(std::size_t dim, const char* policy = "float32") {
  return {{0, dim, -1, -1}, default_embedding(dim, 10000), *find_policy(policy), false};
}

TEST(Hostile, UnchangedVectorsAreSaidToTellNothing) {
  const Diagnosis d = diagnose(test::made_tensors(plain(64), {0, 0, 0}, 2, 64), {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  EXPECT_TRUE(d.unchanged);
  EXPECT_TRUE(d.explanations.empty());
}

TEST(Hostile, VectorsOfZerosTellNothing) {
  test::RotatedVectors tensors = test::made_tensors(plain(64), counted(0, 9), 2, 64);
  std::fill(tensors.x.begin(), tensors.x.end(), 0.0);
  std::fill(tensors.y.begin(), tensors.y.end(), 0.0);
  EXPECT_EQ(diagnose(tensors, {}).verdict, DiagnosisVerdict::ambiguous);
  std::fill(tensors.y.begin(), tensors.y.end(), 1.0);
  EXPECT_EQ(diagnose(tensors, {}).verdict, DiagnosisVerdict::none);
  EXPECT_TRUE(diagnose(tensors, {}).x_zero);
  std::swap(tensors.x, tensors.y);
  EXPECT_EQ(diagnose(tensors, {}).verdict, DiagnosisVerdict::none);
  EXPECT_TRUE(diagnose(tensors, {}).y_zero);
}

TEST(Hostile, UnrelatedVectorsAreNoRotation) {
  for (const std::size_t lanes : {1U, 8U})
    for (const std::size_t tokens : {1U, 2U, 50U}) {
      RandomStream random(5, lanes * 100 + tokens);
      test::RotatedVectors tensors =
          test::random_tensors(tokens, lanes, 64, Format::float32, random);
      const test::RotatedVectors other =
          test::random_tensors(tokens, lanes, 64, Format::float32, random);
      tensors.y = other.x;
      const Diagnosis d = diagnose(tensors, {});
      EXPECT_EQ(d.verdict, DiagnosisVerdict::none);
      EXPECT_GT(2 * d.nearest_misfits.size(), d.nearest.pairs());
    }
}

TEST(Hostile, OneWrongNumberIsFound) {
  for (const char* policy : {"float64", "float32", "bfloat16-table"}) {
    test::RotatedVectors tensors = test::made_tensors(plain(64, policy), counted(0, 400), 2, 64);
    tensors.y[tensors.row(231, 1) + 5] *= 1.5;
    const Diagnosis d = diagnose(tensors, {});
    EXPECT_EQ(d.verdict, DiagnosisVerdict::none) << policy;
    ASSERT_TRUE(d.near_miss || !d.nearest_misfits.empty());
    if (d.near_miss) {
      EXPECT_EQ(d.near_miss->judgement.token, 231U) << policy;
      EXPECT_EQ(d.near_miss->judgement.dimension, 5U) << policy;
    }
  }
}

TEST(Hostile, WhatMostTokensFollowIsTheNearestMiss) {
  for (const std::size_t lanes : {1U, 2U})
    for (const bool told : {true, false}) {
      test::RotatedVectors tensors = test::made_tensors(plain(64), counted(0, 16), lanes, 64);
      double& wrong = tensors.y[tensors.row(9, lanes - 1) + 3];
      wrong = round_to(Format::float32, wrong + (told ? 0.0003 : 0.01));
      DiagnosisRequest request;
      if (told) request.positions = counted(0, 16);
      const Diagnosis d = diagnose(tensors, request);
      EXPECT_EQ(d.verdict, DiagnosisVerdict::none) << lanes << told;
      EXPECT_FALSE(d.undetermined);
      ASSERT_TRUE(d.near_miss) << lanes << told;
      EXPECT_EQ(name(d.near_miss->arrangement), "half");
      EXPECT_EQ(d.near_miss->spectrum().embedding.base, 10000);
      EXPECT_EQ(d.near_miss->position_offset, 0);
      EXPECT_EQ(d.broken_tokens, (std::vector<std::size_t>{9}));
      EXPECT_EQ(d.near_miss->judgement.violations, 1U);
      EXPECT_EQ(d.near_miss->judgement.token, 9U);
      EXPECT_EQ(d.near_miss->judgement.dimension, 3U);
    }
}

// Sequences were packed one behind the other, and positions are withheld: only what no rotation
// made is broken, not the tokens that count from 0 again.
TEST(Hostile, TokensAtOtherPositionsAreNotBrokenBesideThoseThatAre) {
  for (const std::size_t lanes : {1U, 2U}) {
    std::vector<std::int64_t> positions = counted(0, 46);
    for (std::int64_t t = 0; t < 10; ++t) positions.push_back(t);
    test::RotatedVectors tensors = test::made_tensors(plain(64), positions, lanes, 64);
    for (const std::size_t token : {0U, 11U, 49U})
      for (std::size_t i = tensors.row(token, 0); i < tensors.row(token + 1, 0); ++i)
        tensors.y[i] = round_to(Format::float32, std::sin(static_cast<double>(i)));
    const Diagnosis d = diagnose(tensors, {});
    EXPECT_EQ(d.verdict, DiagnosisVerdict::none) << lanes;
    EXPECT_EQ(d.broken_tokens, (std::vector<std::size_t>{0, 11, 49})) << lanes;
    ASSERT_TRUE(d.near_miss) << lanes;
    EXPECT_EQ(d.near_miss->regimes.front().positions, positions) << lanes;
    ASSERT_EQ(d.near_miss->runs.size(), 2U) << lanes;
    EXPECT_EQ(d.near_miss->runs[1].first_token, 46U) << lanes;
    EXPECT_GT(d.near_miss->judgement.violations, 0U) << lanes;
  }
}

// Every pair of it keeps its length: no pair can be left out.
TEST(Hostile, ATokenThatIsNegatedIsNamed) {
  const std::vector<std::int64_t> positions = counted(0, 24);
  test::RotatedVectors tensors = test::made_tensors(plain(64), positions, 2, 64);
  for (std::size_t i = tensors.row(9, 0); i < tensors.row(10, 0); ++i) tensors.y[i] *= -1;
  DiagnosisRequest request;
  request.positions = positions;
  const Diagnosis d = diagnose(tensors, request);
  EXPECT_EQ(d.verdict, DiagnosisVerdict::none);
  ASSERT_TRUE(d.near_miss);
  EXPECT_EQ(d.broken_tokens, (std::vector<std::size_t>{9}));
  EXPECT_EQ(d.near_miss->spectrum().embedding.base, 10000);
}

TEST(Hostile, APairThatIsWrongEverywhereIsNamed) {
  test::RotatedVectors tensors = test::made_tensors(plain(64), counted(0, 16), 2, 64);
  for (std::size_t row = 0; row < tensors.y.size(); row += 64) tensors.y[row + 3] *= 2;
  const Diagnosis d = diagnose(tensors, {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::none);
  EXPECT_EQ(d.nearest_misfits, (std::vector<std::size_t>{3}));
  ASSERT_TRUE(d.near_miss);
  EXPECT_EQ(d.near_miss->spectrum().embedding.base, 10000);
  EXPECT_EQ(d.near_miss->judgement.dimension, 3U);
  ASSERT_EQ(d.odd_pairs.size(), 1U);
  EXPECT_EQ(d.odd_pairs[0].pair, 3U);
  EXPECT_EQ(name(d.odd_pairs[0].turn), "no-rotation");
}

/// The diagnosis of tensors some pairs of which were spoilt, with positions and without.
void expect_odd_pairs(const test::RotatedVectors& tensors, const std::vector<std::size_t>& pairs,
                      OddTurn turn) {
  for (const bool told : {false, true}) {
    DiagnosisRequest request;
    if (told) request.positions = counted(0, tensors.tokens);
    const Diagnosis d = diagnose(tensors, request);
    EXPECT_EQ(d.verdict, DiagnosisVerdict::none) << told;
    EXPECT_FALSE(d.undetermined);
    ASSERT_TRUE(d.near_miss) << told;
    EXPECT_EQ(d.near_miss->spectrum().embedding.base, 10000);
    EXPECT_FALSE(d.near_miss->spectrum().clockwise);
    std::vector<std::size_t> odd;
    for (const OddPair& pair : d.odd_pairs) {
      odd.push_back(pair.pair);
      EXPECT_EQ(name(pair.turn), name(turn)) << pair.pair;
    }
    EXPECT_EQ(odd, pairs) << told;
  }
}

// Each keeps its length and turns: no pairing of dimensions is at fault.
TEST(Hostile, PairsThatAreNegatedAreNamed) {
  const Made made = plain(64);
  test::RotatedVectors tensors = test::made_tensors(made, counted(0, 20), 1, 64);
  for (std::size_t row = 0; row < tensors.y.size(); row += 64)
    for (const std::size_t pair : {4U, 6U})
      for (const std::size_t at : {pair, pair + 32}) tensors.y[row + at] *= -1;
  expect_odd_pairs(tensors, {4, 6}, OddTurn::negated);
}

TEST(Hostile, APairThatTurnsTheOtherWayIsNamed) {
  Made made = plain(64);
  test::RotatedVectors tensors = test::made_tensors(made, counted(0, 20), 2, 64), other = tensors;
  made.clockwise = true;
  test::rotate_into(made, counted(0, 20), other);
  for (std::size_t row = 0; row < tensors.y.size(); row += 64)
    for (const std::size_t at : {9U, 41U}) tensors.y[row + at] = other.y[row + at];
  expect_odd_pairs(tensors, {9}, OddTurn::other_way);
}

// With one vector a token, a reflection looks like some rotation of each token; with two it is
// none.
TEST(Hostile, AWrongSignInOneNumberOfAPairIsNamed) {
  for (const std::size_t lanes : {1U, 2U}) {
    for (const std::size_t second : {0U, 1U}) {
      test::RotatedVectors tensors = test::made_tensors(plain(64), counted(0, 20), lanes, 64);
      for (std::size_t row = 0; row < tensors.y.size(); row += 64)
        tensors.y[row + 5 + 32 * second] *= -1;
      expect_odd_pairs(tensors, {5}, second ? OddTurn::second_negated : OddTurn::first_negated);
    }
  }
}

double in_float32(double value) { return static_cast<double>(static_cast<float>(value)); }

// Each token by an angle of its own, as where one pair's cosines and sines are drawn at random.
TEST(Hostile, APairAtAnglesOfItsOwnTurnsByNoFrequency) {
  test::RotatedVectors tensors = test::made_tensors(plain(64), counted(0, 20), 1, 64);
  for (std::size_t token = 0; token < tensors.tokens; ++token) {
    const std::size_t row = tensors.row(token, 0);
    const double angle = 3 * std::sin(1.0 + static_cast<double>(token * token));
    const double a = tensors.x[row + 5], b = tensors.x[row + 37];
    tensors.y[row + 5] = in_float32(a * std::cos(angle) - b * std::sin(angle));
    tensors.y[row + 37] = in_float32(a * std::sin(angle) + b * std::cos(angle));
  }
  expect_odd_pairs(tensors, {5}, OddTurn::no_frequency);
}

TEST(Hostile, ANegatedResultIsNamed) {
  test::RotatedVectors tensors = test::made_tensors(plain(16), counted(0, 20), 2, 16);
  for (double& value : tensors.y) value = -value;
  std::vector<std::size_t> all(8);
  std::iota(all.begin(), all.end(), std::size_t{0});
  expect_odd_pairs(tensors, all, OddTurn::negated);
}

// Half a turn a token more: frequencies that no rule has reproduce every number.
TEST(Hostile, OddTokensThatAreNegatedLeaveTheFrequenciesOpen) {
  test::RotatedVectors tensors = test::made_tensors(plain(32), counted(0, 3), 4, 32);
  for (std::size_t i = tensors.row(1, 0); i < tensors.row(2, 0); ++i) tensors.y[i] *= -1;
  for (const bool told : {false, true}) {
    DiagnosisRequest request;
    if (told) request.positions = counted(0, 3);
    EXPECT_NE(diagnose(tensors, request).verdict, DiagnosisVerdict::unique) << told;
  }
}

TEST(Hostile, OnePairAtStepsLeavesItsTurnsOpen) {
  const std::vector<std::int64_t> positions = {0, 4, 8, 12, 16, 20, 24, 28, 32};
  DiagnosisRequest request;
  request.positions = positions;
  const Diagnosis d = diagnose(test::made_tensors(plain(2), positions, 1, 2), request);
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
}

// Seven of the eight pairs of base 10000 are seven pairs of base 10000^(7/8).
TEST(Hostile, AnInterleavedPairThatIsLeftOutLeavesTheBaseOpen) {
  Made made{{0, 16, 0, 0}, default_embedding(16, 10000), *find_policy("float32"), false};
  for (const std::size_t pair : {0U, 7U}) {
    test::RotatedVectors tensors = test::made_tensors(made, counted(0, 9), 2, 16);
    for (std::size_t row = 0; row < tensors.y.size(); row += 16)
      for (const std::size_t at : {2 * pair, 2 * pair + 1})
        tensors.y[row + at] = tensors.x[row + at];
    DiagnosisRequest request;
    request.positions = counted(0, 9);
    const Diagnosis d = diagnose(tensors, request);
    EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous) << pair;
    ASSERT_FALSE(d.explanations.empty());
    EXPECT_EQ(d.explanations.front().open.size(), 1U);
  }
}

// A rule that nobody looked for may have made it.
TEST(Hostile, APairWithAFrequencyOfItsOwnIsNoMistake) {
  Made made = plain(64);
  test::RotatedVectors tensors = test::made_tensors(made, counted(700, 20), 2, 64), other = tensors;
  made.embedding = default_embedding(64, 33333);
  test::rotate_into(made, counted(700, 20), other);
  for (std::size_t row = 0; row < tensors.y.size(); row += 64)
    for (const std::size_t at : {9U, 41U}) tensors.y[row + at] = other.y[row + at];
  const Diagnosis d = diagnose(tensors, {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  EXPECT_TRUE(d.odd_pairs.empty());
}

TEST(Hostile, ANumberThatIsWrongInEveryTokenIsNamed) {
  test::RotatedVectors tensors = test::made_tensors(plain(64), counted(0, 16), 1, 64);
  for (std::size_t row = 0; row < tensors.y.size(); row += 64)
    tensors.y[row + 3] = round_to(Format::float32, tensors.y[row + 3] + 0.01);
  const Diagnosis d = diagnose(tensors, {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::none);
  EXPECT_EQ(d.nearest_misfits, (std::vector<std::size_t>{3}));
  ASSERT_TRUE(d.near_miss);
  EXPECT_EQ(d.near_miss->judgement.dimension, 3U);
}

// Tables of bfloat16 are no outliers, though some tokens are zeros and one stands at position 0.
TEST(Hostile, RoughTablesStayAnExplanation) {
  Made made = plain(64, "bfloat16-cache");
  test::RotatedVectors tensors = test::made_tensors(made, counted(0, 24), 2, 64);
  std::fill_n(tensors.x.begin(), 16 * 128, 0.0);
  std::fill_n(tensors.y.begin(), 16 * 128, 0.0);
  EXPECT_FALSE(diagnose(tensors, {}).explanations.empty());
}

TEST(Hostile, AWrongNumberOutsideTheRotatedPartIsFound) {
  Made made = plain(32);
  test::RotatedVectors tensors = test::made_tensors(made, counted(0, 60), 2, 64);
  tensors.y[tensors.row(30, 0) + 50] += 0.25;
  EXPECT_EQ(diagnose(tensors, {}).verdict, DiagnosisVerdict::none);
}

TEST(Hostile, SwappedTokensAreNoRotationByPosition) {
  test::RotatedVectors tensors = test::made_tensors(plain(64), counted(0, 40), 2, 64);
  test::RotatedVectors swapped = tensors;
  std::copy_n(tensors.y.begin() + static_cast<std::ptrdiff_t>(tensors.row(7, 0)), 128,
              swapped.y.begin() + static_cast<std::ptrdiff_t>(tensors.row(8, 0)));
  EXPECT_EQ(diagnose(swapped, {}).verdict, DiagnosisVerdict::none);
}

TEST(Hostile, OneTokenTellsWhatItCan) {
  const test::RotatedVectors tensors = test::made_tensors(plain(64), {5}, 2, 64);
  DiagnosisRequest request;
  request.positions = {{5}};
  const Diagnosis d = diagnose(tensors, request);
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_EQ(name(d.explanations.front().arrangement), "half");
  EXPECT_NE(diagnose(tensors, {}).verdict, DiagnosisVerdict::none);
}

// At position 4 alone, angles of position 3 are those of frequencies divided by 4/3, too.
TEST(Hostile, OnePositionCannotTellAnOffsetFromAFactor) {
  for (const double base : {10000.0, 123456.0})
    for (const std::size_t tokens : {1U, 3U}) {
      Made made = plain(64);
      made.embedding = default_embedding(64, base);
      const test::RotatedVectors tensors =
          test::made_tensors(made, std::vector<std::int64_t>(tokens, 3), 2, 64);
      DiagnosisRequest request;
      request.positions = std::vector<std::int64_t>(tokens, 4);
      const Diagnosis d = diagnose(tensors, request);
      EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
      ASSERT_GE(d.explanations.size(), 2U) << base << " " << tokens;
      EXPECT_EQ(d.explanations[0].position_offset, -1);
      EXPECT_EQ(d.explanations[0].spectrum().embedding.scaling.rule, "default");
      EXPECT_LE(d.explanations[0].spectrum().base_low, base);
      EXPECT_GE(d.explanations[0].spectrum().base_high, base);
      EXPECT_EQ(d.explanations[1].spectrum().embedding.scaling.rule, "linear");
    }
}

TEST(Hostile, OnePairHasAnyBase) {
  const test::RotatedVectors tensors = test::made_tensors(plain(2), counted(0, 30), 2, 2);
  const Diagnosis d = diagnose(tensors, {});
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_EQ(d.explanations.front().spectrum().base_low, 0);
  EXPECT_EQ(d.explanations.front().arrangement.pairs(), 1U);
}

TEST(Hostile, OneVectorATokenIsEnough) {
  for (const std::size_t dim : {4U, 6U, 64U}) {
    const Diagnosis d = diagnose(test::made_tensors(plain(dim), counted(0, 30), 1, dim), {});
    ASSERT_FALSE(d.explanations.empty()) << dim;
    EXPECT_EQ(name(d.explanations.front().arrangement), "half");
    EXPECT_EQ(d.explanations.front().position_offset, 0);
  }
}

TEST(Hostile, TokensThatAreNotFiniteAreLeftOut) {
  test::RotatedVectors vectors = test::made_tensors(plain(64), counted(0, 30), 2, 64);
  vectors.x[vectors.row(3, 1)] = std::numeric_limits<double>::quiet_NaN();
  vectors.y[vectors.row(9, 0)] = std::numeric_limits<double>::infinity();
  RotatedTensors tensors = vectors;
  const std::vector<std::size_t> kept = drop_nonfinite_tokens(tensors);
  EXPECT_EQ(kept.size(), 28U);
  EXPECT_EQ(tensors.tokens, 28U);
  DiagnosisRequest request;
  request.positions.emplace(kept.begin(), kept.end());
  const Diagnosis d = diagnose(tensors, request);
  EXPECT_EQ(d.verdict, DiagnosisVerdict::unique);
}

TEST(Hostile, NumbersThatOverflowedAreTold) {
  test::RotatedVectors tensors = test::made_tensors(plain(64), counted(0, 30), 2, 64);
  tensors.x[tensors.row(3, 1)] = std::numeric_limits<double>::quiet_NaN();
  tensors.y[tensors.row(3, 1)] = std::numeric_limits<double>::quiet_NaN();
  tensors.y[tensors.row(9, 0)] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(overflowed_tokens(tensors), (std::vector<std::size_t>{9}));
}

TEST(Hostile, ShapesThatDoNotFitAreRefused) {
  const std::vector<double> numbers(24);
  EXPECT_THROW(rotated_tensors(std::vector<std::size_t>{24}, 0, numbers, numbers), ShapeError);
  EXPECT_THROW(rotated_tensors(std::vector<std::size_t>{4, 5}, 0, numbers, numbers), ShapeError);
  EXPECT_THROW(rotated_tensors(std::vector<std::size_t>{4, 6}, 1, numbers, numbers), ShapeError);
  EXPECT_THROW(rotated_tensors(std::vector<std::size_t>{0, 6}, 0, {}, {}), ShapeError);
  RotatedTensors tensors = rotated_tensors(std::vector<std::size_t>{4, 6}, 0, numbers, numbers);
  DiagnosisRequest request;
  request.positions = counted(0, 3);
  EXPECT_THROW(diagnose(tensors, request), ShapeError);
  tensors.tokens = 0;
  EXPECT_THROW(diagnose(tensors, {}), ShapeError);
}

TEST(Hostile, AnOddHeadSizeIsTakenInPairs) {
  test::RotatedVectors tensors = test::made_tensors(plain(8), counted(0, 30), 2, 9);
  const Diagnosis d = diagnose(tensors, {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::unique);
  EXPECT_EQ(d.explanations.front().arrangement.rotary_dim, 8U);
}

}  // namespace
}  // namespace rope
