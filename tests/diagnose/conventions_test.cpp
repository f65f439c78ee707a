// Mistakes that people published, rebuilt as tensors, and what the diagnosis says of each.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/readings.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

using test::counted;
using test::Made;

Made plain(std::size_t dim, double base, int in, int out, const char* policy = "float32") {
  return {{0, dim, in, out}, default_embedding(dim, base), *find_policy(policy), false};
}

Made scaled(std::size_t dim, double base, const ScalingSpec& spec, int order = -1) {
  return {{0, dim, order, order},
          scaled_embedding(spec, {base, dim, dim, std::nullopt, std::nullopt}),
          *find_policy("float32"),
          false};
}

/// The diagnosis of tensors whose positions are not told.
Diagnosis diagnosed(const Made& made, const std::vector<std::int64_t>& positions,
                    std::size_t dim = 0) {
  const std::size_t d = dim == 0 ? made.arrangement.rotary_dim : dim;
  return diagnose(test::made_tensors(made, positions, 4, d), {});
}

/// The one explanation that is expected.
const Explanation& only(const Diagnosis& diagnosis) {
  EXPECT_EQ(diagnosis.verdict, DiagnosisVerdict::unique);
  EXPECT_EQ(diagnosis.explanations.size(), 1U);
  static const Explanation none = [] {
    Explanation empty;
    empty.regimes.resize(1);
    return empty;
  }();
  return diagnosis.explanations.empty() ? none : diagnosis.explanations.front();
}

std::string text(const std::vector<Advice>& all) {
  std::string result;
  for (const Advice& advice : all) result += advice.finding + " | " + advice.remedy.text + "\n";
  return result;
}

bool has(const std::vector<Advice>& all, std::string_view words) {
  return text(all).find(words) != std::string::npos;
}

Assumption assumed(std::size_t dim, double base, PairLayout layout) {
  return {default_embedding(dim, base, layout)};
}

TEST(Conventions, TheOtherDirectionDiffers) {
  Made made = plain(64, 10000, -1, -1);
  made.clockwise = true;
  const Diagnosis d = diagnosed(made, counted(0, 40));
  EXPECT_TRUE(has(differences(only(d), assumed(64, 10000, PairLayout::half)), "−mθ"));
}

TEST(Conventions, NumbersThatYHoldsInAnotherOrderDiffer) {
  const Diagnosis d = diagnosed(plain(64, 10000, 0, -1), counted(0, 40));
  EXPECT_TRUE(has(differences(only(d), assumed(64, 10000, PairLayout::interleaved)),
                  "x has its pairs in interleaved layout, and y in half layout"));
}

// ik_llama.cpp #2290: 39 architectures were given adjacent pairs instead of halves.
TEST(Conventions, AdjacentPairsInsteadOfHalvesAreNamed) {
  const Diagnosis d = diagnosed(plain(128, 10000, 0, 0), counted(0, 40));
  const Explanation& e = only(d);
  EXPECT_EQ(name(e.arrangement), "interleaved");
  EXPECT_EQ(e.arrangement.rotary_dim, 128U);
  EXPECT_EQ(e.spectrum().embedding.base, 10000);
  EXPECT_EQ(e.position_offset, 0);
  const std::vector<Advice> all = differences(e, assumed(128, 10000, PairLayout::half));
  EXPECT_EQ(all.size(), 1U) << text(all);
  EXPECT_TRUE(has(all, "the pairs are interleaved (2i, 2i+1); you assume half"));
  EXPECT_TRUE(has(all, "new row j·64 + i is the old row 2i + j")) << text(all);
}

TEST(Conventions, NothingDiffersWhereAllIsAsAssumed) {
  const Diagnosis d = diagnosed(plain(64, 500000, -1, -1), counted(0, 40));
  EXPECT_TRUE(differences(only(d), assumed(64, 500000, PairLayout::half)).empty());
  EXPECT_TRUE(remarks(only(d), false).empty()) << text(remarks(only(d), false));
}

// transformers #25199, llama.cpp #22611, TinyLlama #24: rows of q_proj and k_proj not reordered.
// 32 query and 8 key heads are projected with Meta's rows, the reference with Hugging Face's.
TEST(Conventions, TheMissingPermutationOfProjectionsIsNamed) {
  constexpr std::size_t kTokens = 24, kHidden = 48, kDim = 64;
  for (const std::size_t heads : {32U, 8U}) {
    RandomStream random(11, heads);
    std::vector<double> hidden(kTokens * kHidden), weight(heads * kDim * kHidden);
    random.fill_normal(hidden);
    random.fill_normal(weight);
    test::RotatedVectors port = test::random_tensors(kTokens, heads, kDim, Format::float32, random);
    test::RotatedVectors reference = port;
    const auto project = [&](std::size_t token, std::size_t row) {
      double sum = 0;
      for (std::size_t i = 0; i < kHidden; ++i)
        sum += hidden[token * kHidden + i] * weight[row * kHidden + i];
      return round_to(Format::float32, sum);
    };
    for (std::size_t t = 0; t < kTokens; ++t)
      for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t i = 0; i < kDim; ++i) {
          const std::size_t at = port.row(t, h) + i;
          port.x[at] = project(t, h * kDim + i);
          // The converter's order: row j·d/2 + i of a head is the old row 2i + j.
          reference.x[at] = project(t, h * kDim + 2 * (i % (kDim / 2)) + i / (kDim / 2));
        }
    test::rotate_into(plain(kDim, 10000, -1, -1), counted(0, kTokens), reference);
    port.y = reference.y;  // what the port should have got
    const Diagnosis d = diagnose(port, {});
    const Explanation& e = only(d);
    EXPECT_EQ(name(e.arrangement), "interleaved-to-half");
    const std::vector<Advice> all = remarks(e, false);
    EXPECT_TRUE(has(all, "new row j·32 + i is the old row 2i + j (j = 0, 1)")) << text(all);
    EXPECT_TRUE(has(all, "rope convert model.safetensors --from interleaved --to half"));
  }
}

// llama.cpp #7634, nanotron #427: rows reordered although they were in the right order.
TEST(Conventions, APermutationTooManyIsNamed) {
  const Diagnosis d = diagnosed(plain(64, 10000, -2, -1), counted(0, 40));
  EXPECT_TRUE(has(remarks(only(d), false), "leave out the second reordering"));
  const Diagnosis other = diagnosed(plain(64, 10000, 1, 0), counted(0, 40));
  EXPECT_TRUE(has(remarks(only(other), false), "leave out that reordering"));
}

// transformers' DeepSeek-V3 takes interleaved pairs and gives halves.
TEST(Conventions, OutputInTheOtherLayoutIsNamed) {
  EXPECT_EQ(name(only(diagnosed(plain(64, 10000, 0, -1), counted(3, 40))).arrangement),
            "interleaved-to-half");
  const Diagnosis d = diagnosed(plain(64, 10000, -1, 0), counted(0, 40));
  EXPECT_EQ(name(only(d).arrangement), "half-to-interleaved");
  EXPECT_TRUE(has(remarks(only(d), false), "new row 2i + j is the old row j·32 + i"));
}

// nanochat #489: turns by −mθ.
TEST(Conventions, TheOppositeDirectionIsNamed) {
  Made made = plain(128, 10000, -1, -1);
  made.clockwise = true;
  const Diagnosis d = diagnosed(made, counted(0, 40));
  EXPECT_TRUE(only(d).spectrum().clockwise);
  EXPECT_TRUE(has(remarks(only(d), false), "the rotation is by −mθ"));
}

// realizar #78, vllm #9503 and many more: 10000 where the model has 1000000.
TEST(Conventions, AnotherBaseIsNamed) {
  const Diagnosis d = diagnosed(plain(128, 1e6, -1, -1), counted(0, 40));
  const Explanation& e = only(d);
  EXPECT_EQ(e.spectrum().embedding.base, 1e6);
  const std::vector<Advice> all = differences(e, assumed(128, 10000, PairLayout::half));
  EXPECT_TRUE(has(
      all,
      "the base is 1000000; you assume 10000 | if y is your own, make its base 10000; if it is the "
      "reference, set rope_theta to 1000000"))
      << text(all);
}

// Exponents i/r instead of 2i/r: the square root of the base.
TEST(Conventions, AForgottenTwoInTheExponentIsNamed) {
  const Diagnosis d = diagnosed(plain(64, 100, -1, -1), counted(0, 40));
  EXPECT_TRUE(has(differences(only(d), assumed(64, 10000, PairLayout::half)),
                  "as if the exponent were i/r instead of 2i/r"));
}

// Exponents over the hidden size of 32 heads of 128, 4096, instead of over one head's.
TEST(Conventions, AnExponentOverTheHiddenSizeIsNamed) {
  const Diagnosis d = diagnosed(plain(128, std::pow(10000, 1 / 32.0), -1, -1), counted(0, 40));
  EXPECT_TRUE(
      has(remarks(only(d), false),
          "this base is 10000^(1/32), as if 2i were divided by the hidden size of 32 heads"))
      << text(remarks(only(d), false));
  EXPECT_TRUE(has(differences(only(d), assumed(128, 10000, PairLayout::half)),
                  "10000^(1/32), as if 2i were divided by the hidden size of 32 heads"));
}

// Few tokens in bfloat16 know such a base to a percent, and several numbers of heads fit.
TEST(Conventions, ABaseKnownRoughlyNamesNoHeads) {
  Made made = plain(128, std::pow(10000, 1 / 32.0), -1, -1);
  made.policy = *find_policy("bfloat16-positions");
  const Diagnosis d = diagnosed(made, counted(0, 5));
  const Spectrum& spectrum = only(d).spectrum();
  ASSERT_GT(spectrum.base_high, spectrum.base_low * (1 + 1e-4));
  EXPECT_FALSE(has(remarks(only(d), false), "heads")) << text(remarks(only(d), false));
}

// A matrix that counts its pairs from 1 with a formula that counts them from 0, and the reverse.
TEST(Conventions, PairsThatAreCountedFromAnotherNumberAreNamed) {
  for (const auto& [steps, exponent] :
       {std::pair{1.0, "−2(i + 1)/r"}, std::pair{-1.0, "−2(i − 1)/r"}}) {
    const double factor = std::pow(10000, steps * 2 / 128);
    Made made = scaled(128, 10000, {"linear", {{"factor", factor}}, {}});
    made.policy = *find_policy("float64");
    const Diagnosis d = diagnosed(made, counted(0, 60));
    const std::string named = std::string("as if the exponent were ") + exponent;
    EXPECT_TRUE(has(remarks(only(d), false), named)) << text(remarks(only(d), false));
    const std::vector<Advice> all = differences(only(d), assumed(128, 10000, PairLayout::half));
    EXPECT_TRUE(has(all, named)) << text(all);
  }
}

// keras-hub's "dynamic": every frequency is divided by s^(d/(d−2)).
TEST(Conventions, TheNtkFactorOnEveryFrequencyIsNamed) {
  const double factor = std::pow(4.0, 128.0 / 126.0);
  Made made = scaled(128, 10000, {"linear", {{"factor", factor}}, {}});
  made.policy = *find_policy("float64");
  const Diagnosis d = diagnosed(made, counted(0, 60));
  EXPECT_EQ(only(d).spectrum().embedding.scaling.rule, "linear");
  EXPECT_TRUE(has(remarks(only(d), false), "all angles are divided by 4^(r/(r − 2))"))
      << text(remarks(only(d), false));
}

// The right NTK-aware base, found as the base that it is.
TEST(Conventions, NtkAwareScalingIsRecognisedInTheBase) {
  const Diagnosis d = diagnosed(scaled(128, 10000, {"ntk", {{"factor", 4}}, {}}), counted(0, 60));
  EXPECT_NEAR(*only(d).spectrum().embedding.base, 10000 * std::pow(4.0, 128.0 / 126.0), 1);
  EXPECT_TRUE(has(remarks(only(d), false), "NTK-aware scaling of base 10000 by 4"));
}

// vllm #27722, gpt-oss: the ends of YaRN's ramp rounded although they must not be.
TEST(Conventions, ARoundedYarnRampIsToldFromAnExactOne) {
  const ScalingSpec exact{"yarn", {{"factor", 32}, {"original", 4096}, {"truncate", 0}}, {}};
  const ScalingSpec rounded{"yarn", {{"factor", 32}, {"original", 4096}}, {}};
  const Diagnosis d = diagnosed(scaled(64, 150000, rounded), counted(0, 200));
  const Explanation& e = only(d);
  EXPECT_EQ(e.spectrum().embedding.scaling, rounded);
  const Assumption assumption{
      scaled_embedding(exact, {150000, 64, 64, std::nullopt, std::nullopt}, PairLayout::half)};
  EXPECT_TRUE(has(differences(e, assumption), "truncate=0")) << text(differences(e, assumption));
}

// The rule was read from the config and the base was not.
TEST(Conventions, AnotherBaseUnderTheStatedRuleIsNamed) {
  for (const char* rule : {"llama3:factor=8,low=1,high=4,original=8192",
                           "yarn:factor=4,original=4096", "linear:factor=4"})
    for (const char* policy : {"float64", "float32", "float32,store=bf16", "float32,store=f16"}) {
      const ScalingSpec spec = parse_scaling(rule);
      Made made = scaled(128, 1e4, spec);
      made.policy = parse_policy(policy);
      DiagnosisRequest request;
      request.positions = counted(0, 24);
      request.assumed = {
          scaled_embedding(spec, {5e5, 128, 128, std::nullopt, std::nullopt}, PairLayout::half)};
      const Diagnosis d = diagnose(test::made_tensors(made, *request.positions, 4, 128), request);
      ASSERT_FALSE(d.explanations.empty()) << rule << ", " << policy;
      const std::vector<Advice> all = differences(d.explanations.front(), *request.assumed);
      EXPECT_TRUE(has(all, "base is 10000; you assume 500000"))
          << rule << ", " << policy << text(all);
      EXPECT_EQ(all.size(), 1U) << rule << ", " << policy << text(all);
    }
}

// Vectors in float64 with the tables of a module in float32.
TEST(Conventions, TablesOfFloat32OverVectorsOfFloat64AreRight) {
  Made made = plain(128, 5e5, -1, -1);
  made.policy = parse_policy("angle=f32,table=f32,apply=f64");
  DiagnosisRequest request;
  request.positions = counted(0, 24);
  request.assumed = {default_embedding(128, 5e5, PairLayout::half)};
  const Diagnosis d = diagnose(test::made_tensors(made, *request.positions, 4, 128), request);
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_TRUE(d.explanations.front().assumed);
}

// mobius #548, exllamav3 #259: YaRN's attention factor left out.
TEST(Conventions, AMissingAttentionFactorIsNamed) {
  const ScalingSpec spec{"yarn", {{"factor", 4}, {"original", 32768}}, {}};
  Made made = scaled(128, 1e6, spec);
  made.embedding.attention_factor = 1;
  const Diagnosis d = diagnosed(made, counted(0, 200));
  const Explanation& e = only(d);
  EXPECT_EQ(e.spectrum().embedding.attention_factor, 1);
  const Assumption assumption{
      scaled_embedding(spec, {1e6, 128, 128, std::nullopt, std::nullopt}, PairLayout::half)};
  EXPECT_TRUE(has(differences(e, assumption), "the attention factor is 1; you assume 1.13863"))
      << text(differences(e, assumption));
}

TEST(Conventions, AnyAttentionFactorIsMeasured) {
  for (const char* policy : {"float64", "float32", "bfloat16-store"}) {
    Made made = plain(64, 10000, -1, -1, policy);
    made.embedding.attention_factor = 1.25;
    EXPECT_NEAR(only(diagnosed(made, counted(0, 60))).spectrum().embedding.attention_factor, 1.25,
                0.002)
        << policy;
  }
}

// maxtext #4616, transformers #48682: partial_rotary_factor ignored; and a suffix rotated.
TEST(Conventions, ThePartThatIsRotatedIsNamed) {
  Made made = plain(32, 10000, -1, -1);
  const Diagnosis d = diagnosed(made, counted(0, 40), 80);
  EXPECT_EQ(only(d).arrangement.rotary_dim, 32U);
  const Assumption whole{default_embedding(80, 10000, PairLayout::half)};
  EXPECT_TRUE(has(differences(only(d), whole), "32 dimensions are rotated; you assume 80"));
  made.arrangement.offset = 48;
  const Diagnosis suffix = diagnosed(made, counted(0, 40), 80);
  EXPECT_EQ(only(suffix).arrangement.offset, 48U);
  EXPECT_TRUE(has(remarks(only(suffix), false), "the rotated dimensions are 48 to 79"));
}

// gpt-neox #1003: positions and frequencies in bfloat16.
TEST(Conventions, PositionsInBfloat16AreNamed) {
  const Diagnosis d = diagnosed(plain(64, 10000, -1, -1, "bfloat16-positions"), counted(0, 300));
  ASSERT_EQ(d.explanations.size(), 1U);
  const Explanation& e = d.explanations.front();
  EXPECT_EQ(e.policy.name, "bfloat16-positions");
  EXPECT_EQ(e.spectrum().embedding.base, 10000);
  // So rough a pipeline may have slowed the slow pairs, too.
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  ASSERT_EQ(e.open.size(), 1U);
  EXPECT_TRUE(e.open.front().starts_with("the scaling: ")) << e.open.front();
}

// mlxcel #1324: positions counted twice.
TEST(Conventions, PositionsInStepsOfTwoAreNamed) {
  std::vector<std::int64_t> positions;
  for (std::int64_t t = 0; t < 60; ++t) positions.push_back(2 * t);
  const Diagnosis d = diagnosed(plain(128, 10000, -1, -1), positions);
  const Explanation& e = only(d);
  EXPECT_EQ(e.spectrum().embedding.scaling.rule, "linear");
  EXPECT_TRUE(has(remarks(e, false), "every angle is doubled")) << text(remarks(e, false));
}

TEST(Conventions, TheSlowestPairFirstIsNamed) {
  Made made = plain(64, 10000, -1, -1);
  std::vector<double> theta = made.embedding.frequencies.theta;
  std::reverse(theta.begin(), theta.end());
  made.embedding.frequencies = given_frequencies(theta);
  made.embedding.base.reset();
  const Diagnosis d = diagnosed(made, counted(0, 60));
  EXPECT_TRUE(only(d).spectrum().reversed);
  EXPECT_EQ(only(d).spectrum().embedding.base, 10000);
}

TEST(Conventions, FrequenciesOfNoRuleAreMeasured) {
  Made made = plain(32, 10000, -1, -1, "float64");
  std::vector<double> theta;
  for (int k = 0; k < 16; ++k) theta.push_back(1.0 / (1 + k * k));
  made.embedding.frequencies = given_frequencies(theta);
  made.embedding.base.reset();
  test::RotatedVectors tensors = test::made_tensors(made, counted(0, 60), 4, 32);
  DiagnosisRequest request;
  request.positions = counted(0, 60);
  const Spectrum spectrum = only(diagnose(tensors, request)).spectrum();
  EXPECT_FALSE(spectrum.recognised);
  for (std::size_t k = 0; k < 16; ++k)
    EXPECT_NEAR(spectrum.embedding.frequencies.theta[k], theta[k], 1e-15);
  // Withheld positions may be steps of frequencies as much lower.
  const Diagnosis withheld = diagnose(tensors, {});
  EXPECT_EQ(withheld.verdict, DiagnosisVerdict::ambiguous);
  ASSERT_EQ(withheld.explanations.size(), 1U);
  ASSERT_EQ(withheld.explanations[0].open.size(), 1U);
  EXPECT_TRUE(withheld.explanations[0].open[0].starts_with("the positions: "));
}

// Whole turns more on the way to 60000 change the angle between neighbours by less than float32
// angles there are off by; near 0 by far more.
TEST(Conventions, FewTokensFarFromZeroLeaveTheTurnsOfMeasuredFrequenciesOpen) {
  Made made = plain(8, 10000, -1, -1);
  made.embedding.frequencies = given_frequencies(std::vector<double>{0.86, 0.31, 0.045, 0.0071});
  made.embedding.base.reset();
  for (const std::int64_t start : {0, 60000}) {
    DiagnosisRequest request;
    request.positions = counted(start, 6);
    const Diagnosis d = diagnose(test::made_tensors(made, *request.positions, 4, 8), request);
    ASSERT_EQ(d.explanations.size(), 1U) << start;
    const std::vector<std::string>& open = d.explanations[0].open;
    EXPECT_EQ(std::any_of(open.begin(), open.end(),
                          [](const std::string& each) {
                            return each.find("whole turns") != std::string::npos;
                          }),
              start != 0)
        << start;
  }
}

// Far from 0, frequencies that are a little lower at positions that are a little higher turn alike.
TEST(Conventions, PositionsOfMeasuredFrequenciesFarFromZeroMayBeOthers) {
  Made made = plain(8, 10000, -1, -1, "float64");
  made.embedding.frequencies = given_frequencies(std::vector<double>{0.86, 0.31, 0.045, 0.0071});
  made.embedding.base.reset();
  const test::RotatedVectors tensors = test::made_tensors(made, counted(20000, 8), 4, 8);
  DiagnosisRequest request;
  request.positions = counted(20001, 8);
  const Diagnosis d = diagnose(tensors, request);
  EXPECT_TRUE(d.verdict == DiagnosisVerdict::ambiguous || only(d).position_offset == -1);
}

// Two pairs always have some base and factor: which, two tokens that stand apart do not tell.
TEST(Conventions, TwoPairsOfTwoTokensApartLeaveBaseAndFactorOpen) {
  Made made = scaled(4, 831719, parse_scaling("linear:factor=1.16905"), 0);
  made.policy = *find_policy("bfloat16-table");
  DiagnosisRequest request;
  request.positions = std::vector<std::int64_t>{1502, 1563};
  const Diagnosis d = diagnose(test::made_tensors(made, *request.positions, 3, 4), request);
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
}

// One pair tells the product of position and frequency alone.
TEST(Conventions, OnePairAtOtherPositionsThanGivenIsOpen) {
  const Made made = plain(2, 10000, 0, 0);
  std::vector<std::int64_t> positions, given;
  for (std::int64_t i = 0; i < 12; ++i) {
    positions.push_back(4 * i);
    given.push_back(4 * i + 1);
  }
  const test::RotatedVectors tensors = test::made_tensors(made, positions, 3, 2);
  DiagnosisRequest request;
  request.positions = given;
  EXPECT_EQ(diagnose(tensors, request).verdict, DiagnosisVerdict::ambiguous);
  request.positions = positions;
  const Diagnosis right = diagnose(tensors, request);
  EXPECT_EQ(right.verdict, DiagnosisVerdict::ambiguous);
  ASSERT_FALSE(right.explanations.empty());
  ASSERT_FALSE(right.explanations[0].open.empty());
  EXPECT_EQ(right.explanations[0].open[0],
            "frequency and direction: the positions determine them only modulo 2π/4");
}

TEST(Conventions, ABaseThatMayBeTheAssumedOneIsNoDifference) {
  Explanation found;
  found.regimes.resize(1);
  Spectrum& spectrum = found.regimes[0].spectrum;
  spectrum.recognised = true;
  spectrum.embedding =
      scaled_embedding(parse_scaling("linear:factor=2"), {10000.004, 16, 16, {}, {}});
  spectrum.base_low = 9999;
  spectrum.base_high = 10001;
  found.arrangement = {0, 16, 0, 0};
  const std::vector<Advice> all = differences(found, {default_embedding(16, 10000)});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(all[0].finding.starts_with("the frequencies follow linear")) << all[0].finding;
  spectrum.base_low = 10000.001;
  EXPECT_TRUE(
      differences(found, {default_embedding(16, 10000)})[0].finding.starts_with("the base"));
}

TEST(Conventions, TwoPairsLeftOutOfAUsualBaseAreSeen) {
  test::RotatedVectors tensors = test::made_tensors(plain(32, 10000, 0, 0), counted(0, 40), 2, 32);
  for (std::size_t row = 0; row < tensors.y.size(); row += 32)
    for (std::size_t at = 28; at < 32; ++at) tensors.y[row + at] = tensors.x[row + at];
  const Diagnosis d = diagnose(tensors, {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  ASSERT_FALSE(d.explanations.empty());
  ASSERT_FALSE(d.explanations[0].open.empty());
  EXPECT_NE(d.explanations[0].open[0].find("base 10000 "), std::string::npos);
}

TEST(Conventions, AnInterleavedPairLeftOutOfAnUnusualBaseIsOpen) {
  test::RotatedVectors tensors = test::made_tensors(plain(16, 77777, 0, 0), counted(0, 40), 2, 16);
  for (std::size_t row = 0; row < tensors.y.size(); row += 16)
    for (const std::size_t at : {14U, 15U}) tensors.y[row + at] = tensors.x[row + at];
  const Diagnosis d = diagnose(tensors, {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  ASSERT_FALSE(d.explanations.empty());
  ASSERT_FALSE(d.explanations[0].open.empty());
  EXPECT_TRUE(d.explanations[0].open[0].find("base 77777 ") != std::string::npos)
      << d.explanations[0].open[0];
}

// uzu #604, vllm #52665: vectors rotated along the heads instead of the tokens.
TEST(Conventions, AnotherAxisOfTokensIsFound) {
  const std::vector<std::size_t> shape = {3, 50, 64};  // [heads, tokens, head_dim]
  test::RotatedVectors tensors =
      test::made_tensors(plain(64, 10000, -1, -1), counted(0, 50), 3, 64);
  std::vector<double> x, y;
  for (std::size_t h = 0; h < 3; ++h)
    for (std::size_t t = 0; t < 50; ++t)
      for (std::size_t i = 0; i < 64; ++i) {
        x.push_back(tensors.x[tensors.row(t, h) + i]);
        y.push_back(tensors.y[tensors.row(t, h) + i]);
      }
  const Diagnosis d = diagnose_any_axis(shape, x, y, {});
  EXPECT_EQ(d.token_axis, 1U);
  EXPECT_EQ(only(d).spectrum().embedding.base, 10000);
}

}  // namespace
}  // namespace rope
