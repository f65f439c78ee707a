// What is stated fits only if it reproduces y; what is near it has a name of its own.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/arrays.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/readings.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

using test::counted;
using test::Made;

Made half(const RotaryEmbedding& embedding, const char* policy) {
  const std::size_t r = embedding.rotary_dim();
  return {{0, r, -1, -1}, embedding, *find_policy(policy), false};
}

DiagnosisRequest stating(const RotaryEmbedding& embedding,
                         const std::optional<std::vector<std::int64_t>>& positions) {
  DiagnosisRequest request;
  request.assumed = Assumption{embedding, true, true, positions.has_value()};
  request.assumed->embedding.layout = PairLayout::half;
  request.positions = positions;
  return request;
}

std::string text(const std::vector<Advice>& all) {
  std::string result;
  for (const Advice& advice : all) result += advice.finding + " | " + advice.remedy.text + "\n";
  return result;
}

std::string differing(const Diagnosis& d, const DiagnosisRequest& request) {
  if (d.explanations.empty()) return "nothing explains y";
  return text(differences(d.explanations.front(), *request.assumed));
}

TEST(Stated, ABaseThatIsNearIsNotTheOneThatIsStated) {
  const Made made = half(default_embedding(128, 10200), "float64-angle-bfloat16");
  const test::RotatedVectors tensors = test::made_tensors(made, counted(0, 64), 8, 128);
  const DiagnosisRequest request = stating(default_embedding(128, 10000), counted(0, 64));
  const Diagnosis d = diagnose(tensors, request);
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_FALSE(d.explanations.front().assumed);
  EXPECT_NE(differing(d, request).find("you assume 10000"), std::string::npos)
      << differing(d, request);
  const DiagnosisRequest right = stating(default_embedding(128, 10200), counted(0, 64));
  EXPECT_EQ(differing(diagnose(tensors, right), right), "");
}

TEST(Stated, AnglesThatAreMultipliedByTheFactorAreSaidToBe) {
  const auto linear = [](double factor) {
    return scaled_embedding({"linear", {{"factor", factor}}, {}}, {1e4, 64, 64, {}, {}});
  };
  const Made made = half(linear(0.125), "float32");
  const test::RotatedVectors tensors = test::made_tensors(made, counted(0, 33), 4, 64);
  const DiagnosisRequest eight = stating(linear(8), counted(0, 33));
  EXPECT_NE(differing(diagnose(tensors, eight), eight)
                .find("all angles are multiplied by 8, but linear scaling divides"),
            std::string::npos);
  const DiagnosisRequest four = stating(linear(4), counted(0, 33));
  EXPECT_NE(differing(diagnose(tensors, four), four).find("you assume linear:factor=4"),
            std::string::npos);
}

/// θ_i as a cast of inv_freq leaves them.
RotaryEmbedding cast(RotaryEmbedding embedding, Format format) {
  std::vector<double> theta = embedding.frequencies.theta;
  for (double& each : theta) each = round_to(format, each);
  embedding.frequencies = given_frequencies(theta);
  embedding.base.reset();
  return embedding;
}

TEST(Stated, FrequenciesThatWereCastAreNamed) {
  for (const double base : {1e4, 5e5})
    for (const std::size_t tokens : {64U, 256U}) {
      const RotaryEmbedding exact = default_embedding(128, base);
      const Made made = half(cast(exact, Format::bfloat16), "float64-angle-bfloat16");
      const test::RotatedVectors tensors = test::made_tensors(made, counted(0, tokens), 8, 128);
      const DiagnosisRequest request = stating(exact, counted(0, tokens));
      const Diagnosis d = diagnose(tensors, request);
      ASSERT_FALSE(d.explanations.empty()) << base << " " << tokens;
      const std::string told = differing(d, request);
      EXPECT_NE(told.find("the frequencies are yours rounded to bfloat16: θ_"), std::string::npos)
          << base << " " << tokens << "\n"
          << told;
      const Diagnosis blind = diagnose(tensors, {});
      ASSERT_FALSE(blind.explanations.empty());
      const Spectrum& found = blind.explanations.front().spectrum();
      ASSERT_TRUE(found.cast) << base << " " << tokens;
      EXPECT_EQ(found.cast->format, Format::bfloat16);
      EXPECT_EQ(found.base(), base);
    }
}

TEST(Stated, FrequenciesOfAnyBaseThatWereCastAreNamed) {
  const RotaryEmbedding exact = default_embedding(128, 31415);  // no model has it: only stated
  for (const Format format : {Format::bfloat16, Format::float16}) {
    const Made made = half(cast(exact, format), "float64-angle-bfloat16");
    const DiagnosisRequest request = stating(exact, counted(0, 256));
    const Diagnosis d = diagnose(test::made_tensors(made, counted(0, 256), 8, 128), request);
    ASSERT_FALSE(d.explanations.empty()) << limits(format).name;
    const Spectrum& found = d.explanations.front().spectrum();
    ASSERT_TRUE(found.cast) << limits(format).name;
    EXPECT_EQ(found.cast->format, format);
    EXPECT_EQ(found.base(), 31415);
  }
}

TEST(Stated, PairsThatAllTurnAlikeAreThoseOfBaseOne) {
  const Made made = half(default_embedding(128, 1), "float32");
  const test::RotatedVectors tensors = test::made_tensors(made, counted(0, 64), 4, 128);
  const DiagnosisRequest request = stating(default_embedding(128, 1e6), counted(0, 64));
  const Diagnosis d = diagnose(tensors, request);
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_EQ(d.explanations.front().spectrum().embedding.base, 1);
  // As integer division makes every exponent: the base is then as it should be.
  EXPECT_TRUE(differing(d, request).starts_with("every pair turns by the same angle, 1 rad per"))
      << differing(d, request);
  EXPECT_EQ(differing(d, request).find("the base is"), std::string::npos) << differing(d, request);
  const DiagnosisRequest right = stating(default_embedding(128, 1), counted(0, 64));
  EXPECT_EQ(text(remarks(diagnose(tensors, right).explanations.at(0), true)), "");
  EXPECT_EQ(differing(d, request).find("slowest"), std::string::npos) << differing(d, request);
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    for (const char* policy : {"float32", "bfloat16-table"}) {
      const Diagnosis blind = diagnose(
          test::made_tensors(half(default_embedding(128, 1), policy), counted(0, 64), 4, 128, seed),
          {});
      ASSERT_FALSE(blind.explanations.empty()) << seed << policy;
      EXPECT_FALSE(blind.explanations.front().spectrum().reversed) << seed << policy;
    }
}

std::vector<std::int64_t> rounded_to(Format format, std::vector<std::int64_t> positions) {
  for (std::int64_t& p : positions)
    p = static_cast<std::int64_t>(round_to(format, static_cast<double>(p)));
  return positions;
}

// A float16 of 2048 … 4096 is even, a bfloat16 of 256 … 512 as well.
TEST(Stated, PositionsThatWereRoundedToEvenOnesAreNotTurnedTwice) {
  for (const auto& [format, first] :
       {std::pair(Format::float16, std::int64_t{4000}), {Format::bfloat16, std::int64_t{440}}}) {
    const std::vector<std::int64_t> rounded = rounded_to(format, counted(first, 64));
    const Made made = half(default_embedding(128, 1e4), "float32");
    const test::RotatedVectors tensors = test::made_tensors(made, rounded, 4, 128);
    DiagnosisRequest request;
    request.positions = counted(first, 64);
    const Diagnosis d = diagnose(tensors, request);
    ASSERT_FALSE(d.explanations.empty()) << first;
    const Explanation& best = d.explanations.front();
    EXPECT_EQ(best.spectrum().embedding.scaling.rule, "default") << first;
    EXPECT_EQ(best.rounded_positions, format) << first;
    EXPECT_NE(text(remarks(best, true)).find("the positions are rounded to"), std::string::npos);
    // Withheld, they may be half of what they are, of frequencies twice as fast: not of those
    // stated.
    const DiagnosisRequest stated = stating(default_embedding(128, 1e4), std::nullopt);
    const Diagnosis blind = diagnose(tensors, stated);
    ASSERT_FALSE(blind.explanations.empty()) << first;
    EXPECT_EQ(differing(blind, stated), "") << first;
  }
}

/// Positions that were rounded to every fourth are not also other ones of a scaling rule.
TEST(Stated, PositionsThatWereRoundedToFewAreThoseOfNoRule) {
  const std::vector<std::int64_t> given = counted(5001, 40);
  const RotaryEmbedding embedding = default_embedding(128, 1e6);
  test::RotatedVectors tensors =
      test::made_tensors(half(embedding, "float32"), rounded_to(Format::float16, given), 8, 128);
  for (std::vector<double>* numbers : {&tensors.x, &tensors.y})
    for (double& value : *numbers) value = round_to(Format::float16, value);
  test::rotate_into(half(embedding, "float32"), rounded_to(Format::float16, given), tensors);
  for (double& value : tensors.y) value = round_to(Format::float16, value);
  DiagnosisRequest request = stating(embedding, given);
  request.presets = request_with_presets().presets;
  const Diagnosis d = diagnose(tensors, request);
  ASSERT_EQ(d.explanations.size(), 1U);
  EXPECT_EQ(d.explanations.front().rounded_positions, Format::float16);
}

/// Stated frequencies at withheld positions in steps are those of a linear rule, within rounding.
TEST(Stated, WithheldPositionsInStepsAreNoNoise) {
  for (const std::int64_t step : {2, 3, 5}) {
    std::vector<std::int64_t> positions = counted(0, 24);
    for (std::int64_t& position : positions) position *= step;
    const RotaryEmbedding embedding = default_embedding(64, 1e4);
    const Diagnosis d = diagnose(test::made_tensors(half(embedding, "float32"), positions, 4, 64),
                                 stating(embedding, std::nullopt));
    ASSERT_FALSE(d.explanations.empty()) << step;
    EXPECT_EQ(d.explanations.front().spectrum().embedding.scaling.rule, "linear") << step;
  }
}

TEST(Unstated, PositionsThatWereRoundedToEvenOnesAreNotTurnedTwice) {
  const std::vector<std::int64_t> rounded = rounded_to(Format::float16, counted(3545, 16));
  const test::RotatedVectors tensors =
      test::made_tensors(half(default_embedding(24, 1e4), "float32"), rounded, 8, 96);
  const Diagnosis d = diagnose(tensors, {});
  ASSERT_FALSE(d.explanations.empty());
  const Explanation& best = d.explanations.front();
  EXPECT_EQ(best.spectrum().embedding.scaling.rule, "default");
  EXPECT_EQ(best.rounded_positions, Format::float16);
}

/// Of packed sequences they do not count up, so that no rounding of a count is seen.
TEST(Unstated, EvenPositionsOfPackedSequencesAreNotTurnedTwice) {
  std::vector<std::int64_t> rounded;
  for (const std::int64_t from : {3496, 2051, 2700})
    std::ranges::copy(rounded_to(Format::float16, counted(from, 31)), std::back_inserter(rounded));
  const test::RotatedVectors tensors =
      test::made_tensors(half(default_embedding(64, 1e6), "float32"), rounded, 1, 64);
  const Diagnosis d = diagnose(tensors, {});
  ASSERT_FALSE(d.explanations.empty());
  const Explanation& best = d.explanations.front();
  EXPECT_EQ(best.spectrum().embedding.scaling.rule, "default");
  EXPECT_EQ(text(remarks(best, false)).find("twice"), std::string::npos);
  // Near 0 every position can be held: there, those of a padded row are turned twice.
  std::vector<std::int64_t> padded(8, 2);
  for (const std::int64_t p : counted(0, 56)) padded.push_back(2 * p);
  const Diagnosis twice =
      diagnose(test::made_tensors(half(default_embedding(64, 1e6), "float32"), padded, 1, 64), {});
  ASSERT_FALSE(twice.explanations.empty());
  EXPECT_EQ(twice.explanations.front().spectrum().embedding.scaling.rule, "linear");
}

TEST(Stated, PositionsThatWereRoundedAreNamedBesideNoise) {
  // Slow pairs do not show the rounding: they are not what tells.
  const std::vector<std::int64_t> given = counted(3865, 15);
  const std::vector<std::int64_t> rounded = rounded_to(Format::float16, given);
  const RotaryEmbedding embedding = default_embedding(128, 1e6);
  test::RotatedVectors tensors =
      test::made_tensors(half(embedding, "bfloat16-store"), rounded, 16, 128);
  RandomStream random(5, 0);
  for (double& y : tensors.y) {
    std::array<double, 1> normal;
    random.fill_normal(normal);
    y = round_to(Format::bfloat16, y * (1 + 2e-3 * normal[0]));
  }
  const Diagnosis d = diagnose(tensors, stating(embedding, given));
  ASSERT_TRUE(d.best_fit);
  EXPECT_EQ(d.odd_pairs.size(), 0U);
  EXPECT_EQ(d.best_fit->looks_like, "positions that were rounded to float16");
  EXPECT_EQ(d.best_fit->remedy.name.text(), "rounded-positions");
  // Withheld, they are even, but not those of a second rotation.
  const Diagnosis blind = diagnose(tensors, stating(embedding, std::nullopt));
  ASSERT_TRUE(blind.best_fit);
  EXPECT_NE(blind.best_fit->remedy.name.text(), "second-rotation");
}

TEST(Stated, PositionsOfASecondRotationAreNotRounded) {
  // With any offset, two of them are also what float16 makes of their neighbours.
  const Made made = half(default_embedding(128, 1e6), "bfloat16-store");
  const test::RotatedVectors twice =
      test::made_tensors(made, std::vector<std::int64_t>{2612, 2614}, 3, 128);
  const Diagnosis d = diagnose(twice, stating(default_embedding(128, 1e6), counted(1306, 2)));
  ASSERT_FALSE(d.explanations.empty());
  for (const Explanation& e : d.explanations) EXPECT_FALSE(e.rounded_positions);
}

TEST(Stated, PairsOverTheWholeHeadAreNamed) {
  const RotaryEmbedding part = default_embedding(32, 1e4);
  std::vector<double> theta = part.frequencies.theta;
  theta.resize(64, 0);
  RotaryEmbedding whole = default_embedding(128, 1e4);
  whole.frequencies = given_frequencies(theta);
  whole.base.reset();
  const test::RotatedVectors tensors =
      test::made_tensors(half(whole, "float32"), counted(0, 64), 4, 128);
  RotaryEmbedding stated = part;
  stated.head_dim = 128;
  const DiagnosisRequest request = stating(stated, counted(0, 64));
  const std::string told = differing(diagnose(tensors, request), request);
  EXPECT_NE(told.find("the pairs are (i, i + 64), over the whole head, where (i, i + 16) is meant"),
            std::string::npos)
      << told;
  EXPECT_EQ(told.find("you assume 32"), std::string::npos) << told;
}

TEST(Stated, AUsualBaseIsNotThatOfAnotherRule) {
  Explanation e;
  e.arrangement = {0, 128, -1, -1};
  e.regimes.push_back({{0}, {0}, named(default_embedding(128, 1e6))});
  e.regimes.front().spectrum.base_low = 0.99e6;
  e.regimes.front().spectrum.base_high = 1.02e6;
  e.position_offset = 0;
  EXPECT_EQ(text(remarks(e, true)), "");
  e.regimes.front().spectrum.base_low = 1.01e6;
  EXPECT_NE(text(remarks(e, true)).find("NTK-aware scaling of base 500000 by 2"),
            std::string::npos);
}

TEST(Stated, FrequenciesThatWereCastFromAnotherBaseAreNotCalledYours) {
  const Made made =
      half(cast(default_embedding(64, 1e6), Format::bfloat16), "float64-angle-bfloat16");
  const DiagnosisRequest request = stating(default_embedding(64, 1e4), counted(0, 64));
  const Diagnosis d = diagnose(test::made_tensors(made, counted(0, 64), 8, 64), request);
  const std::string told = differing(d, request);
  EXPECT_NE(told.find("the frequencies are those of default, base 1000000"), std::string::npos)
      << told;
  EXPECT_EQ(told.find("yours"), std::string::npos) << told;
}

TEST(Stated, ARuleWrittenWithItsDefaultsIsTheSameRule) {
  ScalingContext context;
  context.base = 150000;
  context.head_dim = context.rotary_dim = 64;
  const RotaryEmbedding full = scaled_embedding(
      parse_scaling("yarn:factor=32,original=4096,beta_fast=32,beta_slow=1"), context);
  context.rotary_dim = 32;
  const RotaryEmbedding part =
      scaled_embedding(parse_scaling("yarn:factor=32,original=4096"), context);
  Explanation e;
  e.arrangement = {0, 64, -1, -1};
  e.regimes.emplace_back();
  e.regimes.front().spectrum = named(full);
  const std::string told = text(differences(e, {part, true, true, false}));
  EXPECT_NE(told.find("64 dimensions are rotated"), std::string::npos) << told;
  EXPECT_EQ(told.find("the frequencies follow"), std::string::npos) << told;
}

/// What is said of a base that lies between two, where dynamic scaling is stated.
std::string beside_dynamic(double base, double low, double high) {
  const ScalingSpec rule = parse_scaling("dynamic:factor=2,original=32768");
  Explanation e;
  e.arrangement = {0, 128, -1, -1};
  e.regimes.push_back({{0}, {0}, named(default_embedding(128, base))});
  e.regimes.front().spectrum.base_low = low;
  e.regimes.front().spectrum.base_high = high;
  const RotaryEmbedding stated = scaled_embedding(rule, {1e6, 128, 128, {}, {}}, PairLayout::half);
  return text(differences(e, {stated, true, true, false}));
}

TEST(Stated, ADynamicRuleOfAnotherLengthIsNamedByThatLength) {
  const auto base = [](double tokens) {
    return 1e6 * std::pow(2 * tokens / 32768 - 1, 128.0 / 126);
  };
  const double stale = base(60000), longest = base(65536);
  EXPECT_EQ(beside_dynamic(stale, stale * (1 - 1e-4), stale * (1 + 1e-4)),
            "the frequencies are those of your dynamic:factor=2,original=32768 for about 60000 "
            "tokens (base 2.70381e+06); you assume at most 32768 | if y is your own, recompute "
            "inv_freq for the current length: reset it after a longer sequence; if it is the "
            "reference, state that length: --seq-len 60000\n");
  EXPECT_NE(beside_dynamic(stale, stale, stale).find("for 60000 tokens"), std::string::npos);
  // Of many lengths the longest that the rule is for is the likely one, whatever its digits.
  EXPECT_NE(beside_dynamic(longest, longest * 0.97, longest * 1.03).find("for about 65536 tokens"),
            std::string::npos);
  // A base below the stated one belongs to no length, and one of two digits was chosen.
  for (const double chosen : {5e5, 5e6, 1e18})
    EXPECT_NE(beside_dynamic(chosen, chosen, chosen).find("the base is "), std::string::npos);
}

TEST(Stated, TheOtherListOfALongropeRuleIsNamed) {
  std::string in_short = "1", in_long = "1.5";
  for (int i = 1; i < 32; ++i) {
    in_short += ";1.1";
    in_long += ";" + std::to_string(2 + i);
  }
  const ScalingSpec rule =
      parse_scaling("longrope:original=4096,short=" + in_short + ",long=" + in_long);
  const RotaryEmbedding brief = scaled_embedding(rule, {1e4, 64, 64, 4096, {}});
  const RotaryEmbedding lengthy = scaled_embedding(rule, {1e4, 64, 64, 4096, 5000});
  const auto told = [](const RotaryEmbedding& found, const RotaryEmbedding& stated) {
    const DiagnosisRequest request = stating(stated, counted(0, 48));
    const Diagnosis d =
        diagnose(test::made_tensors(half(found, "float32"), counted(0, 48), 4, 64), request);
    return differing(d, request);
  };
  EXPECT_NE(told(lengthy, brief)
                .find("the frequencies are those of longrope's long list, for more than 4096 "
                      "tokens; you assume the short list, for at most 4096 | "),
            std::string::npos)
      << told(lengthy, brief);
  EXPECT_NE(told(brief, lengthy)
                .find("the frequencies are those of longrope's short list, for at most 4096 "
                      "tokens; you assume the long list, for more than 4096 | "),
            std::string::npos)
      << told(brief, lengthy);
  EXPECT_EQ(told(brief, brief), "");
}

TEST(Stated, PositionsThatShouldHaveTurnedXAreNamedWhereYIsX) {
  const Made made = half(default_embedding(64, 1e4), "float32");
  test::RotatedVectors tensors = test::made_tensors(made, counted(5, 9), 2, 64);
  tensors.y = tensors.x;
  DiagnosisRequest request = stating(made.embedding, counted(5, 9));
  const Diagnosis d = diagnose(tensors, request);
  ASSERT_TRUE(d.unchanged && d.unturned);
  EXPECT_EQ(d.unturned->least, 5);
  EXPECT_EQ(d.unturned->most, 13);
  // Positions that only count tokens are not given.
  request.counted = true;
  EXPECT_FALSE(diagnose(tensors, request).unturned);
  request.counted = false;
  request.positions.reset();
  EXPECT_FALSE(diagnose(tensors, request).unturned);
  request.axes = 2;
  request.axis_positions.emplace(9, Position(0));
  request.axis_positions->back()[1] = 7;
  const Diagnosis on_axes = diagnose(tensors, request);
  ASSERT_TRUE(on_axes.unchanged && on_axes.unturned);
  EXPECT_EQ(on_axes.unturned->most, 7);
}

}  // namespace
}  // namespace rope
