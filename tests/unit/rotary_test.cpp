// What the rotary layer's functions return for inputs that can be worked out by hand, and what they
// refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "rope/error.hpp"
#include "rope/rotary/rotation_matrix.hpp"
#include "rope/rotary/rotation_table.hpp"

namespace rope {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr TurnFraction kQuarterTurn = {std::uint64_t{1} << 62, 0};

/// Runs `action` and expects an Error of type E whose message holds all the texts.
template <class E, class Action>
void expect_error(Action action, std::initializer_list<std::string> texts) {
  try {
    action();
    ADD_FAILURE() << "expected an error that says " << *texts.begin();
  } catch (const E& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_input);
    for (const std::string& text : texts)
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos)
          << "'" << error.what() << "' lacks '" << text << "'";
  }
}

TEST(Layout, InterleavedPairsNeighboursAndHalfPairsTheHalves) {
  EXPECT_EQ(pair_dimensions(PairLayout::interleaved, 3, 8).first, 6U);
  EXPECT_EQ(pair_dimensions(PairLayout::interleaved, 3, 8).second, 7U);
  EXPECT_EQ(pair_dimensions(PairLayout::half, 3, 8).first, 3U);
  EXPECT_EQ(pair_dimensions(PairLayout::half, 3, 8).second, 7U);
}

TEST(Layout, NamesReadBackAndNothingElseDoes) {
  for (const PairLayout layout : {PairLayout::interleaved, PairLayout::half})
    EXPECT_EQ(pair_layout(name(layout)), layout);
  EXPECT_EQ(name(PairLayout::interleaved), "interleaved");
  EXPECT_EQ(name(PairLayout::half), "half");
  for (const char* other : {"", "Half", "half ", "neox"}) EXPECT_FALSE(pair_layout(other)) << other;
}

TEST(CpuLevel, HasANameForEachLevelAndRunsTheBestOne) {
  EXPECT_EQ(name(CpuLevel::baseline), "baseline");
  EXPECT_EQ(name(CpuLevel::v3), "v3");
  EXPECT_EQ(name(CpuLevel::v4), "v4");
  EXPECT_EQ(best_cpu_level(), best_cpu_level());
}

TEST(Turns, QuarterTurnsGiveExactlyZeroAndOne) {
  EXPECT_EQ(cos_sin(TurnFraction{}), (CosSin{1, 0}));
  EXPECT_EQ(cos_sin(kQuarterTurn), (CosSin{0, 1}));
  EXPECT_EQ(cos_sin(2 * kQuarterTurn), (CosSin{-1, 0}));
  EXPECT_EQ(cos_sin(3 * kQuarterTurn), (CosSin{0, -1}));
}

TEST(Turns, AnEighthOfATurnGivesTheHalfOfRootTwoInEveryQuadrant) {
  const double root = std::numbers::sqrt2 / 2;
  const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (int quadrant = 0; quadrant < 4; ++quadrant) {
    const CosSin got = cos_sin((2 * quadrant + 1) * TurnFraction{std::uint64_t{1} << 61, 0});
    EXPECT_NEAR(got.cos, signs[quadrant][0] * root, kCosSinError) << quadrant;
    EXPECT_NEAR(got.sin, signs[quadrant][1] * root, kCosSinError) << quadrant;
  }
}

TEST(Turns, MinusAFractionIsTheRestOfTheTurn) {
  EXPECT_EQ(-TurnFraction{}, TurnFraction{});
  EXPECT_EQ(-kQuarterTurn, 3 * kQuarterTurn);
  EXPECT_EQ(-(TurnFraction{0, 1}), (TurnFraction{~std::uint64_t{0}, ~std::uint64_t{0}}));
}

TEST(Turns, RefuseResultsOfAnotherLength) {
  const std::vector<std::uint64_t> turns(3);
  std::vector<double> three(3), two(2);
  expect_error<ShapeError>([&] { cos_sin(turns, three, two); }, {"expected 3", "got 3 and 2"});
  expect_error<ShapeError>([&] { cos_sin(turns, two, three); }, {"expected 3", "got 2 and 3"});
}

TEST(Frequencies, OfTheSmallestSizesAreWorkedOutByHand) {
  const Frequencies two = geometric_frequencies(10000, 2);
  EXPECT_EQ(two.theta, std::vector<double>{1.0});
  EXPECT_EQ(two.wavelength, std::vector<double>{2 * std::numbers::pi});
  const Frequencies eight = geometric_frequencies(10000, 8);
  EXPECT_EQ(eight.theta, (std::vector<double>{1.0, 0.1, 0.01, 0.001}));
  EXPECT_EQ(eight.pairs(), 4U);
}

TEST(Frequencies, OfBaseOneAreAllOne) {
  EXPECT_EQ(geometric_frequencies(1, 6).theta, (std::vector<double>{1, 1, 1}));
}

TEST(Frequencies, OfABaseBelowOneGrowWithThePair) {
  EXPECT_EQ(geometric_frequencies(1.0 / 16, 4).theta, (std::vector<double>{1, 4}));
}

TEST(Frequencies, ZeroIsAPairThatNeverTurns) {
  const std::vector<double> zero = {0.0};
  const Frequencies frequencies = given_frequencies(zero);
  EXPECT_EQ(frequencies.theta, zero);
  EXPECT_EQ(frequencies.wavelength, std::vector<double>{kInfinity});
  EXPECT_EQ(frequencies.turns[0], TurnFraction{});
}

TEST(Frequencies, RefuseASizeThatIsNotEvenOrOutOfRange) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7}, kMaxRotaryDim + 2,
                                 std::numeric_limits<std::size_t>::max()}) {
    expect_error<ShapeError>([&] { geometric_frequencies(10000, size); },
                             {"even integer from 2 to 65536", "got " + std::to_string(size)});
    expect_error<ShapeError>([&] { power_frequencies(1, size); }, {"got " + std::to_string(size)});
  }
}

TEST(Frequencies, RefuseABaseThatIsNotAPositiveNumber) {
  for (const double base : {0.0, -0.0, -1.0, kInfinity, -kInfinity, kNan})
    expect_error<DomainError>([&] { geometric_frequencies(base, 8); },
                              {"finite number above 0", "got " + number_text(base)});
}

TEST(Frequencies, RefuseValuesThatLeaveTheRangeAndNameThePair) {
  expect_error<DomainError>([] { geometric_frequencies(5e-324, 4); },
                            {"pair 1", "2^-1000 to 2^64", "e+161"});
  EXPECT_EQ(geometric_frequencies(5e-324, 2).theta, std::vector<double>{1.0});
  EXPECT_EQ(geometric_frequencies(1e300, 4096).pairs(), 2048U);
  expect_error<DomainError>(
      [] {
        given_frequencies(std::vector<double>{1.0, -1.0});
      },
      {"pair 1", "2^-1000 to 2^64", "got -1"});
  expect_error<DomainError>([] { given_frequencies(std::vector<double>{0x1.1p64}); }, {"pair 0"});
  expect_error<DomainError>([] { given_frequencies(std::vector<double>{0x1p-1001}); }, {"pair 0"});
  for (const double value : {kNan, kInfinity, -kInfinity})
    expect_error<DomainError>(
        [&] {
          given_frequencies(std::vector<double>{1.0, value});
        },
        {"finite", "got " + std::to_string(value)});
}

TEST(Frequencies, RefuseAListOfNoneOrOfTooMany) {
  expect_error<ShapeError>([] { given_frequencies({}); }, {"1 to 32768", "got 0"});
  expect_error<ShapeError>([] { given_frequencies(std::vector<double>(32769, 1.0)); },
                           {"1 to 32768", "got 32769"});
}

TEST(Frequencies, RefuseAPowerThatNamesNoFamily) {
  for (const int power : {0, 3, -1})
    expect_error<DomainError>([&] { power_frequencies(power, 8); },
                              {"1 (linear) or 2 (quadratic)", "got " + std::to_string(power)});
}

TEST(Embedding, RotatesEveryDimensionByDefault) {
  const RotaryEmbedding embedding = default_embedding(8, 500000, PairLayout::half);
  EXPECT_EQ(embedding.head_dim, 8U);
  EXPECT_EQ(embedding.rotary_dim(), 8U);
  EXPECT_EQ(embedding.pairs(), 4U);
  EXPECT_EQ(embedding.base, 500000);
  EXPECT_EQ(embedding.attention_factor, 1.0);
  EXPECT_EQ(embedding.scaling.rule, "default");
  EXPECT_EQ(embedding.dimensions(1).second, 5U);
  EXPECT_THROW(default_embedding(7, 10000), ShapeError);
}

/// Two pairs that turn a quarter and a half turn a token, in a head of five dimensions.
RotaryEmbedding quarter_turns(PairLayout layout) {
  RotaryEmbedding embedding = default_embedding(4, 10000, layout);
  embedding.head_dim = 5;
  embedding.frequencies.turns = {kQuarterTurn, 2 * kQuarterTurn};
  return embedding;
}

TEST(Rotation, ByQuarterTurnsMovesTheNumbersOfEachPair) {
  const std::vector<double> x = {1, 2, 3, 4, 5};
  std::vector<double> y(5);
  RotaryEmbedding embedding = quarter_turns(PairLayout::interleaved);
  rotate_elementwise(embedding, rotation_row(embedding, 1), x, y);
  EXPECT_EQ(y, (std::vector<double>{-2, 1, -3, -4, 5}));
  embedding = quarter_turns(PairLayout::half);
  rotate_complex(embedding, rotation_row(embedding, 1), x, y);
  EXPECT_EQ(y, (std::vector<double>{-3, -2, 1, -4, 5}));
  rotate_complex(embedding, rotation_row(embedding, -1), x, y);
  EXPECT_EQ(y, (std::vector<double>{3, -2, -1, -4, 5}));
}

TEST(Rotation, TheMatrixOfQuarterTurnsIsWrittenOut) {
  Eigen::MatrixXd expected(5, 5);
  expected << 0, -1, 0, 0, 0,  //
      1, 0, 0, 0, 0,           //
      0, 0, -1, 0, 0,          //
      0, 0, 0, -1, 0,          //
      0, 0, 0, 0, 1;
  EXPECT_EQ(rotation_matrix(quarter_turns(PairLayout::interleaved), 1), expected);
}

TEST(Rotation, TheAttentionFactorScalesWhatIsRotatedAndNothingElse) {
  RotaryEmbedding embedding = quarter_turns(PairLayout::interleaved);
  embedding.attention_factor = 2;
  const std::vector<double> x = {1, 2, 3, 4, 5};
  std::vector<double> y(5);
  rotate_elementwise(embedding, rotation_row(embedding, 1), x, y);
  EXPECT_EQ(y, (std::vector<double>{-4, 2, -6, -8, 5}));
  EXPECT_EQ(rotation_row(embedding, 0).cos, (std::vector<double>{2, 2}));
}

TEST(Rotation, NanAndInfinityStayInTheirPair) {
  const RotaryEmbedding embedding = default_embedding(8, 10000);
  RowMatrix x = RowMatrix::Ones(1, 8);
  x(0, 2) = kNan;
  x(0, 5) = kInfinity;
  const std::int64_t position = 3;
  const RowMatrix y = rotate(embedding, x, {&position, 1});
  for (const Eigen::Index i : {2, 3}) EXPECT_TRUE(std::isnan(y(0, i))) << i;
  for (const Eigen::Index i : {4, 5}) EXPECT_FALSE(std::isfinite(y(0, i))) << i;
  for (const Eigen::Index i : {0, 1, 6, 7}) EXPECT_TRUE(std::isfinite(y(0, i))) << i;
}

TEST(Rotation, OfNoTokensHasNoRows) {
  const RowMatrix y = rotate(default_embedding(8, 10000), RowMatrix(0, 8), {});
  EXPECT_EQ(y.rows(), 0);
  EXPECT_EQ(y.cols(), 8);
}

TEST(Rotation, RefusesSizesThatDisagree) {
  const RotaryEmbedding embedding = default_embedding(8, 10000);
  const RotationRow row = rotation_row(embedding, 1);
  std::vector<double> eight(8), seven(7);
  const std::vector<std::int64_t> positions(2);
  expect_error<ShapeError>([&] { rotate_elementwise(embedding, row, seven, eight); },
                           {"head_dim = 8", "got 7 and 8"});
  expect_error<ShapeError>([&] { rotate_complex(embedding, row, eight, seven); },
                           {"head_dim = 8", "got 8 and 7"});
  expect_error<ShapeError>([&] { rotate(embedding, RowMatrix(2, 6), positions); },
                           {"2 rows of 8", "2 rows of 6"});
  expect_error<ShapeError>([&] { rotate(embedding, RowMatrix(3, 8), positions); },
                           {"2 rows of 8", "3 rows of 8"});
  const RotationRow short_row = {{1, 1}, {0, 0}};
  expect_error<ShapeError>([&] { rotation_matrix(embedding, short_row); }, {"4 cosines", "got 2"});
}

TEST(Rotation, RefusesAHeadSmallerThanWhatIsRotated) {
  RotaryEmbedding embedding = default_embedding(8, 10000);
  embedding.head_dim = 6;
  std::vector<double> x(6), y(6);
  expect_error<ShapeError>([&] { rotation_matrix(embedding, 1); }, {"head_dim = 6", "got 8"});
  expect_error<ShapeError>([&] { rotate_elementwise(embedding, rotation_row(embedding, 1), x, y); },
                           {"head_dim = 6", "got 8"});
}

TEST(RotationTable, HoldsTheRowOfEachPositionOneAfterTheOther) {
  RotaryEmbedding embedding = default_embedding(8, 10000);
  embedding.attention_factor = 1.25;
  const std::vector<std::int64_t> positions = {0, 7, -7, 131071};
  const RotationTable<double> table = rotation_table<double>(embedding, positions);
  EXPECT_EQ(table.positions, 4U);
  EXPECT_EQ(table.pairs, 4U);
  ASSERT_EQ(table.cos.size(), 16U);
  ASSERT_EQ(table.sin.size(), 16U);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const RotationRow row = rotation_row(embedding, positions[i]);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(table.cos[i * 4 + k], row.cos[k]) << i << " " << k;
      EXPECT_EQ(table.sin[i * 4 + k], row.sin[k]) << i << " " << k;
    }
  }
  EXPECT_EQ(table.cos[0], 1.25) << "position 0 turns nothing";
  EXPECT_EQ(table.sin[0], 0);
}

TEST(RotationTable, OfFloatsIsTheNearestFloat) {
  const RotaryEmbedding embedding = default_embedding(64, 500000);
  const std::vector<std::int64_t> positions = {1, 4095, 131071};
  const RotationTable<double> exact = rotation_table<double>(embedding, positions);
  const RotationTable<float> table = rotation_table<float>(embedding, positions);
  ASSERT_EQ(table.cos.size(), exact.cos.size());
  for (std::size_t i = 0; i < table.cos.size(); ++i) {
    EXPECT_EQ(table.cos[i], static_cast<float>(exact.cos[i])) << i;
    EXPECT_EQ(table.sin[i], static_cast<float>(exact.sin[i])) << i;
  }
}

TEST(RotationTable, OfNoPositionsIsEmpty) {
  const RotationTable<float> table = rotation_table<float>(default_embedding(8, 10000), {});
  EXPECT_EQ(table.pairs, 4U);
  EXPECT_TRUE(table.cos.empty());
  EXPECT_TRUE(table.sin.empty());
}

}  // namespace
}  // namespace rope
