// How far scores spread along the diagonals of a matrix, by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "rope/attention/relative.hpp"
#include "rope/error.hpp"

namespace rope {
namespace {

/// Whose scores are never asked for, and may be off by one, or by what is said of a distance.
class Stub final : public PositionEncoding {
 public:
  Stub() = default;
  Stub(std::int64_t distance, double error) : errors_{{distance, error}} {}

  RowMatrix scores(const Tokens& /*queries*/, const Tokens& /*keys*/) const override { return {}; }
  double score_error(double q_norm, double k_norm, std::int64_t distance) const override {
    const auto found = errors_.find(distance);
    return q_norm * k_norm * (found == errors_.end() ? 1 : found->second);
  }
  double unseen_share(std::int64_t /*trained*/, std::int64_t /*length*/) const override {
    return 0;
  }
  Cost cost(const ModelShape& /*shape*/) const override { return {}; }
  std::vector<NumberTable> numbers(std::span<const std::int64_t> /*at*/) const override {
    return {};
  }

 private:
  std::map<std::int64_t, double> errors_;
};

const std::vector<std::int64_t> kPositions = {10, 20, 30};

RowMatrix example() {
  RowMatrix scores(3, 3);
  scores << 1, 2, 90,  //
      4, 1, 2,         //
      50, 6, 1.5;
  return scores;
}

TEST(Diagonals, SpreadFromTheSmallestToTheLargestOfTheWorst) {
  const Difference worst = spread_along_diagonals(Stub(), 1, 1, kPositions, example());
  EXPECT_EQ(worst.error, 2);  // 4 and 6
  EXPECT_EQ(worst.bound, 2);
  EXPECT_EQ(worst.distance, -10);
  EXPECT_EQ(worst.shift, 10);
  EXPECT_FALSE(worst.violated());
  EXPECT_TRUE(spread_along_diagonals(Stub(), 0.5, 1, kPositions, example()).violated());
}

TEST(Diagonals, AreComparedBesideTheirBounds) {
  const Difference worst = spread_along_diagonals(Stub(-10, 10), 1, 1, kPositions, example());
  EXPECT_EQ(worst.error, 0.5);  // of 1, 1 and 1.5
  EXPECT_EQ(worst.distance, 0);
  EXPECT_EQ(worst.bound, 2);
}

TEST(Diagonals, LoseNoNan) {
  for (Eigen::Index i = 0; i < 3; ++i) {
    RowMatrix scores = example();
    scores(i, i) = std::numeric_limits<double>::quiet_NaN();
    const Difference worst = spread_along_diagonals(Stub(), 1, 1, kPositions, scores);
    EXPECT_TRUE(std::isnan(worst.error)) << i;
    EXPECT_EQ(worst.distance, 0);
    EXPECT_TRUE(worst.violated());
  }
}

TEST(Diagonals, OfAConstantMatrixDoNotSpread) {
  const Difference worst =
      spread_along_diagonals(Stub(), 1, 1, kPositions, RowMatrix::Constant(3, 3, 7));
  EXPECT_EQ(worst.error, 0);
  EXPECT_FALSE(worst.violated());
  EXPECT_THROW(spread_along_diagonals(Stub(), 1, 1, kPositions, RowMatrix::Constant(3, 2, 7)),
               ShapeError);
}

TEST(Copies, StandAtTheirPositions) {
  const std::vector<double> x = {1, -2};
  const Tokens tokens = copies_at(x, {4, -1, 0});
  ASSERT_EQ(tokens.vectors.rows(), 3);
  EXPECT_EQ(tokens.vectors(2, 1), -2);
  EXPECT_EQ(tokens.positions, (std::vector<std::int64_t>{4, -1, 0}));
}

}  // namespace
}  // namespace rope
