// The parts of the diagnosis by themselves.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "rope/diagnose/angles/lines.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/frequencies/aliases.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/positions/common_step.hpp"
#include "rope/diagnose/positions/find_position.hpp"
#include "rope/diagnose/verdict/judge.hpp"
#include "rope/error.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

TEST(Arrangement, PowersOfThePermutationAreTheLayouts) {
  const Arrangement interleaved{0, 8, 0, 0}, half{0, 8, -1, -1};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(interleaved.in_dimensions(k).first, 2 * k);
    EXPECT_EQ(interleaved.in_dimensions(k).second, 2 * k + 1);
    EXPECT_EQ(half.in_dimensions(k).first, k);
    EXPECT_EQ(half.in_dimensions(k).second, k + 4);
  }
  // Reordering half-ordered rows once more: place i of the half order holds what was at 2i.
  const Arrangement twice{0, 8, -2, -1};
  EXPECT_EQ(twice.in_dimensions(1).first, 4U);
  EXPECT_EQ(twice.in_dimensions(1).second, 6U);
}

TEST(Arrangement, BlocksAreLaidOutByThemselves) {
  const Arrangement blocks{2, 8, -1, -1, 2};
  const std::vector<std::pair<std::size_t, std::size_t>> expected = {
      {2, 4}, {3, 5}, {6, 8}, {7, 9}};
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const PairDimensions pair = blocks.in_dimensions(k);
    EXPECT_EQ(std::pair(pair.first, pair.second), expected[k]) << k;
  }
  EXPECT_EQ(name(blocks), "half-in-2-blocks");
}

TEST(SimplestNumber, HasTheFewestDigits) {
  EXPECT_EQ(simplest_number(9990, 10020), 10000);
  EXPECT_EQ(simplest_number(499999.9, 500000.2), 500000);
  EXPECT_EQ(simplest_number(1.138, 1.1395), 1.139);
  EXPECT_EQ(simplest_number(1.0, 1.0), 1.0);
  EXPECT_EQ(simplest_number(1.0 / 3, 1.0 / 3), 1.0 / 3);
}

TEST(Parts, AWholeNumberIsSaidWithAllItsDigits) {
  EXPECT_EQ(plain_number(500000), "500000");
  EXPECT_EQ(plain_number(1e6), "1000000");
  EXPECT_EQ(plain_number(-1234567), "-1234567");
  EXPECT_EQ(plain_number(10000.125), "10000.1");
  EXPECT_EQ(plain_number(10000.125, 15), "10000.125");
  EXPECT_EQ(plain_number(1e20), "1e+20");
  EXPECT_EQ(plain_number(1.0 / 3), "0.333333");
}

TEST(NarrowestFormat, IsReadOffTheNumbers) {
  EXPECT_EQ(narrowest_format(std::vector<double>{1.5, -2}), Format::bfloat16);
  EXPECT_EQ(narrowest_format(std::vector<double>{1 + 0x1p-10}), Format::float16);
  EXPECT_EQ(narrowest_format(std::vector<double>{1 + 0x1p-23}), Format::float32);
  EXPECT_EQ(narrowest_format(std::vector<double>{0.1}), Format::float64);
}

/// The angles of frequencies at positions, as if measured with an error.
MeasuredAngles angles_of(const std::vector<double>& rates,
                         const std::vector<std::int64_t>& positions, double error) {
  MeasuredAngles angles;
  angles.tokens = positions.size();
  angles.pairs = rates.size();
  for (const std::int64_t position : positions)
    for (const double rate : rates) {
      angles.turns.push_back(wrapped(static_cast<double>(position) * rate));
      angles.error.push_back(error);
    }
  return angles;
}

TEST(Lines, LongBaselinesSharpenTheRates) {
  const std::vector<double> rates = {0.15915494309189535, -0.01, 1e-6};
  const std::vector<std::int64_t> positions = {0, 1, 2, 7, 100, 4095, 131071};
  const AngleLines lines = fit_lines(angles_of(rates, positions, 1e-7), positions, 0x1p-50, false);
  EXPECT_TRUE(lines.straight());
  for (std::size_t k = 0; k < rates.size(); ++k) {
    EXPECT_LT(lines.lines[k].rate_error, 4e-12);
    EXPECT_NEAR(lines.lines[k].rate, rates[k], lines.lines[k].rate_error + 1e-16);
  }
}

TEST(Lines, AnglesThatAreOnNoLineAreNoticed) {
  const std::vector<double> rates = {0.1};
  std::vector<std::int64_t> positions(20);
  std::iota(positions.begin(), positions.end(), 0);
  MeasuredAngles angles = angles_of(rates, positions, 1e-7);
  angles.turns[11] += 0.01;
  EXPECT_FALSE(fit_lines(angles, positions, 0x1p-50, false).straight());
}

TEST(Lines, GapsLeaveTheRatesModuloATurnAGap) {
  const std::vector<std::int64_t> positions = {0, 4, 8, 16};
  const AngleLines lines = fit_lines(angles_of({0.01}, positions, 1e-7), positions, 0x1p-50, false);
  EXPECT_EQ(lines.alias, 4);
  EXPECT_NEAR(lines.lines[0].rate, 0.01, 1e-6);
}

TEST(FindPosition, IsUniqueWhereThePairsAgree) {
  KnownRates rates;
  std::vector<double> turns, errors(8, 1e-6);
  for (int k = 0; k < 8; ++k) {
    rates.rate.push_back(std::pow(10000.0, -k / 8.0) / (2 * std::numbers::pi));
    rates.error.push_back(0);
    turns.push_back(wrapped(54321 * rates.rate.back()));
  }
  const FoundPosition found = find_position(rates, turns, errors, 0, -1000000, 1000000);
  EXPECT_EQ(found.position, 54321);
  EXPECT_EQ(found.candidates, 1U);
  turns[3] = wrapped(turns[3] + 0.1);
  EXPECT_FALSE(find_position(rates, turns, errors, 0, -1000000, 1000000).position);
}

Regime divided_by(double factor, std::vector<std::size_t> tokens,
                  std::vector<std::int64_t> positions) {
  Regime regime{std::move(tokens), std::move(positions), {}};
  regime.spectrum.embedding =
      scaled_embedding({"linear", {{"factor", factor}}, {}}, {500000, 32, 32, {}, {}});
  regime.spectrum.recognised = true;
  regime.spectrum.divisor_low = regime.spectrum.divisor_high = factor;
  return regime;
}

TEST(CommonStep, RegimesThatDifferByAFactorAreOne) {
  const Regime sixteenths = divided_by(5.33333, {0, 2, 4}, {16, 24, 8});
  Regime eighths = divided_by(8, {1, 3}, {-32, -20});
  eighths.spectrum.clockwise = true;
  const std::optional<Regime> one = in_common_steps(std::vector{sixteenths, eighths});
  ASSERT_TRUE(one);
  EXPECT_EQ(one->tokens, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(one->positions, (std::vector<std::int64_t>{6, 8, 9, 5, 3}));
  EXPECT_EQ(one->spectrum.embedding.scaling.numbers.at("factor"), 2);
  EXPECT_FALSE(one->spectrum.clockwise);
  EXPECT_NEAR(one->spectrum.divisor_low, 2, 1e-5);
  // Whole factors are none.
  const std::optional<Regime> plain =
      in_common_steps(std::vector{divided_by(2, {0, 1}, {4, 2}), divided_by(3, {2, 3}, {9, 12})});
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->spectrum.embedding.scaling.rule, "default");
  EXPECT_EQ(plain->positions, (std::vector<std::int64_t>{2, 1, 3, 4}));
}

TEST(CommonStep, TokensOfOtherFrequenciesStayApart) {
  // Four that stand eight positions apart are four that were not divided.
  EXPECT_FALSE(in_common_steps(std::vector{divided_by(1, {0, 1, 2, 3}, {0, 1, 2, 3}),
                                           divided_by(8, {4, 5, 6, 7}, {0, 1, 2, 3})}));
  Regime other = divided_by(8, {1, 3}, {32, 20});
  other.spectrum.embedding = default_embedding(32, 10000);
  EXPECT_FALSE(in_common_steps(std::vector{divided_by(2, {0, 2}, {1, 3}), other}));
  EXPECT_FALSE(in_common_steps(std::vector{divided_by(2, {0, 2}, {1, 3})}));
  EXPECT_FALSE(in_common_steps(
      std::vector{divided_by(1, {0, 1}, {0, 1}), divided_by(1.4142135, {2, 3}, {0, 1})}));
}

TEST(Frequencies, AreRecognised) {
  const auto recognised = [](const std::vector<double>& theta) {
    return diagnose_frequencies(theta, {});
  };
  const Diagnosis plain = recognised(default_embedding(128, 500000).frequencies.theta);
  ASSERT_EQ(plain.verdict, DiagnosisVerdict::unique);
  EXPECT_EQ(plain.explanations.front().spectrum().embedding.base, 500000);
  const ScalingSpec llama{
      "llama3", {{"factor", 8}, {"low", 1}, {"high", 4}, {"original", 8192}}, {}};
  std::vector<double> theta =
      scaled_embedding(llama, {500000, 128, 128, std::nullopt, std::nullopt}).frequencies.theta;
  for (double& value : theta) value = round_to(Format::float32, value);
  const Diagnosis scaled = recognised(theta);
  ASSERT_EQ(scaled.verdict, DiagnosisVerdict::unique);
  EXPECT_EQ(scaled.explanations.front().spectrum().embedding.scaling, llama);
  theta[9] *= 1.01;
  EXPECT_EQ(recognised(theta).verdict, DiagnosisVerdict::none);
  EXPECT_THROW(recognised({}), ShapeError);
  EXPECT_THROW(recognised({1, std::nan("")}), DomainError);
}

TEST(Tables, AreDiagnosedInEachForm) {
  const Pipeline pipeline(*find_policy("float32"), default_embedding(32, 10000));
  for (const TableColumns columns :
       {TableColumns::pairs, TableColumns::half, TableColumns::interleaved}) {
    std::vector<double> cos, sin;
    RotationRow row;
    for (std::int64_t t = 0; t < 50; ++t) {
      pipeline.table_row(t + 3, row);
      const std::size_t n = columns == TableColumns::pairs ? 16 : 32;
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t k = columns == TableColumns::interleaved ? i / 2 : i % 16;
        cos.push_back(row.cos[k]);
        sin.push_back(row.sin[k]);
      }
    }
    const TableDiagnosis found = diagnose_tables(50, cos, sin, {});
    EXPECT_EQ(found.columns, columns);
    ASSERT_EQ(found.diagnosis.verdict, DiagnosisVerdict::unique);
    EXPECT_EQ(found.diagnosis.explanations.front().position_offset, 3);
    EXPECT_EQ(found.diagnosis.explanations.front().spectrum().embedding.base, 10000);
    for (double& value : cos) value = -value;
    EXPECT_NE(diagnose_tables(50, cos, sin, {}).diagnosis.verdict, DiagnosisVerdict::unique);
  }
  EXPECT_THROW(diagnose_tables(3, std::vector<double>(6), std::vector<double>(4), {}), ShapeError);
}

TEST(Judge, KnowsWhereARotationIsOff) {
  const test::Made made{
      {0, 16, -1, -1}, default_embedding(16, 10000), *find_policy("float32"), false};
  std::vector<std::int64_t> positions(20);
  std::iota(positions.begin(), positions.end(), 0);
  test::RotatedVectors tensors = test::made_tensors(made, positions, 2, 16);
  Regime regime;
  regime.tokens.resize(20);
  std::iota(regime.tokens.begin(), regime.tokens.end(), std::size_t{0});
  regime.positions = positions;
  regime.spectrum.embedding = made.embedding;
  regime.spectrum.recognised = true;
  const JudgedPolicy policy{made.policy, false};
  EXPECT_TRUE(Judge(tensors, made.arrangement, {}).judge(policy, regime, Judge::kEvery).passed);
  double& number = tensors.y[tensors.row(13, 1) + 9];
  number += 4e-6 * (std::abs(number) + 1);
  const Judgement off = Judge(tensors, made.arrangement, {}).judge(policy, regime, Judge::kEvery);
  EXPECT_FALSE(off.passed);
  EXPECT_EQ(off.violations, 1U);
  EXPECT_EQ(off.token, 13U);
  EXPECT_EQ(off.lane, 1U);
  EXPECT_EQ(off.dimension, 9U);
  number = std::nan("");
  EXPECT_FALSE(Judge(tensors, made.arrangement, {}).judge(policy, regime, Judge::kEvery).passed);
}

// A position of float16 may be any, a frequency above 65504 none: nothing that a search comes to
// may end it.
TEST(Judge, RejectsFrequenciesThatAFormatDoesNotHold) {
  test::Made made{{0, 4, -1, -1}, default_embedding(4, 10000), *find_policy("float64"), false};
  made.embedding.base.reset();
  made.embedding.frequencies = given_frequencies(std::vector<double>{1, 1e5});
  Regime regime{{0, 1}, {0, 1}, {}};
  regime.spectrum.embedding = made.embedding;
  const test::RotatedVectors tensors = test::made_tensors(made, {0, 1}, 3, 4);
  const Judge judge(tensors, made.arrangement, {});
  EXPECT_TRUE(judge.judge({made.policy, false}, regime, Judge::kEvery).passed);
  const Judgement none =
      judge.judge({*find_policy("float16-positions"), true}, regime, Judge::kEvery);
  EXPECT_FALSE(none.passed);
  EXPECT_EQ(none.violations, 2U * 3 * 4);
}

TEST(Judge, WatchesTheNumbersThatPassThrough) {
  const test::Made made{
      {0, 8, -1, -1}, default_embedding(8, 10000), *find_policy("float32"), false};
  test::RotatedVectors tensors = test::made_tensors(made, {0, 1, 2}, 1, 16);
  Regime regime{{0, 1, 2}, {0, 1, 2}, {}};
  regime.spectrum.embedding = made.embedding;
  tensors.y[tensors.row(1, 0) + 12] += 1;
  const Judgement off =
      Judge(tensors, made.arrangement, {}).judge({made.policy, false}, regime, Judge::kEvery);
  EXPECT_FALSE(off.passed);
  EXPECT_EQ(off.dimension, 12U);
}

// 8 turns in the 61 tokens between them are 197 turns, less a radian's tenth, on the way to the
// first: a frequency that is lower by so little leaves hardly anything at both.
TEST(Aliases, AreSettledAtAllPositions) {
  const std::vector<std::int64_t> positions = {1502, 1563};
  const std::vector<double> aliases = frequency_aliases(positions);
  ASSERT_FALSE(aliases.empty());
  const double turn = 2 * std::numbers::pi;
  const auto eight = std::find_if(aliases.begin(), aliases.end(), [&](double alias) {
    return std::abs(alias - turn * 8 / 61) < 1e-3;
  });
  ASSERT_NE(eight, aliases.end());
  for (const std::int64_t position : positions)
    EXPECT_LT(std::abs(std::remainder(*eight * static_cast<double>(position), turn)), 0.01);
  EXPECT_TRUE(frequency_aliases(std::vector<std::int64_t>{0, 1, 2, 3}).empty());
}

}  // namespace
}  // namespace rope
