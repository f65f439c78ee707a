// Rules that slow the slow pairs alone, and whole turns between scattered tokens: what short or
// sparse prompts hide.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "rope/diagnose/angles/fitting_rates.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/frequencies/hidden_rules.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/rule_search.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

using test::counted;
using test::Made;

constexpr std::size_t kDim = 64;

RotaryEmbedding scaled(const ScalingSpec& spec, double base) {
  return scaled_embedding(spec, {base, kDim, kDim, std::nullopt, std::nullopt});
}

Made half(const RotaryEmbedding& embedding, const char* policy) {
  return {{0, kDim, -1, -1}, embedding, parse_policy(policy), false};
}

ScalingSpec llama3(double factor, double original) {
  return {"llama3", {{"factor", factor}, {"low", 1}, {"high", 4}, {"original", original}}, {}};
}

ScalingSpec yarn(double factor, double original) {
  return {"yarn", {{"factor", factor}, {"original", original}}, {}};
}

/// Whether an explanation's frequencies are those that were used, by its own errors.
bool right(const Explanation& e, const RotaryEmbedding& truth) {
  const Spectrum& s = e.spectrum();
  for (std::size_t k = 0; k < truth.pairs(); ++k) {
    const double error = std::abs(s.embedding.frequencies.theta[k] - truth.frequencies.theta[k]);
    if (!(error <= s.error_of(k) + 1e-6 * truth.frequencies.theta[k])) return false;
  }
  return true;
}

TEST(HiddenRules, UnusualParametersAreNeverMissedForCertain) {
  const std::vector<ScalingSpec> specs = {llama3(8, 8192),    llama3(16, 8192), llama3(5.5, 65536),
                                          llama3(40, 131072), yarn(3, 32768),   yarn(16, 4096),
                                          yarn(40, 16384)};
  for (const char* policy : {"bfloat16-store", "bfloat16-table", "float16-table"})
    for (const double base : {1e4, 5e5})
      for (const ScalingSpec& spec : specs)
        for (const std::size_t tokens : {2U, 5U, 13U}) {
          SCOPED_TRACE(std::string(policy) + " " + scaling_text(spec) + " " +
                       std::to_string(tokens));
          const RotaryEmbedding truth = scaled(spec, base);
          const Diagnosis d =
              diagnose(test::made_tensors(half(truth, policy), counted(0, tokens), 2, kDim), {});
          EXPECT_NE(d.verdict, DiagnosisVerdict::none);
          if (d.verdict == DiagnosisVerdict::unique) {
            EXPECT_TRUE(right(d.explanations.front(), truth));
          }
        }
}

/// Every rotated number is the one that was computed or one of its neighbours.
void disturb(test::RotatedVectors& tensors, const Arrangement& a, Format format,
             RandomStream& random) {
  for (std::size_t row = 0; row < tensors.y.size(); row += tensors.dim)
    for (std::size_t i = row + a.offset; i < row + a.offset + a.rotary_dim; ++i)
      tensors.y[i] =
          round_to(format, tensors.y[i] * (1 + 1.5 * limits(format).unit_roundoff *
                                                   static_cast<double>(random.integer(-1, 1))));
}

TEST(HiddenRules, APairThatOnlyNoiseShowsBelongsToTheRotatedPart) {
  // Four pairs of sixteen dimensions, the last of which does not visibly turn: its base alone would
  // turn it too far.
  const Arrangement a{0, 8, 0, 0};
  for (const ScalingSpec& spec : {llama3(32, 8192), llama3(50, 32768), yarn(8, 4096)})
    for (const std::size_t tokens : {12U, 16U, 24U})
      for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        SCOPED_TRACE(scaling_text(spec) + ", " + std::to_string(tokens) + " tokens, seed " +
                     std::to_string(seed));
        const Made truth{a, scaled_embedding(spec, {150000, 8, 8, {}, {}}),
                         parse_policy("bfloat16-store")};
        test::RotatedVectors tensors = test::made_tensors(truth, counted(0, tokens), 8, 16, seed);
        RandomStream random(seed, 1);
        disturb(tensors, a, Format::bfloat16, random);
        DiagnosisRequest request;
        request.hypotheses.noise_ulp = 1;
        const Diagnosis d = diagnose(tensors, request);
        EXPECT_NE(d.verdict, DiagnosisVerdict::none);
        EXPECT_TRUE(std::any_of(d.explanations.begin(), d.explanations.end(),
                                [&](const Explanation& e) { return e.arrangement == a; }));
      }
}

TEST(HiddenRules, ARuleThatSlowsNoPairIsNotNamed) {
  // The slower half is off by more than its errors and less than float32 rounds: no base fits all.
  MeasuredTheta measured;
  measured.theta = default_embedding(96, 183).frequencies.theta;
  measured.head_dim = 96;
  for (std::size_t k = 0; k < measured.pairs(); ++k) {
    measured.error.push_back(1e-7 * measured.theta[k]);
    if (k >= measured.pairs() / 2) measured.theta[k] *= 1 - 1e-6;
  }
  for (const Spectrum& found : search_rules(measured))
    EXPECT_NE(found.embedding.frequencies.theta,
              default_embedding(96, *found.embedding.base).frequencies.theta)
        << scaling_text(found.embedding.scaling);
}

TEST(HiddenRules, PositionsThatMayBeCloserTogetherAreOpen) {
  // 2633, 2632 and 2634 at these frequencies, or twice as far apart at half of them.
  const Made truth{{0, 256, 0, 0}, default_embedding(256, 1693.862), parse_policy("float32")};
  const std::vector<std::int64_t> positions = {2633, 2632, 2634};
  const Diagnosis d = diagnose(test::made_tensors(truth, positions, 4, 256), {});
  for (const Explanation& e : d.explanations) {
    if (d.verdict == DiagnosisVerdict::unique) {
      EXPECT_EQ(e.regimes.front().positions, positions);
    }
  }
}

TEST(HiddenRules, AFactorThatWasFittedHasItsInterval) {
  const Arrangement a{32, 32, -1, -1};
  const Made truth{a, default_embedding(32, 297281.18), parse_policy("float64-angle-bfloat16")};
  std::vector<std::int64_t> positions = counted(4374, 40);
  for (const std::int64_t position : counted(0, 20)) positions.push_back(position);
  constexpr std::uint64_t kSeed = 2;
  test::RotatedVectors tensors = test::made_tensors(truth, positions, 2, 64, kSeed);
  RandomStream random(kSeed, 1);
  disturb(tensors, a, Format::bfloat16, random);
  DiagnosisRequest request;
  request.positions = positions;
  request.hypotheses.noise_ulp = 1;
  std::size_t fitted = 0;
  for (const Explanation& e : diagnose(tensors, request).explanations) {
    const Spectrum& s = e.spectrum();
    if (s.embedding.attention_factor == 1) continue;
    ++fitted;
    EXPECT_LE(s.factor_low, 1);
    EXPECT_GE(s.factor_high, 1);
  }
  EXPECT_GT(fitted, 0U);
}

TEST(HiddenRules, AFactorAtAnOffsetThatIsOpenIsOpenToo) {
  const RotaryEmbedding embedding =
      scaled_embedding({"linear", {{"factor", 4.969023968007274}}, {}}, {1e4, 8, 8, {}, {}});
  const Made truth{{0, 8, -1, -1}, embedding, parse_policy("float32,store=f16")};
  std::size_t open = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Diagnosis d = diagnose(test::made_tensors(truth, counted(3040, 13), 6, 32, seed), {});
    if (d.verdict != DiagnosisVerdict::ambiguous) continue;
    for (const Explanation& e : d.explanations)
      for (const std::string& said : e.open) {
        if (said.find("the position offset") == std::string::npos) continue;
        ++open;
        EXPECT_EQ(e.spectrum().embedding.scaling.rule == "linear",
                  said.find("and the factor with it") != std::string::npos)
            << said;
      }
  }
  EXPECT_GT(open, 0U);
}

TEST(HiddenRules, WhatPassesAsWellIsSaid) {
  const Diagnosis d =
      diagnose(test::made_tensors(half(default_embedding(kDim, 1e4), "bfloat16-store"),
                                  counted(0, 8), 1, kDim),
               {});
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  const bool listed = d.explanations.size() > 1;
  bool said = false;
  for (const std::string& open : d.explanations.front().open)
    said = said || open.find("the scaling") != std::string::npos;
  EXPECT_TRUE(listed || said);
}

TEST(HiddenRules, LongPromptsOfExactNumbersLeaveNoDoubt) {
  for (const ScalingSpec& spec : {ScalingSpec{}, llama3(16, 8192), yarn(40, 4096)}) {
    const RotaryEmbedding truth = scaled(spec, 5e5);
    const Diagnosis d =
        diagnose(test::made_tensors(half(truth, "float32"), counted(0, 64), 2, kDim), {});
    EXPECT_EQ(d.verdict, DiagnosisVerdict::unique) << scaling_text(spec);
    ASSERT_FALSE(d.explanations.empty());
    EXPECT_TRUE(right(d.explanations.front(), truth));
  }
}

TEST(HiddenRules, EachKeepsTheBaseAndTheFactorAndChangesTheFrequencies) {
  Spectrum found = named(default_embedding(kDim, 1e6));
  found.embedding.attention_factor = 1.25;
  std::vector<Spectrum> all = usual_hidden_rules(found);
  EXPECT_GE(all.size(), 8U);
  const std::vector<Spectrum> nearest = nearest_hidden_rules(found, 3);
  EXPECT_EQ(nearest.size(), 6U);
  all.insert(all.end(), nearest.begin(), nearest.end());
  for (const Spectrum& rule : all) {
    EXPECT_NE(rule.embedding.frequencies.theta, found.embedding.frequencies.theta);
    EXPECT_EQ(rule.embedding.frequencies.theta[0], 1);
    EXPECT_EQ(rule.embedding.attention_factor, 1.25);
    EXPECT_EQ(rule.embedding.base, 1e6);
  }
  EXPECT_TRUE(usual_hidden_rules(named(scaled({"linear", {{"factor", 2}}, {}}, 1e4))).empty());
  EXPECT_TRUE(nearest_hidden_rules(named(default_embedding(2, 1e4)), 3).empty());
}

TEST(ScatteredPositions, AreUnwrappedWhateverTheBaseAndTheRule) {
  const std::vector<std::vector<std::int64_t>> prompts = {
      {27, 156, 888, 1993, 2865}, {17, 23, 69, 81, 88}, {6096, 11679, 11999, 12464, 15007, 29980}};
  for (const auto& positions : prompts)
    for (const char* policy : {"float64", "float32"})
      for (const RotaryEmbedding& truth :
           {default_embedding(kDim, 12345), scaled(yarn(10, 16384), 5e5),
            scaled(llama3(2, 65536), 31825)}) {
        SCOPED_TRACE(std::string(policy) + " " + scaling_text(truth.scaling) + " " +
                     std::to_string(positions.front()));
        DiagnosisRequest request;
        request.positions = positions;
        const Diagnosis d =
            diagnose(test::made_tensors(half(truth, policy), positions, 2, kDim), request);
        EXPECT_EQ(d.verdict, DiagnosisVerdict::unique);
        ASSERT_FALSE(d.explanations.empty());
        EXPECT_EQ(d.explanations.front().position_offset, 0);
        EXPECT_TRUE(right(d.explanations.front(), truth));
      }
}

TEST(ScatteredPositions, OfCoarseNumbersAreNoEvidenceAgainstARotation) {
  const std::vector<std::int64_t> positions = {24299, 25624, 14432};
  for (const double base : {2089058.0, 777.0}) {
    DiagnosisRequest request;
    request.positions = positions;
    const Diagnosis d =
        diagnose(test::made_tensors(half(default_embedding(kDim, base), "bfloat16-store"),
                                    positions, 2, kDim),
                 request);
    EXPECT_NE(d.verdict, DiagnosisVerdict::none);
  }
}

TEST(FittingRates, AreAllThatAgree) {
  // Three tokens at 0, 5 and 12 of a rate of 0.28 turns: 12 and 5 together leave one rate.
  const auto seen = [](std::int64_t length, double rate, double error) {
    const double turns = rate * static_cast<double>(length);
    return TurnBetween{length, turns - std::floor(turns + 0.5), error, 0};
  };
  const auto rates = [](const std::vector<TurnBetween>& observed, double largest = 0.5) {
    return fitting_rates(observed, largest);
  };
  auto one = rates({seen(5, 0.28, 1e-6), seen(12, 0.28, 1e-6)});
  ASSERT_TRUE(one);
  ASSERT_EQ(one->size(), 1U);
  EXPECT_LE(one->front().low, 0.28);
  EXPECT_GE(one->front().high, 0.28);
  EXPECT_LE(one->front().high - one->front().low, 2.1e-6 / 12);
  // Backwards it is the same.
  EXPECT_EQ(rates({seen(5, 0.28, 1e-6), seen(-12, 0.28, 1e-6)})->size(), 1U);
  // One length alone leaves as many as it has turns.
  EXPECT_EQ(rates({seen(5, 0.28, 1e-6)})->size(), 5U);
  // Coarse angles leave several, angles of two rates none.
  EXPECT_GT(rates({seen(5, 0.28, 0.1), seen(12, 0.28, 0.1)})->size(), 1U);
  EXPECT_TRUE(rates({seen(5, 0.28, 1e-6), seen(12, 0.29, 1e-6)})->empty());
  // What an angle's own rounding adds grows with the rate.
  TurnBetween rough = seen(12, 0.29, 1e-6);
  rough.error_per_rate = 1;
  EXPECT_FALSE(rates({seen(5, 0.28, 1e-6), rough})->empty());
  // An angle of which nothing is known says nothing; too many rates are not looked at.
  EXPECT_EQ(rates({seen(5, 0.28, 1)})->size(), 1U);
  EXPECT_FALSE(rates({seen(1'000'000, 0.28, 1e-6)}));
}

}  // namespace
}  // namespace rope
