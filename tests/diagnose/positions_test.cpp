// Caches, padding, packing: where tokens stand, found from their own angles.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/arrays.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/positions/offsets.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

using test::counted;
using test::Made;

Made plain(std::size_t dim, double base, const char* policy = "float32") {
  return {{0, dim, -1, -1}, default_embedding(dim, base), parse_policy(policy), false};
}

const Explanation& only(const Diagnosis& diagnosis) {
  EXPECT_EQ(diagnosis.verdict, DiagnosisVerdict::unique);
  static const Explanation none = [] {
    Explanation empty;
    empty.regimes.resize(1);
    return empty;
  }();
  return diagnosis.explanations.empty() ? none : diagnosis.explanations.front();
}

// rotary-embedding-torch #11: a cache whose start was forgotten.
TEST(Positions, TheStartOfACacheIsFound) {
  for (const std::int64_t start : {1, 17, 1000, 100000}) {
    const test::RotatedVectors tensors =
        test::made_tensors(plain(128, 10000), counted(start, 50), 2, 128);
    EXPECT_EQ(only(diagnose(tensors, {})).position_offset, start);
    DiagnosisRequest request;
    request.positions = counted(0, 50);
    EXPECT_EQ(only(diagnose(tensors, request)).position_offset, start);
    request.positions = counted(start, 50);
    EXPECT_EQ(only(diagnose(tensors, request)).position_offset, 0);
  }
}

TEST(Positions, GivenWithArraysAreHeard) {
  const test::RotatedVectors tensors =
      test::made_tensors(plain(128, 10000), counted(100, 50), 2, 128);
  const std::vector<std::size_t> shape = {50, 2, 128};
  const std::vector<float> x(tensors.x.begin(), tensors.x.end());
  const std::vector<float> y(tensors.y.begin(), tensors.y.end());
  EXPECT_EQ(only(diagnose(shape, x, y)).position_offset, 100);
  EXPECT_EQ(only(diagnose(shape, x, y, counted(95, 50))).position_offset, 5);
  EXPECT_EQ(only(diagnose(shape, tensors.x, tensors.y, counted(95, 50))).position_offset, 5);
}

TEST(Positions, NegativeStartsAreFound) {
  const test::RotatedVectors tensors =
      test::made_tensors(plain(64, 500000), counted(-30, 50), 2, 64);
  EXPECT_EQ(only(diagnose(tensors, {})).position_offset, -30);
}

// Turning by mθ at m and by −mθ at −m are the same: withheld positions are taken not to be
// negative.
TEST(Positions, OfTokensInAnyOrderAreNotNegative) {
  const std::vector<std::int64_t> positions = {37, 27, 15, 25, 26, 33, 7, 13};
  for (const bool clockwise : {false, true}) {
    Made made = plain(64, 10000);
    made.clockwise = clockwise;
    const Diagnosis d = diagnose(test::made_tensors(made, positions, 2, 64), {});
    EXPECT_EQ(only(d).spectrum().clockwise, clockwise);
    EXPECT_EQ(only(d).regimes.front().positions, positions);
    EXPECT_EQ(remarks(only(d), false).size(), clockwise ? 1U : 0U);
  }
}

TEST(Positions, FallingOnesLeaveTheDirectionOpenUntilTheyAreGiven) {
  const std::vector<std::int64_t> positions = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  for (const bool clockwise : {false, true}) {
    Made made = plain(64, 10000);
    made.clockwise = clockwise;
    const test::RotatedVectors tensors = test::made_tensors(made, positions, 2, 64);
    const Diagnosis d = diagnose(tensors, {});
    EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
    ASSERT_EQ(d.explanations.size(), 1U);
    const Explanation& e = d.explanations.front();
    EXPECT_EQ(e.spectrum().clockwise, clockwise);
    EXPECT_EQ(e.regimes.front().positions, positions);
    ASSERT_EQ(e.runs.size(), 1U);
    EXPECT_EQ(e.runs[0].step, -1);
    ASSERT_EQ(e.open.size(), 1U);
    EXPECT_EQ(e.open[0].substr(0, 14), "the direction:");
    EXPECT_TRUE(remarks(e, false).empty());  // no advice to turn the other way
    DiagnosisRequest request;
    request.positions = positions;
    EXPECT_EQ(only(diagnose(tensors, request)).spectrum().clockwise, clockwise);
  }
}

// Two tokens far from 0 are placed each by itself, and yet where they were said to stand.
TEST(Positions, ThatAreGivenTellTheDirection) {
  const std::vector<std::int64_t> positions = {2170, 2169};
  for (const bool clockwise : {false, true}) {
    Made made = plain(64, 500000, "bfloat16-table");
    made.clockwise = clockwise;
    DiagnosisRequest request;
    request.positions = positions;
    request.assumed = Assumption{default_embedding(64, 10000)};
    const Diagnosis d = diagnose(test::made_tensors(made, positions, 8, 64), request);
    ASSERT_FALSE(d.explanations.empty());
    const Explanation& e = d.explanations.front();
    EXPECT_EQ(e.spectrum().clockwise, clockwise);
    EXPECT_EQ(e.regimes.front().positions, positions);
    EXPECT_FALSE(e.direction_open);
  }
}

TEST(Positions, ThatAreGivenReversedLeaveTheDirectionOpen) {
  const std::vector<std::int64_t> reversed = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  for (const bool clockwise : {false, true}) {
    Made made = plain(64, 10000);
    made.clockwise = clockwise;
    DiagnosisRequest request;
    request.positions = reversed;
    const Diagnosis d = diagnose(test::made_tensors(made, counted(0, 10), 3, 64), request);
    EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
    ASSERT_EQ(d.explanations.size(), 1U);
    const Explanation& e = d.explanations.front();
    EXPECT_TRUE(e.direction_open);
    EXPECT_EQ(e.spectrum().clockwise, clockwise);
    EXPECT_EQ(e.regimes.front().positions, counted(0, 10));
    ASSERT_EQ(remarks(e, true).size(), 1U);
    EXPECT_EQ(remarks(e, true)[0].finding, "the positions count up from 0, unlike the given ones");
  }
}

// An unusual base, and positions of another batch: the rotation is found without them, and they are
// said to be wrong.
TEST(Positions, ThatAreGivenWronglyAreNoEvidenceAgainstARotation) {
  DiagnosisRequest request;
  request.positions = std::vector<std::int64_t>(15, 0);
  const Diagnosis d = diagnose(test::made_tensors(plain(8, 10000), counted(0, 15), 3, 8), request);
  EXPECT_EQ(only(d).regimes.front().positions, counted(0, 15));
  EXPECT_FALSE(only(d).position_offset.has_value());
  EXPECT_EQ(remarks(only(d), true).size(), 1U);
}

// The base is no better known for being that of known models.
TEST(Positions, OfCoarseTokensInAnyOrderLeaveTheBaseItsInterval) {
  const std::vector<std::int64_t> positions = {3, 0, 5, 1, 6, 2, 4};
  const Diagnosis d =
      diagnose(test::made_tensors(plain(64, 10000, "bfloat16-table"), positions, 3, 64), {});
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_LT(d.explanations.front().spectrum().base_low, 9950);
  EXPECT_GT(d.explanations.front().spectrum().base_high, 10050);
}

TEST(Positions, OfBothSignsInAnyOrderLeaveTheDirectionOpen) {
  const std::vector<std::int64_t> positions = {3, -2, 5, 0, -7, 4, 1, -1};
  const Diagnosis d = diagnose(test::made_tensors(plain(64, 10000), positions, 2, 64), {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  ASSERT_EQ(d.explanations.size(), 1U);
  EXPECT_TRUE(d.explanations.front().direction_open);
}

// A falling order, and one number of one token wrong.
TEST(Positions, OfMostTokensAreNotNegativeEither) {
  std::vector<std::int64_t> positions = counted(0, 64);
  std::reverse(positions.begin(), positions.end());
  test::RotatedVectors tensors = test::made_tensors(plain(64, 10000), positions, 2, 64);
  tensors.y[tensors.row(5, 0) + 3] *= -1;
  const Diagnosis d = diagnose(tensors, {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::none);
  ASSERT_TRUE(d.near_miss.has_value());
  EXPECT_FALSE(d.near_miss->spectrum().clockwise);
  EXPECT_EQ(d.near_miss->regimes.front().positions, positions);
  EXPECT_EQ(d.broken_tokens, std::vector<std::size_t>{5});
}

// transformers #22161: padding on the left stands at one position, then the tokens count from 0.
TEST(Positions, LeftPaddingIsFound) {
  std::vector<std::int64_t> positions(12, 1);
  for (std::int64_t t = 0; t < 60; ++t) positions.push_back(t);
  const Diagnosis d = diagnose(test::made_tensors(plain(128, 10000), positions, 2, 128), {});
  const Explanation& e = only(d);
  ASSERT_EQ(e.runs.size(), 2U);
  EXPECT_EQ(e.runs[0].first_token, 0U);
  EXPECT_EQ(e.runs[0].last_token, 11U);
  EXPECT_EQ(e.runs[0].position, 1);
  EXPECT_EQ(e.runs[0].step, 0);
  EXPECT_EQ(e.runs[1].first_token, 12U);
  EXPECT_EQ(e.runs[1].position, 0);
  EXPECT_EQ(e.runs[1].step, 1);
}

// torchtitan #2849: sequences packed one behind the other.
// The base is rounded while the tokens after the padding are read; the padding, where every base
// turns alike, is no second convention of the exact one.
TEST(Positions, PaddingThatAnyBaseExplainsIsNoConventionOfItsOwn) {
  std::vector<std::int64_t> positions(60, 0);
  for (const std::int64_t position : counted(0, 93)) positions.push_back(position);
  Made made = plain(256, 233.27615, "exact");
  made.clockwise = true;
  const Diagnosis d = diagnose(test::made_tensors(made, positions, 2, 256), {});
  const Explanation& found = only(d);
  ASSERT_EQ(found.regimes.size(), 1U);
  EXPECT_EQ(found.regimes.front().positions, positions);
  EXPECT_EQ(found.spectrum().embedding.base, 233.27615);
}

TEST(Positions, PackedSequencesAreFound) {
  std::vector<std::int64_t> positions;
  for (const std::size_t length : {20U, 35U, 15U})
    for (const std::int64_t position : counted(0, length)) positions.push_back(position);
  for (const char* policy : {"float64", "float32", "bfloat16-table"}) {
    const Diagnosis d =
        diagnose(test::made_tensors(plain(64, 10000, policy), positions, 4, 64), {});
    const Explanation& e = only(d);
    ASSERT_EQ(e.runs.size(), 3U) << policy;
    EXPECT_EQ(e.runs[1].first_token, 20U);
    EXPECT_EQ(e.runs[1].position, 0);
    EXPECT_EQ(e.runs[2].first_token, 55U);
    EXPECT_EQ(e.runs[2].position, 0);
  }
}

// transformers #25104: keys in the cache were rotated by another base.
TEST(Positions, KeysRotatedByAnotherBaseAreFound) {
  RandomStream random(3, 0);
  test::RotatedVectors tensors = test::random_tensors(120, 2, 128, Format::float32, random);
  test::rotate_into(plain(128, 10000), counted(0, 80), tensors);
  test::rotate_into(plain(128, 40000), counted(80, 40), tensors, 80);
  const Diagnosis d = diagnose(tensors, {});
  const Explanation& e = only(d);
  ASSERT_EQ(e.regimes.size(), 2U);
  EXPECT_EQ(e.regimes[0].spectrum.embedding.base, 10000);
  EXPECT_EQ(e.regimes[1].spectrum.embedding.base, 40000);
  ASSERT_EQ(e.runs.size(), 2U);
  EXPECT_EQ(e.runs[1].first_token, 80U);
  EXPECT_EQ(e.runs[1].position, 80);
}

TEST(Positions, ScatteredPositionsAreFound) {
  const std::vector<std::int64_t> positions = {0, 1, 2, 7, 100, 4095, 131071};
  const Diagnosis d = diagnose(test::made_tensors(plain(128, 500000), positions, 2, 128), {});
  const Explanation& e = only(d);
  EXPECT_EQ(e.spectrum().embedding.base, 500000);
  ASSERT_EQ(e.runs.size(), 5U);
  EXPECT_EQ(e.runs[4].position, 131071);
}

// transformers #29109: positions summed over the rows of a batch advance by several at a time.
TEST(Positions, AdvancingBySeveralAtATimeAreFoundWhereTheBaseIsAUsualOne) {
  const std::vector<std::int64_t> positions = {2, 3, 4, 4, 6, 7, 10, 13, 16, 19, 22, 25};
  for (const char* policy : {"float32", "float32,store=f16", "bfloat16-store"}) {
    const Diagnosis d =
        diagnose(test::made_tensors(plain(128, 10000, policy), positions, 4, 128), {});
    const Explanation& e = only(d);
    EXPECT_EQ(e.spectrum().embedding.base, 10000) << policy;
    EXPECT_EQ(e.regimes.front().positions, positions) << policy;
  }
}

TEST(Positions, ScatteredPositionsOfAnUnknownBaseAreSaidToBeOpen) {
  const std::vector<std::int64_t> positions = {3, 90, 7, 1000};
  const Diagnosis d = diagnose(test::made_tensors(plain(64, 43210), positions, 2, 64), {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  EXPECT_TRUE(d.undetermined);
  ASSERT_EQ(d.pairings.size(), 1U);
  EXPECT_EQ(name(d.pairings.front()), "half");
  DiagnosisRequest request;
  request.positions = positions;
  EXPECT_EQ(only(diagnose(test::made_tensors(plain(64, 43210), positions, 2, 64), request))
                .spectrum()
                .embedding.base,
            43210);
}

TEST(Positions, AHundredThousandTokensAreDiagnosed) {
  const test::RotatedVectors tensors =
      test::made_tensors(plain(64, 10000), counted(0, 100000), 1, 64);
  EXPECT_EQ(only(diagnose(tensors, {})).position_offset, 0);
}

TEST(Positions, AHundredThousandPackedTokensAreDiagnosed) {
  std::vector<std::int64_t> positions = counted(0, 60000);
  for (std::int64_t t = 0; t < 40000; ++t) positions.push_back(t);
  const Diagnosis d = diagnose(test::made_tensors(plain(64, 10000), positions, 1, 64), {});
  ASSERT_EQ(only(d).runs.size(), 2U);
  EXPECT_EQ(only(d).runs[1].first_token, 60000U);
}

TEST(Positions, WhatTurnsEvenlyIsNeverCalledNoRotation) {
  // Two pairs, 16 bits, a base of many digits, far from position 0: more than can be told.
  const Made made{
      {0, 4, 0, 0}, default_embedding(4, 6936810.3), *find_policy("bfloat16-table"), false};
  const Diagnosis d = diagnose(test::made_tensors(made, counted(3508, 121), 8, 16), {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
}

TEST(Positions, ABaseThatIsNoRoundOneIsFitted) {
  const auto fitted = [](double base, const char* scaling) {
    Spectrum spectrum;
    spectrum.embedding = default_embedding(8, base, PairLayout::half);
    spectrum.embedding.scaling = parse_scaling(scaling);
    spectrum.recognised = true;
    return fitted_numbers(spectrum);
  };
  EXPECT_EQ(fitted(10000, "default"), 0U);
  EXPECT_EQ(fitted(73858822, "default"), 1U);
  EXPECT_EQ(fitted(10000, "linear:factor=4"), 1U);
  EXPECT_EQ(fitted(73858822, "linear:factor=4"), 2U);
  EXPECT_EQ(fitted_numbers(Spectrum()), 0U);
}

}  // namespace
}  // namespace rope
