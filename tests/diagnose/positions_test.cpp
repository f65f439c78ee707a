// Caches, padding, packing: where tokens stand, found from their own angles.

#include <gtest/gtest.h>

#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

using test::counted;
using test::Made;

Made plain(std::size_t dim, double base, const char* policy = "float32") {
  return {{0, dim, -1, -1}, default_embedding(dim, base), *find_policy(policy), false};
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
    const RotatedTensors tensors =
        test::made_tensors(plain(128, 10000), counted(start, 50), 2, 128);
    EXPECT_EQ(only(diagnose(tensors, {})).position_offset, start);
    DiagnosisRequest request;
    request.positions = counted(0, 50);
    EXPECT_EQ(only(diagnose(tensors, request)).position_offset, start);
    request.positions = counted(start, 50);
    EXPECT_EQ(only(diagnose(tensors, request)).position_offset, 0);
  }
}

TEST(Positions, NegativeStartsAreFound) {
  const RotatedTensors tensors = test::made_tensors(plain(64, 500000), counted(-30, 50), 2, 64);
  EXPECT_EQ(only(diagnose(tensors, {})).position_offset, -30);
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
  RotatedTensors tensors = test::random_tensors(120, 2, 128, Format::float32, random);
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
  const RotatedTensors tensors = test::made_tensors(plain(64, 10000), counted(0, 100000), 1, 64);
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

}  // namespace
}  // namespace rope
