// Of explanations that fit alike, the plain one is told; what is no finding is not listed.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/arrays.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

using test::counted;
using test::Made;

Made scaled(Arrangement arrangement, double base, const char* scaling, const char* policy) {
  const std::size_t r = arrangement.rotary_dim;
  return {arrangement, scaled_embedding(parse_scaling(scaling), {base, r, r, {}, {}}),
          parse_policy(policy)};
}

DiagnosisRequest stating(const RotaryEmbedding& embedding, std::vector<std::int64_t> positions) {
  DiagnosisRequest request;
  request.positions = std::move(positions);
  request.assumed = Assumption{embedding};
  request.assumed->positions = true;
  return request;
}

TEST(PlainReadings, StatedFrequenciesAreTriedWithTheOrderThatWasFound) {
  // Half of the pairs are stored in another order than they are read: no layout states that.
  const Made truth = scaled({0, 16, 0, -1}, 10000, "llama3:factor=61,low=2,high=4,original=2048",
                            "float64-angle-bfloat16");
  const std::vector<std::int64_t> positions = counted(0, 102);
  const Diagnosis d =
      diagnose(test::made_tensors(truth, positions, 1, 64), stating(truth.embedding, positions));
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_EQ(d.explanations.front().spectrum().embedding.scaling, truth.embedding.scaling);
  EXPECT_FALSE(d.explanations.front().assumed);  // the order was not stated
}

TEST(PlainReadings, MeasuredFrequenciesAreNotListedBesideARuleThatHasThem) {
  const Made truth =
      scaled({0, 20, -1, -1}, 3809414.5, "yarn:factor=8,original=4096", "float32,store=f16");
  const std::vector<std::int64_t> positions = counted(0, 36);
  const Diagnosis d =
      diagnose(test::made_tensors(truth, positions, 4, 80), stating(truth.embedding, positions));
  for (const Explanation& e : d.explanations) EXPECT_TRUE(e.spectrum().recognised);
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_TRUE(d.explanations.front().open.empty() ||
              d.explanations.front().open.front().find("that were stated") == std::string::npos);
}

// Nine tokens in 16 bits: the slow pairs hardly move, so the measured block is completed first.
TEST(PlainReadings, ACompletedBlockIsNotListedBesideWhatWasStated) {
  const Made truth =
      scaled({0, 32, 0, 0}, 5e6, "llama3:factor=6.24,low=1,high=4,original=4096", "bfloat16-store");
  const std::vector<std::int64_t> positions = counted(0, 9);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Diagnosis d = diagnose(test::made_tensors(truth, positions, 1, 32, seed),
                                 stating(truth.embedding, positions));
    ASSERT_FALSE(d.explanations.empty()) << seed;
    EXPECT_TRUE(d.explanations.front().assumed) << seed;
    for (const Explanation& e : d.explanations) EXPECT_TRUE(e.spectrum().recognised) << seed;
  }
}

// Interleaved pairs as far as they move, where half pairs of the whole head are stated.
TEST(PlainReadings, StatedFrequenciesAreTriedWithABlockOnceItIsWhole) {
  const char* rule = "llama3:factor=8,low=1,high=4,original=8192";
  const Made truth = scaled({0, 128, 0, 0}, 5e5, rule, "bfloat16-store");
  DiagnosisRequest request;
  request.assumed = Assumption{truth.embedding};
  request.assumed->embedding.layout = PairLayout::half;
  request.assumed->layout = true;
  for (const std::size_t tokens : {17U, 51U, 64U}) {
    const Diagnosis d = diagnose(test::made_tensors(truth, counted(0, tokens), 5, 128), request);
    ASSERT_FALSE(d.explanations.empty()) << tokens;
    for (const Explanation& e : d.explanations) EXPECT_TRUE(e.spectrum().recognised) << tokens;
    EXPECT_EQ(d.explanations.front().spectrum().embedding.scaling, truth.embedding.scaling)
        << tokens;
  }
}

// Two tokens do not tell a rule from none, and a factor that differs makes no other rule likelier.
TEST(PlainReadings, StatedFrequenciesComeFirstWithAnyFactor) {
  for (const char* rule : {"yarn:factor=4,original=32768", "linear:factor=4"}) {
    Made truth = scaled({0, 128, -1, -1}, 1e6, rule, "float64-angle-bfloat16");
    DiagnosisRequest request = stating(truth.embedding, counted(0, 2));
    truth.embedding.attention_factor *= 1.2;
    const Diagnosis d = diagnose(test::made_tensors(truth, counted(0, 2), 10, 128), request);
    ASSERT_FALSE(d.explanations.empty()) << rule;
    EXPECT_EQ(d.explanations.front().spectrum().embedding.scaling, truth.embedding.scaling);
  }
}

// Far out 16 bits leave many frequencies to each pair: no line through the angles tells which.
TEST(PlainReadings, AnotherFactorOfTheStatedRuleIsTriedFarOut) {
  const char* stated = "llama3:factor=32,high=4,low=1,original=8192";
  for (const char* rule : {"llama3:factor=8,high=4,low=1,original=8192", "default"})
    for (const double base : {5e5, 2e5}) {
      const Made truth = scaled({0, 64, -1, -1}, base, rule, "bfloat16-table");
      const std::vector<std::int64_t> positions = counted(27713, 20);
      const Diagnosis d =
          diagnose(test::made_tensors(truth, positions, 24, 64),
                   stating(scaled({0, 64, -1, -1}, base, stated, "exact").embedding, positions));
      ASSERT_FALSE(d.explanations.empty()) << rule << base;
      EXPECT_EQ(d.explanations.front().spectrum().embedding.scaling, truth.embedding.scaling)
          << rule << base;
    }
}

// Three tokens far from 0 do not show which rule divides the slow pairs: it may be YaRN, whose
// factor it then is.
TEST(PlainReadings, AFactorOfYarnIsNoMistakeBesideFrequenciesOfNoKnownRule) {
  const Made truth = scaled({0, 128, -1, -1}, 1e6, "yarn:factor=4,original=32768", "float32");
  DiagnosisRequest request;
  request.positions = counted(25039, 3);
  const Diagnosis d = diagnose(test::made_tensors(truth, *request.positions, 4, 128), request);
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_FALSE(d.explanations.front().spectrum().recognised);
  for (const Explanation& e : d.explanations)
    for (const Advice& advice : remarks(e, true))
      EXPECT_EQ(advice.finding.find("YaRN"), std::string::npos) << advice.finding;
}

TEST(PlainReadings, OneRuleIsNotListedTwiceForNumbersWithItsFrequencies) {
  // Half of every number but the factor has the same ramp.
  const Made truth = scaled({0, 96, -1, -1}, 5e6, "llama3:factor=32,high=4,low=2,original=4096",
                            "float64-angle-bfloat16");
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    DiagnosisRequest request = stating(truth.embedding, counted(1287, 33));
    request.hypotheses.noise_ulp = 1;
    const Diagnosis d =
        diagnose(test::made_tensors(truth, *request.positions, 2, 96, seed), request);
    ASSERT_FALSE(d.explanations.empty()) << seed;
    EXPECT_EQ(d.explanations.front().spectrum().embedding.scaling, truth.embedding.scaling) << seed;
    for (std::size_t i = 1; i < d.explanations.size(); ++i)
      EXPECT_NE(d.explanations[i].spectrum().embedding.scaling.rule, "llama3") << seed;
  }
}

TEST(PlainReadings, OneRuleIsNotListedTwiceForItsDigits) {
  const Made truth =
      scaled({0, 48, -1, -1}, 51549107, "yarn:factor=2,original=1024", "bfloat16-store");
  DiagnosisRequest request;
  request.positions = counted(0, 115);
  const Diagnosis d = diagnose(test::made_tensors(truth, *request.positions, 1, 96), request);
  const auto yarns = std::count_if(
      d.explanations.begin(), d.explanations.end(),
      [](const Explanation& e) { return e.spectrum().embedding.scaling.rule == "yarn"; });
  EXPECT_LE(yarns, 1);
}

TEST(PlainReadings, AUsualBaseOverTheHeadIsPlainerThanAnOddOneOverAnOddPartOfIt) {
  const Made truth{{0, 128, 0, 0}, default_embedding(128, 500000), parse_policy("bfloat16-store")};
  DiagnosisRequest request;
  request.positions = counted(0, 71);
  const Diagnosis d = diagnose(test::made_tensors(truth, *request.positions, 1, 256), request);
  ASSERT_FALSE(d.explanations.empty());
  for (const Explanation& e : d.explanations) EXPECT_EQ(e.arrangement.rotary_dim, 128U);
}

TEST(PlainReadings, MeasuredInterleavedPairsEndWhereModelsEndThem) {
  // Six tokens in 16 bits: the slow pairs do not move, and the size shows in none of them.
  const Made truth =
      scaled({0, 32, 0, 0}, 5e6, "llama3:factor=6.24,low=1,high=4,original=4096", "bfloat16-store");
  DiagnosisRequest request;
  request.positions = counted(0, 6);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Diagnosis d =
        diagnose(test::made_tensors(truth, *request.positions, 1, 32, seed), request);
    for (const Explanation& e : d.explanations)
      if (!e.spectrum().recognised) {
        EXPECT_EQ(e.arrangement.rotary_dim, 32U) << seed;
        EXPECT_FALSE(e.spectrum().known(15)) << seed;
      }
  }
}

TEST(PlainReadings, ABaseFittedToTwoPairsOfOneTokenIsNoFinding) {
  const Made truth{{0, 4, -1, -1}, default_embedding(4, 150000), parse_policy("float32,store=f16")};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    DiagnosisRequest request;
    request.positions = {9052};
    const Diagnosis d = diagnose(test::made_tensors(truth, {9052}, 1, 16, seed), request);
    EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
    for (const Explanation& e : d.explanations)
      EXPECT_NE(e.spectrum().embedding.scaling.rule, "linear") << seed;
  }
}

TEST(PlainReadings, AFactorOfFewDigitsFarFromThePositionsGivenIsNotPlainer) {
  // Two pairs in 16 bits: many offsets fit, each with a factor of its own.
  const Made truth =
      scaled({0, 4, 0, -1}, 10000, "linear:factor=7.388914838288654", "float16-table");
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    DiagnosisRequest request;
    request.positions = counted(0, 87);
    const Diagnosis d =
        diagnose(test::made_tensors(truth, *request.positions, 8, 16, seed), request);
    EXPECT_TRUE(std::any_of(d.explanations.begin(), d.explanations.end(), [](const Explanation& e) {
      return e.position_offset == 0 && !e.spectrum().clockwise;
    })) << seed;
  }
}

TEST(PlainReadings, FactorsThatComeFromElsewhereAreNamed) {
  const RotaryEmbedding plain = default_embedding(128, 10000);
  const auto said = [&](double factor, double assumed) {
    Explanation e;
    e.arrangement = {0, 128, -1, -1};
    e.regimes.emplace_back();
    e.regimes.front().spectrum.embedding = plain;
    e.regimes.front().spectrum.recognised = true;
    e.regimes.front().spectrum.embedding.attention_factor = factor;
    Assumption assumption{plain};
    assumption.embedding.attention_factor = assumed;
    assumption.layout = false;
    const std::vector<Advice> all = differences(e, assumption);
    return all.empty() ? std::string() : all.front().finding + ": " + all.front().remedy.text;
  };
  EXPECT_NE(said(0.0883883476, 1).find("1/√128"), std::string::npos) << said(0.0883883476, 1);
  EXPECT_NE(said(1.13863 * 1.13863, 1.13863).find("the square of 1.13863"), std::string::npos);
  EXPECT_EQ(said(1.13863, 1.13863), "");
}

}  // namespace
}  // namespace rope
