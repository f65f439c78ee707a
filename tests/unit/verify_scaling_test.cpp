// Verification and precision of embeddings that a scaling rule made: frequencies that no base gives
// back, and an attention factor on every table.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "rope/precision/position_error.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/scaling/scaling.hpp"
#include "rope/verify/multiprecision.hpp"
#include "rope/verify/verification.hpp"

namespace rope {
namespace {

struct Scaling {
  const char* text;
  std::size_t head_dim, rotary_dim;
};

/// A above 1 and below, all dimensions rotated and some, frequencies of 0 among them.
constexpr Scaling kScalings[] = {
    {"yarn:factor=4,original=4096", 64, 64},
    {"yarn:factor=40,original=4096,attention_factor=0.7", 48, 32},
    {"yarn:factor=32,original=4096,truncate=0", 64, 32},
    {"llama3:factor=8,low=1,high=4,original=8192", 64, 64},
    {"proportional:partial=0.25", 64, 64},
    {"truncation:low=0.0001,high=0.01,value=0.001", 64, 64},
};

RotaryEmbedding embedding_of(const Scaling& scaling) {
  return scaled_embedding(parse_scaling(scaling.text),
                          {10000, scaling.head_dim, scaling.rotary_dim, {}, {}});
}

VerifyOptions options(const Scaling& scaling, const std::string& policy) {
  VerifyOptions result;
  result.embedding = embedding_of(scaling);
  result.layouts = {PairLayout::interleaved, PairLayout::half};
  result.policy = parse_policy(policy);
  result.trials = 100;
  result.max_position = 32759;
  return result;
}

std::string all_reasons(const VerifyReport& report) {
  std::string text;
  for (const std::string& reason : report.reasons) text += reason + "; ";
  return text;
}

TEST(VerifyScaling, NoPolicyBreaksABoundWhateverTheAttentionFactor) {
  for (const Scaling& scaling : kScalings)
    for (const Policy& policy : policies()) {
      const std::string what = std::string(scaling.text) + " " + policy.name;
      const VerifyReport report = verify(options(scaling, policy.name));
      EXPECT_EQ(report.identity.violations, 0U) << what;
      EXPECT_LE(report.identity.max_ratio, 1) << what;
      EXPECT_LE(report.identity.max_ratio_a_priori, 1) << what;
      EXPECT_EQ(report.certificate.violations, 0U) << what;
      EXPECT_EQ(report.exact_violations, 0U) << what;
      EXPECT_EQ(report.orthogonality_violations, 0U) << what;
      EXPECT_EQ(report.shift_violations, 0U) << what;
      EXPECT_EQ(report.not_finite, 0U) << what;
      EXPECT_EQ(report.probabilistic.exceeded, 0U) << what;
    }
}

TEST(VerifyScaling, PassesAndRejectsEveryPlantedMistake) {
  for (const Scaling& scaling : kScalings)
    for (const char* policy : {"exact", "float64", "float32"}) {
      const std::string what = std::string(scaling.text) + " " + policy;
      const VerifyReport report = verify(options(scaling, policy));
      EXPECT_EQ(report.verdict, Verdict::pass) << what << ": " << all_reasons(report);
      EXPECT_EQ(report.faithfulness.violations, 0U) << what;
      for (const ControlReport& control : report.controls)
        EXPECT_NE(control.outcome, ControlReport::Outcome::not_rejected)
            << what << " " << control.control.name;
    }
}

TEST(VerifyScaling, HoldsTheFactorTwiceOnBothSides) {
  const Scaling scaling{"yarn:factor=4,original=4096,attention_factor=2", 4, 2};
  VerifyOptions given = options(scaling, "exact");
  VerifyCase own;
  own.m = own.n = 0;
  own.q = {1, 0, 3, 0};
  own.k = {1, 0, 5, 0};
  given.given = own;
  const VerifyReport report = verify(given);
  ASSERT_FALSE(report.given.empty());
  EXPECT_EQ(report.given.front().left, 4 + 15);  // what passes through is not scaled
  EXPECT_EQ(report.given.front().right, 4 + 15);
}

TEST(VerifyScaling, HoldsInManyBits) {
  for (const Scaling& scaling : kScalings) {
    VerifyOptions given = options(scaling, "exact");
    given.trials = 20;
    for (const MultiprecisionStep& step : verify_in_bits(given, {24, 200})) {
      EXPECT_EQ(step.violations, 0U) << scaling.text;
      EXPECT_LE(step.max_error, std::ldexp(4096.0L, 24 - step.bits)) << scaling.text;
    }
  }
}

TEST(PipelineScaling, CastsScaledFrequenciesInsteadOfMakingThemFromTheBase) {
  const RotaryEmbedding embedding = embedding_of(kScalings[0]);
  for (const char* name : {"float32", "float64", "ggml"}) {
    const std::optional<Policy> policy = find_policy(name);
    if (!policy) continue;
    const Pipeline pipeline(*policy, embedding);
    EXPECT_EQ(pipeline.policy().angle_rule, AngleRule::product) << name;
    for (std::size_t k = 0; k < embedding.pairs(); ++k)
      EXPECT_EQ(pipeline.theta()[k], round_to(policy->frequency, embedding.frequencies.theta[k]))
          << name << ", pair " << k;
  }
}

TEST(PipelineScaling, MultipliesItsTableByTheAttentionFactor) {
  const RotaryEmbedding embedding = embedding_of(kScalings[0]);
  RotaryEmbedding plain = embedding;
  plain.attention_factor = 1;
  for (const char* name : {"exact", "float64", "float32", "bfloat16-table"}) {
    const Policy policy = parse_policy(name);
    const Pipeline scaled(policy, embedding), unscaled(policy, plain);
    const double u = std::max(limits(policy.table).unit_roundoff, 0x1p-53);
    RotationRow row;
    scaled.table_row(1000, row);
    for (std::size_t k = 0; k < embedding.pairs(); ++k) {
      const CosSin entry = scaled.table_entry(1000, k), one = unscaled.table_entry(1000, k);
      EXPECT_EQ(entry, (CosSin{row.cos[k], row.sin[k]})) << name;
      EXPECT_NEAR(entry.cos, embedding.attention_factor * one.cos, 4 * u) << name;
      EXPECT_NEAR(entry.sin, embedding.attention_factor * one.sin, 4 * u) << name;
    }
  }
}

TEST(PositionErrors, AreRelativeToTheSquareOfTheFactorAndWithinTheirBounds) {
  for (const Scaling& scaling : kScalings)
    for (const char* name : {"exact", "float32", "bfloat16-table"})
      for (const Against against : {Against::identity, Against::exact}) {
        const Pipeline pipeline(parse_policy(name), embedding_of(scaling));
        const std::vector<std::int64_t> positions = {0, 16, 4096};
        for (const PositionError& error : sample_errors(pipeline, against, positions)) {
          // What is measured errs too: the exact rotation is right to kCosSinError.
          EXPECT_LE(error.worst.error, error.bound + 2e-15)
              << scaling.text << " " << name << " " << error.position;
          EXPECT_LT(error.worst.error, 0.1) << scaling.text << " " << name;
        }
      }
}

}  // namespace
}  // namespace rope
