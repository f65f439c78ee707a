// Which axis counts the tokens, where axes of length 1 and heads could.

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/arrays.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/readings.hpp"
#include "rope/error.hpp"
#include "rope/random/random.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

constexpr std::size_t kDim = 64;

Assumption stated() { return {default_embedding(kDim, 1e4, PairLayout::half), true, true, true}; }

test::Made half() {
  return {{0, kDim, -1, -1}, default_embedding(kDim, 1e4), *find_policy("float32"), false};
}

/// As `rope diagnose --layout half --base 10000 --start FIRST` reads arrays.
ArrayDiagnosis stating_start(const std::vector<std::size_t>& shape,
                             const test::RotatedVectors& made, std::int64_t first) {
  DiagnosisRequest request;
  request.assumed = stated();
  std::vector<TokenReading> readings = token_readings(shape);
  for (TokenReading& reading : readings)
    reading.positions = test::counted(first, shape[reading.axis]);
  return diagnose_arrays(shape, Numbers(std::span<const double>(made.x)),
                         Numbers(std::span<const double>(made.y)), readings, request);
}

TEST(TokenAxis, OneTokenOfManyHeadsIsReadAsThat) {
  const test::RotatedVectors made = test::made_tensors(half(), {1234}, 6, kDim);
  for (const std::vector<std::size_t>& shape :
       {std::vector<std::size_t>{1, 6, 1, kDim}, {1, 1, 6, kDim}}) {
    const ArrayDiagnosis found = stating_start(shape, made, 1234);
    ASSERT_FALSE(found.diagnosis.explanations.empty());
    EXPECT_TRUE(differences(found.diagnosis.explanations.front(), stated()).empty());
    // Six tokens of one head that all stand at 1234 cannot be told from it.
    EXPECT_EQ(found.diagnosis.verdict, DiagnosisVerdict::ambiguous);
  }
}

TEST(TokenAxis, HeadsThatWereTakenForTokensAreFound) {
  const test::RotatedVectors made = test::made_tensors(half(), test::counted(0, 8), 40, kDim);
  const std::vector<std::size_t> shape = {1, 8, 40, kDim};
  const auto along = [&](std::size_t axis) {
    DiagnosisRequest request;
    request.assumed = stated();
    return diagnose_arrays(
        shape, Numbers(std::span<const double>(made.x)), Numbers(std::span<const double>(made.y)),
        std::vector<TokenReading>{{axis, test::counted(0, shape[axis]), {}}}, request);
  };
  const ArrayDiagnosis found = along(2);
  EXPECT_TRUE(found.other_axis);
  EXPECT_EQ(found.diagnosis.verdict, DiagnosisVerdict::unique);
  EXPECT_EQ(found.diagnosis.token_axis, 1U);
  EXPECT_FALSE(along(1).other_axis);
}

TEST(TokenAxis, WhatDidNotTurnDoesNotFitAsTheOneTokenOfABatch) {
  RandomStream random(3, 0);
  const test::RotatedVectors same = test::random_tensors(33, 4, kDim, Format::float32, random);
  const ArrayDiagnosis found = stating_start({1, 4, 33, kDim}, same, 0);
  EXPECT_TRUE(found.diagnosis.unchanged);
  EXPECT_TRUE(found.diagnosis.explanations.empty());
  // Nor was a token at position 0 left unrotated whose heads could be tokens.
  EXPECT_FALSE(found.diagnosis.unturned);
}

TEST(TokenAxis, ThatVectorsComeNearAlongOneAxisDoesNotOutdoThatTheyTurnAlongAnother) {
  constexpr std::size_t kTokens = 3, kHeads = 2, kWide = 96, kLarge = 23;
  test::Made truth{
      {0, 48, -1, -1}, default_embedding(48, 12345), *find_policy("bfloat16-table"), false};
  for (double& theta : truth.embedding.frequencies.theta) theta /= theta < 0.02 ? 7 : 1;  // no rule
  truth.embedding.attention_factor = 1.195;
  for (const std::uint64_t seed : {93U, 144U, 263U}) {
    SCOPED_TRACE(seed);
    RandomStream random(seed, 0);
    test::RotatedVectors made =
        test::random_tensors(kTokens, kHeads, kWide, Format::bfloat16, random);
    // One token thrice, with one number next to which all others are small.
    for (std::size_t i = 0; i < made.x.size(); ++i) {
      made.x[i] = made.x[i % (kHeads * kWide)];
      if (i % kWide == kLarge && i < kHeads * kWide) made.x[i] *= 1024;
    }
    made.y = made.x;
    test::rotate_into(truth, {2000, 2001, 2002}, made);
    const std::vector<std::size_t> shape = {kTokens, kHeads, kWide};
    const ArrayDiagnosis found = diagnose_arrays(shape, Numbers(std::span<const double>(made.x)),
                                                 Numbers(std::span<const double>(made.y)),
                                                 token_readings(shape), request_with_presets());
    EXPECT_NE(found.diagnosis.verdict, DiagnosisVerdict::none);
  }
}

/// Of tokens in no order, some look as if they were divided by 16/3 and others by 8.
TEST(TokenAxis, TokensInNoOrderAreNotRotatedByTwoFactorsWhereOneDoes) {
  test::Made truth{{0, 32, -1, -1}, default_embedding(32, 5e5), *find_policy("float32"), false};
  truth.embedding = scaled_embedding({"linear", {{"factor", 2}}, {}}, {5e5, 32, 32, {}, {}});
  const std::vector<std::int64_t> positions = {6, 8, 5, 7, 9, 0, 3, 2, 4, 1};
  const test::RotatedVectors made = test::made_tensors(truth, positions, 2, 128);
  const std::vector<std::size_t> shape = {positions.size(), 2, 128};
  const ArrayDiagnosis found = diagnose_arrays(shape, Numbers(std::span<const double>(made.x)),
                                               Numbers(std::span<const double>(made.y)),
                                               token_readings(shape), request_with_presets());
  ASSERT_FALSE(found.diagnosis.explanations.empty());
  for (const Explanation& e : found.diagnosis.explanations) EXPECT_EQ(e.regimes.size(), 1U);
}

/// [1, heads, tokens, dim] of vectors that stand token by token.
test::RotatedVectors heads_first(const test::RotatedVectors& made) {
  test::RotatedVectors result = made;
  for (std::size_t t = 0; t < made.tokens; ++t)
    for (std::size_t h = 0; h < made.lanes; ++h)
      for (std::size_t i = 0; i < made.dim; ++i) {
        const std::size_t to = (h * made.tokens + t) * made.dim + i, from = made.row(t, h) + i;
        result.x[to] = made.x[from];
        result.y[to] = made.y[from];
      }
  return result;
}

/// Rows of a batch, padded on the left: their padding stands at position 1, as masks fill it in.
std::vector<std::int64_t> left_padded(std::size_t tokens,
                                      const std::vector<std::size_t>& paddings) {
  std::vector<std::int64_t> positions;
  for (const std::size_t padding : paddings)
    for (std::size_t t = 0; t < tokens; ++t)
      positions.push_back(t < padding ? 1 : static_cast<std::int64_t>(t - padding));
  return positions;
}

// Along the axis of the heads, a token at position 0 is a vector that no token turns.
TEST(TokenAxis, TokensAtPositionZeroOfWhatNothingExplainsAreNoUnrotatedVectors) {
  constexpr std::size_t kHeads = 8, kTokens = 6, kWide = 128;
  const std::vector<std::int64_t> positions = left_padded(kTokens, {0, 5, 3, 2});
  const std::vector<std::size_t> shape = {4, kTokens, kHeads, kWide};
  const test::Made truth{
      {0, kWide, -1, -1}, default_embedding(kWide, 5e5), *find_policy("bfloat16-store"), false};
  test::Made inverse = truth;
  inverse.clockwise = true;
  DiagnosisRequest request = request_with_presets();
  request.assumed = {default_embedding(kWide, 5e5, PairLayout::half), true, true, true};
  for (const std::uint64_t seed : {3U, 5U, 6U}) {
    SCOPED_TRACE(seed);
    test::RotatedVectors made = test::made_tensors(truth, positions, kHeads, kWide, seed);
    const test::RotatedVectors back = test::made_tensors(inverse, positions, kHeads, kWide, seed);
    ASSERT_EQ(back.x, made.x);
    for (std::size_t i = 0; i < made.y.size(); ++i)  // without the sines
      made.y[i] = round_to(Format::bfloat16, (made.y[i] + back.y[i]) / 2);
    const Diagnosis found =
        diagnose_arrays(shape, Numbers(std::span<const double>(made.x)),
                        Numbers(std::span<const double>(made.y)), token_readings(shape), request)
            .diagnosis;
    EXPECT_TRUE(found.explanations.empty());
    EXPECT_TRUE(found.unwritten.same_lanes.empty());
    if (found.best_fit) {
      EXPECT_FALSE(found.best_fit->in_parts());
    }
  }
}

// The same of heads packed into the last axis, at whatever size they are looked for.
TEST(TokenAxis, TokensAtPositionZeroOfPackedHeadsAreNoUnrotatedVectors) {
  constexpr std::size_t kRows = 3, kTokens = 24, kHeads = 9, kHead = 80, kRotary = 20;
  std::vector<std::int64_t> positions;
  for (std::size_t row = 0; row < kRows; ++row)
    for (const std::int64_t position : test::counted(0, kTokens)) positions.push_back(position);
  const test::Made truth{
      {0, kRotary, -1, -1}, default_embedding(kRotary, 1e4), *find_policy("float32"), false};
  test::RotatedVectors made = test::made_tensors(truth, positions, kHeads, kHead);
  for (std::size_t i = 0; i < made.y.size(); ++i)  // the second half of what turns is not written
    if (i % kHead >= kRotary / 2) made.y[i] = made.x[i];
  const std::vector<std::size_t> shape = {kRows, kTokens, kHeads * kHead};
  std::vector<TokenReading> readings = token_readings(shape);
  for (TokenReading& reading : readings) reading.positions = test::counted(0, shape[reading.axis]);
  const Diagnosis found =
      diagnose_heads(shape, Numbers(std::span<const double>(made.x)),
                     Numbers(std::span<const double>(made.y)), readings, std::nullopt,
                     [](std::size_t) { return request_with_presets(); })
          .diagnosis;
  EXPECT_TRUE(found.explanations.empty());
  EXPECT_TRUE(found.unwritten.same_lanes.empty());
}

TEST(TokenAxis, HeadsAreNoRowsOfABatch) {
  constexpr std::size_t kHeads = 4;
  test::RotatedVectors other = test::made_tensors(half(), test::counted(0, 5), kHeads, kDim);
  const test::RotatedVectors bad = [&] {
    test::Made slower = half();
    slower.embedding = default_embedding(kDim, 5e5);
    return test::made_tensors(slower, test::counted(0, 5), kHeads, kDim);
  }();
  test::RotatedVectors still = test::made_tensors(half(), test::counted(0, 2), kHeads, kDim);
  for (std::size_t t = 0; t < other.tokens; ++t)
    for (std::size_t i = other.row(t, 2); i < other.row(t, 2) + kDim; ++i) other.y[i] = bad.y[i];
  for (std::size_t t = 0; t < still.tokens; ++t)
    for (std::size_t i = still.row(t, 3); i < still.row(t, 3) + kDim; ++i) still.y[i] = still.x[i];
  for (const test::RotatedVectors& made : {other, still}) {
    const ArrayDiagnosis found =
        stating_start({1, kHeads, made.tokens, kDim}, heads_first(made), 0);
    EXPECT_EQ(found.row_tokens, 0U);
    if (made.tokens == 2) {  // y is x in one head, to the bit
      EXPECT_EQ(found.diagnosis.unwritten.same_lanes, std::vector<std::size_t>{3});
      continue;
    }
    ASSERT_TRUE(found.diagnosis.best_fit);
    ASSERT_EQ(found.diagnosis.best_fit->parts.size(), 2U)
        << made.tokens << " tokens along axis " << found.diagnosis.token_axis << ", residual "
        << found.diagnosis.best_fit->residual;
    EXPECT_EQ(found.diagnosis.best_fit->parts.back().lanes, std::vector<std::size_t>{2});
    EXPECT_TRUE(found.diagnosis.best_fit->parts.back().rotated);
  }
}

/// A rotated array of 2 rows, 3 heads and 9 tokens in some order of its axes; every row has
/// positions of its own where `apart` is not 0.
struct Axed {
  std::vector<std::size_t> lengths;
  std::vector<float> x, y;
};

Axed axed(const std::string& order, std::int64_t apart) {
  constexpr std::size_t kTokens = 9;
  std::vector<std::int64_t> positions;
  for (std::int64_t row = 0; row < 2; ++row)
    for (std::int64_t t = 0; t < std::int64_t{kTokens}; ++t)
      positions.push_back(5 + t + row * apart);
  Axed array;
  for (const char letter : order)
    array.lengths.push_back(letter == 'B' ? 2 : letter == 'H' ? 3 : letter == 'T' ? kTokens : kDim);
  const ArrayAxes axes(order, array.lengths);
  std::vector<double> numbers(axes.numbers());
  RandomStream(11, 0).fill_normal(numbers);
  array.x.assign(numbers.begin(), numbers.end());
  array.y = rotate_array(default_embedding(kDim, 1e4, PairLayout::half), axes, array.x, positions);
  return array;
}

TEST(TokenAxis, AnyOrderOfNamedAxesIsDiagnosedAlike) {
  for (const std::string order : {"BHTD", "BTHD", "TBHD", "HTBD", "BHDT", "DTHB"}) {
    const Axed array = axed(order, 0);
    const Diagnosis found = diagnose(ArrayAxes(order, array.lengths), array.x, array.y);
    ASSERT_EQ(found.explanations.size(), 1U) << order;
    const Explanation& e = found.explanations.front();
    EXPECT_EQ(name(e.arrangement), "half") << order;
    EXPECT_EQ(e.spectrum().base(), 1e4) << order;
    EXPECT_EQ(e.position_offset, 5) << order;
    EXPECT_EQ(found.verdict, DiagnosisVerdict::unique) << order;
  }
}

TEST(TokenAxis, NamedAxesTakeOnePositionForEachTokenOfEachRow) {
  std::vector<std::int64_t> positions;
  for (const std::int64_t first : {5, 105})
    for (std::int64_t t = 0; t < 9; ++t) positions.push_back(first + t);
  for (const std::string order : {"BHTD", "HTBD"}) {
    const Axed array = axed(order, 100);
    const Diagnosis found = diagnose(ArrayAxes(order, array.lengths), array.x, array.y, positions);
    ASSERT_EQ(found.explanations.size(), 1U) << order;
    EXPECT_EQ(found.explanations.front().position_offset, 0) << order;
    EXPECT_THROW(diagnose(ArrayAxes(order, array.lengths), array.x, array.y, {{1, 2}}), ShapeError);
  }
}

TEST(TokenAxis, HeadsOfOneAxisAreToldApart) {
  const Axed array = axed("BTHD", 0);
  const std::vector<float> x(array.x.begin(), array.x.begin() + 9 * 3 * 64),
      y(array.y.begin(), array.y.begin() + 9 * 3 * 64);
  const Diagnosis found = diagnose(ArrayAxes("T(HD)", {9, 3 * kDim}), x, y);
  ASSERT_EQ(found.explanations.size(), 1U);
  EXPECT_EQ(name(found.explanations.front().arrangement), "half");
  EXPECT_EQ(found.reading.shape, (std::vector<std::size_t>{9, 3, kDim}));
}

}  // namespace
}  // namespace rope
