// What results say to people, and how they are written to streams and by GoogleTest.

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "rope/rope.hpp"
#include "rope/words/diagnosed.hpp"

namespace rope {
namespace {

/// A kernel of 3 heads and 8 tokens, "THD", that counts positions from `first`.
struct Kernel {
  RotaryEmbedding embedding = default_embedding(64, 10000, PairLayout::half);
  std::vector<std::int64_t> positions{0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<float> x, y;

  explicit Kernel(std::int64_t first) {
    std::vector<std::int64_t> counted;
    for (const std::int64_t position : positions) counted.push_back(position + first);
    for (std::size_t i = 0; i < 8 * 3 * 64; ++i) x.push_back(std::sin(static_cast<float>(i + 1)));
    y = rotate_array(embedding, ArrayAxes("THD", {8, 3, 64}), x, counted);
  }

  Certification certified() const {
    return certify(embedding, *find_policy("float32"), x, y, positions);
  }
};

template <typename Value>
std::string streamed(const Value& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

template <typename Value>
std::string printed(const Value& value) {
  return testing::PrintToString(value);
}

TEST(Words, ACertificationSaysItsVerdictAndWhy) {
  const std::string pass = describe(Kernel(0).certified());
  EXPECT_TRUE(pass.starts_with(
      "PASS: All 768 pairs are within what float32 allows; the closest to its limit "
      "is vector "))
      << pass;
  EXPECT_TRUE(pass.ends_with("is allowed.")) << pass;
  const std::string fail = describe(Kernel(1).certified());
  EXPECT_TRUE(fail.starts_with("FAIL: ")) << fail;
  EXPECT_NE(fail.find(" The first is vector 0 at position 0, pair 0 (dimensions 0, 32): found ("),
            std::string::npos)
      << fail;
}

TEST(Words, ACertificationOfTablesSpeaksOfRows) {
  const RotaryEmbedding embedding = default_embedding(8, 10000);
  const std::vector<std::int64_t> positions = {0, 1, 2, 3};
  auto table = rotation_table<float>(embedding, positions);
  table.sin[5] += 0.5F;
  const Certification c =
      certify_tables(embedding, *find_policy("float32"), table.cos, table.sin, positions);
  EXPECT_NE(describe(c).find("worst relative to its limit is row 1 at position 1, pair 1"),
            std::string::npos)
      << describe(c);
}

TEST(Words, ADiagnosisSaysTheConventionAndWhatToDo) {
  const Kernel off(1);
  const std::vector<std::size_t> shape = {8, 3, 64};
  const std::string found = describe(diagnose(shape, off.x, off.y));
  EXPECT_TRUE(
      found.starts_with("One convention explains these tensors: half layout (i, i+32), base 10000 "
                        "(9999.83 … 10000.2), "
                        "positions from 1. Positions start at 1. If y is your own, start at 0"))
      << found;
  const std::string told = describe(diagnose(shape, off.x, off.y, off.positions));
  EXPECT_TRUE(told.starts_with(
      "One convention explains these tensors: half layout (i, i+32), base 10000 (9999.83 … "
      "10000.2), "
      "positions 1 higher than given. Positions are 1 higher than the given ones. If y is your "
      "own, "
      "subtract 1 from its positions"))
      << told;
}

TEST(Words, ADiagnosisThatFoundNothingSaysWhatToDo) {
  Kernel broken(0);
  for (std::size_t i = 0; i < broken.y.size(); ++i)
    broken.y[i] = std::cos(static_cast<float>(i * i % 977));
  const std::string text =
      describe(diagnose(std::vector<std::size_t>{8, 3, 64}, broken.x, broken.y));
  EXPECT_TRUE(text.starts_with("No convention explains these tensors: ")) << text;
  EXPECT_EQ(text.find("--"), std::string::npos) << "an option of the program: " << text;
}

TEST(Words, HeadsThatWereNotRotatedAreNamed) {
  Kernel kernel(0);
  for (std::size_t t = 0; t < 8; ++t)
    for (std::size_t i = 0; i < 64; ++i)
      kernel.y[(t * 3 + 2) * 64 + i] = kernel.x[(t * 3 + 2) * 64 + i];
  const std::string text =
      describe(diagnose(std::vector<std::size_t>{8, 3, 64}, kernel.x, kernel.y));
  EXPECT_TRUE(text.starts_with("Head 2 is not rotated: y equals x there. ")) << text;
  EXPECT_NE(text.find("One convention explains the rest"), std::string::npos) << text;
}

TEST(Words, ThingsAreAPhrase) {
  const ModelRope llama = preset_model("llama-3.1-8b");
  EXPECT_EQ(describe(llama).find("llama-3.1-8b: head_dim 128, base 500000, layout half, scaling "
                                 "llama3 (factor 8"),
            0)
      << describe(llama);
  EXPECT_EQ(describe(default_embedding(64, 10000)), "head_dim 64, base 10000, layout interleaved");
  EXPECT_EQ(describe(default_embedding(4, 10000).frequencies),
            "2 pairs, θ from 1 to 0.01 radians per token");
  EXPECT_EQ(describe(parse_scaling("yarn:factor=4,original=32768")),
            "yarn:factor=4,original=32768");
  EXPECT_EQ(describe(preset("llama-3.1-8b")).find("llama-3.1-8b: "), 0);
  EXPECT_EQ(describe(*find_policy("float32")).find("float32: θ f32, position f32 → angle f32"), 0);
  EXPECT_EQ(describe(Hypotheses{}),
            "cos and sin within 1 ulp, pow within 1 ulp, 0 roundings of a scaling rule");
  CertifyOptions options;
  EXPECT_EQ(describe(options).find("results in their array's type, cos and sin"), 0);
  options.result = Format::bfloat16;
  EXPECT_EQ(describe(options).find("results in bfloat16, cos and sin"), 0);
  EXPECT_EQ(describe(ReadOptions{}), "as hf reads it");
  EXPECT_EQ(describe(ReadOptions{8192, Engine::vllm}), "as vllm reads it, at 8192 tokens");
  EXPECT_EQ(describe(Position(5)), "5");
  EXPECT_EQ(describe(Position(std::vector<std::int64_t>{1, 2, 3})), "(1, 2, 3, 0)");
  EXPECT_EQ(describe(CosSin{0.5, -1}), "cos 0.5, sin -1");
}

TEST(Words, EachKindOfLayerIsNamed) {
  const std::string text = describe(preset_model("gemma-3-27b"));
  EXPECT_NE(text.find("full_attention: head_dim 128, base 1000000"), std::string::npos) << text;
  EXPECT_NE(text.find("; "), std::string::npos) << text;
}

TEST(Words, BoundsOfLengthsAreSentences) {
  const Frequencies theta = geometric_frequencies(10000, 128);
  EXPECT_EQ(describe(negative_distance(theta, 4096)),
            "The mean cosine is first negative at distance 1707.");
  EXPECT_EQ(describe(negative_distance(theta, 1000)),
            "The mean cosine is never negative up to distance 1000.");
  EXPECT_EQ(describe(SmallestBase{100, 99}), "Base 100 suffices; no base below 99 does.");
  EXPECT_EQ(describe(RoundBase{5e6, 4.75e6, 5.25e6}),
            "Base 5e+06 suffices, as do all bases tried from 4.75e+06 to 5.25e+06.");
}

TEST(Words, TwoConventionsAreCompared) {
  const std::vector<ConventionPart> none;
  EXPECT_EQ(describe(none), "They follow one convention.");
  const std::vector<ConventionPart> three = {ConventionPart::layout, ConventionPart::direction,
                                             ConventionPart::pair_order};
  EXPECT_EQ(describe(three), "They differ in layout, direction and order of the pairs.");
}

TEST(Words, ResultsAreWrittenAsTheyAreDescribed) {
  const Certification c = Kernel(1).certified();
  EXPECT_EQ(streamed(c), describe(c));
  EXPECT_EQ(printed(c), describe(c));
  EXPECT_EQ(streamed(c.embedding), describe(c.embedding));
  EXPECT_EQ(streamed(c.policy), describe(c.policy));
  EXPECT_EQ(streamed(Position(3)), "3");
  const Diagnosis d = diagnose(std::vector<std::size_t>{8, 3, 64}, Kernel(0).x, Kernel(0).y);
  EXPECT_EQ(printed(d), describe(d));
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_EQ(printed(d.explanations.front()),
            "half layout (i, i+32), base 10000 (9999.88 … 10000.1), positions from 0");
}

TEST(Print, EveryEnumerationSaysItsName) {
  EXPECT_EQ(printed(PairLayout::half), "half");
  EXPECT_EQ(printed(Verdict::self_test_failed), "self_test_failed");
  EXPECT_EQ(printed(DiagnosisVerdict::ambiguous), "ambiguous");
  EXPECT_EQ(printed(Format::bfloat16), "bfloat16");
  EXPECT_EQ(printed(AngleRule::scale_power), "scale-power");
  EXPECT_EQ(printed(SumOrder::pairwise), "pairwise");
  EXPECT_EQ(printed(Evidence::fixed), "fixed");
  EXPECT_EQ(printed(Evidence::none), "none");
  EXPECT_EQ(printed(Evidence::turn), "turn");
  EXPECT_EQ(printed(Engine::llama_models), "llama-models");
  EXPECT_EQ(printed(Band::blended), "blended");
  EXPECT_EQ(printed(CpuLevel::baseline), "baseline");
  EXPECT_EQ(printed(SectionOrder::time_last), "time-last");
  EXPECT_EQ(printed(SectionOrder::contiguous), "contiguous");
  EXPECT_EQ(printed(ParameterDomain::non_negative), "non-negative");
  EXPECT_EQ(printed(ParameterDomain::choice), "choice");
  EXPECT_EQ(printed(OddTurn::other_way), "other-way");
  EXPECT_EQ(printed(ForeignTail::Holds::another_lane), "another vector");
  EXPECT_EQ(printed(TableColumns::pairs), "pairs");
  EXPECT_EQ(printed(ConventionPart::pair_order), "order of the pairs");
  EXPECT_EQ(printed(RemedySides::both), "both");
  EXPECT_EQ(printed(ModelWord::hub), "hub");
  EXPECT_EQ(printed(ErrorKind::system), "system");
  EXPECT_EQ(printed(ErrorKind::invalid_input), "invalid input");
}

/// How much is told to differ from half layout where pairs of interleaved layout explain so much of
/// y.
std::size_t told_where_a_fit_explains(double share) {
  words::Diagnosed one;
  one.shape = {8, 64};
  FitPart part;
  part.arrangement = {0, 64, 0, 0};
  part.spectrum.embedding = default_embedding(64, 10000, PairLayout::interleaved);
  one.diagnosis.best_fit.emplace().parts.push_back(part);
  one.diagnosis.best_fit->explained = share;
  return best_fit_differences(one, Assumption{default_embedding(64, 10000, PairLayout::half)})
      .size();
}

// The coarsest cache leaves a tenth of y, and another convention, slow enough, explains half.
TEST(Words, WhatExplainsMostOfYAloneIsComparedWithWhatIsStated) {
  for (const double share : {1.0, 0.9, 0.85}) EXPECT_GT(told_where_a_fit_explains(share), 0U);
  for (const double share : {0.75, 0.5, 0.0}) EXPECT_EQ(told_where_a_fit_explains(share), 0U);
}

}  // namespace
}  // namespace rope
