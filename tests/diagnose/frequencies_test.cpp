// Bare frequencies: what is named comes to the very numbers, and every fitted number has an
// interval.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

std::vector<double> rounded(std::vector<double> theta, Format format) {
  for (double& value : theta) value = round_to(format, value);
  return theta;
}

/// As an engine has it: in float32 first.
std::vector<double> cast(const RotaryEmbedding& embedding, Format format) {
  return rounded(rounded(embedding.frequencies.theta, Format::float32), format);
}

const Spectrum& only(const Diagnosis& diagnosis) {
  EXPECT_EQ(diagnosis.explanations.size(), 1U);
  return diagnosis.explanations.front().spectrum();
}

TEST(Frequencies, OfABaseThatIsNamedAreTheGivenOnesWhenRounded) {
  for (const Format format : {Format::bfloat16, Format::float16})
    for (const std::size_t r : {16U, 64U, 128U})
      for (const double base : {12345.0, 33333.0, 77777.0, 10000.0, 500000.0, 271828.0}) {
        const std::string what = std::string(limits(format).name) + ", r " + std::to_string(r) +
                                 ", base " + std::to_string(base);
        const std::vector<double> theta = cast(default_embedding(r, base), format);
        const Diagnosis d = diagnose_frequencies(theta, {});
        ASSERT_EQ(d.verdict, DiagnosisVerdict::unique) << what;
        const Spectrum& found = only(d);
        EXPECT_EQ(rounded(found.embedding.frequencies.theta, format), theta) << what;
        EXPECT_LE(found.base_low, base) << what;
        EXPECT_GE(found.base_high, base) << what;
        // Outside the interval no base comes to these numbers; well inside each does.
        const auto comes_to_them = [&](double other) {
          return cast(default_embedding(r, other), format) == theta;
        };
        const double width = found.base_high - found.base_low;
        EXPECT_FALSE(comes_to_them(found.base_low - 0.02 * width)) << what;
        EXPECT_FALSE(comes_to_them(found.base_high + 0.02 * width)) << what;
        // In float16 what float32 steps may do before the cast is a part of the width.
        if (format == Format::float16) continue;
        EXPECT_TRUE(comes_to_them(found.base_low + 0.1 * width)) << what;
        EXPECT_TRUE(comes_to_them(found.base_high - 0.1 * width)) << what;
      }
}

TEST(Frequencies, ThatFloat16LosesBelowItsExponentsStillHaveTheirBase) {
  const std::vector<double> theta = cast(default_embedding(128, 1e7), Format::float16);
  const Diagnosis d = diagnose_frequencies(theta, {});
  ASSERT_EQ(d.verdict, DiagnosisVerdict::unique);
  EXPECT_EQ(only(d).embedding.base, 1e7);
}

TEST(Frequencies, MadeInSixteenBitsThroughoutAreSaidToBeOtherThanThoseOfTheBase) {
  std::vector<double> theta;
  for (std::size_t k = 0; k < 32; ++k) {
    const double exponent = round_to(Format::bfloat16, static_cast<double>(k) / 32);
    const double power = round_to(Format::bfloat16, std::pow(10000.0, exponent));
    theta.push_back(round_to(Format::bfloat16, 1 / power));
  }
  ASSERT_NE(theta, cast(default_embedding(64, 10000), Format::bfloat16));
  const Diagnosis d = diagnose_frequencies(theta, {});
  ASSERT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  ASSERT_EQ(d.explanations.front().open.size(), 1U);
  EXPECT_EQ(d.explanations.front().open.front(),
            "the frequencies: rounded to bf16, they differ from these numbers, which fit only if "
            "every step was computed in bf16");
}

TEST(Frequencies, DividedByOneNumberGiveItWithAnInterval) {
  for (const Format format : {Format::bfloat16, Format::float16, Format::float32}) {
    const RotaryEmbedding linear = scaled_embedding({"linear", {{"factor", 3.7}}, {}},
                                                    {33333, 64, 64, std::nullopt, std::nullopt});
    const std::vector<double> theta = cast(linear, format);
    const Diagnosis d = diagnose_frequencies(theta, {});
    ASSERT_EQ(d.verdict, DiagnosisVerdict::unique) << limits(format).name;
    const Spectrum& found = only(d);
    ASSERT_EQ(found.embedding.scaling.rule, "linear");
    const double divisor = found.embedding.scaling.numbers.at("factor");
    EXPECT_LE(found.divisor_low, 3.7);
    EXPECT_GE(found.divisor_high, 3.7);
    EXPECT_LE(found.divisor_low, divisor);
    EXPECT_GE(found.divisor_high, divisor);
    EXPECT_LT(found.divisor_high / found.divisor_low - 1, 64 * limits(format).unit_roundoff);
  }
}

bool remarked(const Diagnosis& d, const std::string& text) {
  const std::vector<Advice> all = remarks(d.explanations.front(), false);
  return std::any_of(all.begin(), all.end(), [&](const Advice& advice) {
    return advice.finding.find(text) != std::string::npos;
  });
}

TEST(Frequencies, OfNtkAwareScalingAreNamedOnlyWhereTheBaseMayBeThat) {
  const double ntk = 10000 * std::pow(4.0, 64.0 / 62);
  const auto diagnosed = [](double base) {
    return diagnose_frequencies(cast(default_embedding(64, base), Format::bfloat16), {});
  };
  const std::string text = "NTK-aware scaling of base 10000 by 4";
  EXPECT_TRUE(remarked(diagnosed(ntk), text));
  const Diagnosis near = diagnosed(ntk);
  // Just outside what the numbers leave to the base, where half of its width is not too far.
  const double width = only(near).base_high - only(near).base_low;
  for (const double outside : {ntk - 1.5 * width, ntk + 1.5 * width}) {
    const Diagnosis other = diagnosed(outside);
    ASSERT_FALSE(only(other).base_low <= ntk && ntk <= only(other).base_high);
    EXPECT_FALSE(remarked(other, text)) << outside;
  }
}

}  // namespace
}  // namespace rope
