// Numbers in memory as their type has them, and views of arrays that copy none of them.

#include "rope/diagnose/numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/readings.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/diagnose/verdict/judge.hpp"
#include "rope/precision/rounding.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

std::vector<std::uint16_t> every_pattern() {
  std::vector<std::uint16_t> bits(std::size_t{1} << 16);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i);
  return bits;
}

// IEEE 754-2019, §3.4: (−1)^S · 2^(E − bias) · (1 + T · 2^(1−p)), subnormal where E = 0.
double of_fields(std::uint16_t bits, int exponent_bits, int significand_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (bits >> significand_bits) & ((1 << exponent_bits) - 1);
  const int trailing = bits & ((1 << significand_bits) - 1);
  const double sign = (bits >> 15) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) return trailing != 0 ? std::nan("") : sign * HUGE_VAL;
  const double part = std::ldexp(trailing, -significand_bits);
  return exponent == 0 ? sign * std::ldexp(part, 1 - bias)
                       : sign * std::ldexp(1 + part, exponent - bias);
}

TEST(Numbers, EveryPatternOfSixteenBitsIsItsNumber) {
  const Numbers half(Format::float16, every_pattern()), brain(Format::bfloat16, every_pattern());
  ASSERT_EQ(half.size(), std::size_t{1} << 16);
  const auto same = [](double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
  };
  for (const std::uint16_t bits : every_pattern()) {
    ASSERT_TRUE(same(half[bits], of_fields(bits, 5, 10))) << bits;
    ASSERT_TRUE(same(brain[bits], of_fields(bits, 8, 7))) << bits;
  }
}

TEST(Numbers, AVectorThatLivesOnIsReferredToAndATemporaryKept) {
  std::vector<double> values = {1, 2, 3};
  const Numbers referring = values;
  values[1] = 5;
  EXPECT_EQ(referring[1], 5);
  const Numbers kept = std::vector<float>{0.5F, -4};
  const Numbers copy = kept;
  EXPECT_EQ(copy[1], -4);
  std::vector<double> read(2);
  referring.read(1, read);
  EXPECT_EQ(read, (std::vector<double>{5, 3}));
}

/// Tokens along axis 2 of [2, 3, 5, 4].
TEST(Numbers, ViewsReadTheVectorsWhereTheyStand) {
  const std::vector<std::size_t> shape = {2, 3, 5, 4};
  std::vector<double> x(120), y(120);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(i);
    y[i] = -x[i];
  }
  const auto at = [](std::size_t a, std::size_t b, std::size_t c, std::size_t i) {
    return static_cast<double>(((a * 3 + b) * 5 + c) * 4 + i);
  };
  const RotatedTensors tensors = rotated_tensors(shape, 2, x, y);
  ASSERT_EQ(tensors.tokens, 5U);
  ASSERT_EQ(tensors.lanes, 6U);
  for (std::size_t t = 0; t < 5; ++t)
    for (std::size_t lane = 0; lane < 6; ++lane) {
      EXPECT_EQ(tensors.x[tensors.row(t, lane) + 3], at(lane / 3, lane % 3, t, 3));
      EXPECT_EQ(tensors.y[tensors.row(t, lane)], -at(lane / 3, lane % 3, t, 0));
    }
  const std::vector<std::size_t> tokens = {4, 1}, lanes = {5, 0};
  const RotatedTensors some = some_lanes(some_tokens(tensors, tokens, 6), lanes);
  EXPECT_EQ(some.x[some.row(1, 0) + 2], at(1, 2, 1, 2));
  EXPECT_EQ(copied(some).x[some.dense_row(1, 0) + 2], at(1, 2, 1, 2));
  // Rows of axis 0 one behind the other, in lanes of axis 1.
  const RotatedTensors rows = rotated_rows(shape, 0, 2, x, y);
  ASSERT_EQ(rows.tokens, 10U);
  EXPECT_EQ(rows.x[rows.row(7, 1) + 1], at(1, 1, 2, 1));
}

TEST(Numbers, WhateverTypeHoldsThemTheDiagnosisIsTheSame) {
  const test::Made made{
      {0, 64, -1, -1}, default_embedding(64, 5e5), *find_policy("bfloat16-table"), false};
  const test::RotatedVectors tensors = test::made_tensors(made, test::counted(3, 40), 2, 64);
  const auto bits_of = [](const std::vector<double>& values) {
    std::vector<std::uint16_t> bits;
    for (const double value : values) {
      const auto single = static_cast<float>(value);
      std::uint32_t pattern = 0;
      std::memcpy(&pattern, &single, sizeof pattern);
      bits.push_back(static_cast<std::uint16_t>(pattern >> 16));
    }
    return Numbers(Format::bfloat16, std::move(bits));
  };
  const std::vector<float> x(tensors.x.begin(), tensors.x.end()),
      y(tensors.y.begin(), tensors.y.end());
  const std::vector<std::size_t> shape = {40, 2, 64};
  const Diagnosis wide = diagnose_any_axis(shape, tensors.x, tensors.y, {});
  ASSERT_FALSE(wide.explanations.empty());
  for (const Diagnosis& narrow :
       {diagnose_any_axis(shape, x, y, {}),
        diagnose_any_axis(shape, bits_of(tensors.x), bits_of(tensors.y), {})}) {
    ASSERT_EQ(narrow.explanations.size(), wide.explanations.size());
    EXPECT_EQ(narrow.verdict, wide.verdict);
    EXPECT_EQ(narrow.explanations.front().judgement.max_error,
              wide.explanations.front().judgement.max_error);
    EXPECT_EQ(narrow.explanations.front().spectrum().embedding.base,
              wide.explanations.front().spectrum().embedding.base);
  }
}

/// x as the output of another implementation, turned back in exact arithmetic.
Numbers turned_back(const test::Made& reference, const std::vector<std::int64_t>& positions,
                    const test::RotatedVectors& rotated) {
  std::vector<double> x = rotated.y, lengths(x.size());
  for (std::size_t t = 0; t < rotated.tokens; ++t)
    for (std::size_t lane = 0; lane < rotated.lanes; ++lane)
      for (std::size_t i = 0; i < reference.arrangement.pairs(); ++i) {
        const PairDimensions pair = reference.arrangement.in_dimensions(i);
        double& a = x[rotated.row(t, lane) + pair.first];
        double& b = x[rotated.row(t, lane) + pair.second];
        const double angle =
            static_cast<double>(positions[t]) * std::pow(5e5, -2.0 * static_cast<double>(i) / 64);
        const double c = std::cos(angle), s = std::sin(angle), before = a;
        a = before * c + b * s;
        b = b * c - before * s;
        lengths[rotated.row(t, lane) + pair.first] = std::hypot(a, b);
        lengths[rotated.row(t, lane) + pair.second] = std::hypot(a, b);
      }
  return {std::move(x), Origins{std::move(lengths), static_cast<double>(positions.back()),
                                narrowest_format(rotated.y)}};
}

/// The rounding of a reference lies on its own pairs, whichever the port turns.
TEST(Numbers, TurnedBackFromAReferenceNameThePortWhateverPairsItTurns) {
  const std::vector<std::int64_t> positions = test::counted(3, 24);
  const RotaryEmbedding embedding = default_embedding(64, 5e5);
  for (const char* policy : {"float32", "float16", "bfloat16-table"}) {
    const test::Made half{{0, 64, -1, -1}, embedding, *find_policy(policy), false};
    test::RotatedVectors reference = test::made_tensors(half, positions, 4, 64);
    for (const Arrangement& arrangement :
         {Arrangement{0, 64, -1, -1}, Arrangement{0, 64, 0, 0}, Arrangement{0, 32, -1, -1}}) {
      const RotaryEmbedding turned = default_embedding(arrangement.rotary_dim, 5e5);
      const test::Made made{arrangement, turned, half.policy, false};
      test::RotatedVectors port = reference;
      test::rotate_into(made, positions, port);
      const std::vector<std::size_t> shape = {24, 4, 64};
      DiagnosisRequest request;
      request.positions = positions;
      const Diagnosis found =
          diagnose_any_axis(shape, turned_back(half, positions, reference), port.y, request);
      ASSERT_FALSE(found.explanations.empty()) << policy << " " << name(arrangement);
      const Explanation& best = found.explanations.front();
      EXPECT_EQ(best.arrangement, arrangement) << policy << " " << name(best.arrangement);
      EXPECT_LE(best.spectrum().base_low, 5e5) << policy;
      EXPECT_GE(best.spectrum().base_high, 5e5) << policy;
      // A number that is wrong is still found to be.
      port.y[970] += 0.5;
      const Diagnosis wrong =
          diagnose_any_axis(shape, turned_back(half, positions, reference), port.y, request);
      EXPECT_TRUE(wrong.explanations.empty()) << policy << " " << name(arrangement);
    }
  }
}

/// What a port does by a little otherwise is not what is stated under rougher tables, for a
/// reference in float32 shows none; and the rounding of one in 16 bits is no fault of a port in
/// float32.
TEST(Numbers, TurnedBackFromAReferenceShowSmallDifferencesAndOnlyThem) {
  const std::vector<std::int64_t> positions = test::counted(0, 24);
  RotaryEmbedding stated = default_embedding(64, 5e5);
  stated.layout = PairLayout::half;
  struct Port {
    double base, factor;
    double slip = 0;  // of one number, so that no other convention explains the rest
  };
  const auto fits = [&](const char* reference_policy, const Port& port) {
    const test::Made reference{
        {0, 64, -1, -1}, default_embedding(64, 5e5), *find_policy(reference_policy)};
    test::RotatedVectors rotated = test::made_tensors(reference, positions, 4, 64);
    const Numbers x = turned_back(reference, positions, rotated);
    test::Made made{{0, 64, -1, -1}, default_embedding(64, port.base), *find_policy("float32")};
    made.embedding.attention_factor = port.factor;
    test::rotate_into(made, positions, rotated);
    rotated.y[970] += port.slip;
    DiagnosisRequest request;
    request.positions = positions;
    request.assumed = Assumption{stated};
    const Diagnosis found =
        diagnose_any_axis(std::vector<std::size_t>{24, 4, 64}, x, rotated.y, request);
    return !found.explanations.empty() && !rougher_than_result(found.explanations.front().policy) &&
           differences(found.explanations.front(), *request.assumed).empty();
  };
  for (const char* policy : {"float32", "bfloat16", "float16", "bfloat16-store"})
    EXPECT_TRUE(fits(policy, {5e5, 1})) << policy;
  for (const Port& port :
       {Port{499900, 1}, Port{499712, 1}, Port{495000, 1}, Port{4e5, 1}, Port{55e4, 1},
        Port{5e5, 1.0001}, Port{5e5, 1.001}, Port{5e5, 0.99}, Port{495000, 1, 1e-3}})
    EXPECT_FALSE(fits("float32", port)) << port.base << " " << port.factor;
}

}  // namespace
}  // namespace rope
