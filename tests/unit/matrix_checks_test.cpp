#include "rope/verify/matrix_checks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rope/error.hpp"
#include "rope/rotary/rotation.hpp"

namespace rope {
namespace {

/// The checks of a wrong table must fail: this one has one entry moved.
RotationRow moved(RotationRow row, double by) {
  row.sin.back() += by;
  return row;
}

// sin = 1 here, so moving it by x moves the modulus by x.
const RotationRow kQuarterTurn = {{1.0, 0.0}, {0.0, 1.0}};

TEST(MatrixChecks, TheIdentityDeviatesByNothing) {
  const RotationRow identity = rotation_row(default_embedding(128, 10000), 0);
  EXPECT_EQ(check_orthogonality(identity).error, 0.0);
  EXPECT_EQ(check_determinant(identity).error, 0.0);
  EXPECT_EQ(check_inverse(identity).error, 0.0);
  EXPECT_EQ(check_composition(identity, identity, identity).error, 0.0);
}

TEST(MatrixChecks, DeviationsAreMeasuredFarBelowTheRoundingOfADouble) {
  // 1 − 2^-53 is the double below 1; its square is 1 − 2^-52 + 2^-106.
  const RotationRow row = {{0x1.fffffffffffffp-1}, {0.0}};
  const double defect = 0x1p-52 - 0x1p-106;
  EXPECT_EQ(check_orthogonality(row).error, defect);
  EXPECT_EQ(check_determinant(row).error, defect);
  EXPECT_DOUBLE_EQ(check_inverse(row).error, defect / (1 - 0x1p-53));
  // 3/5 and 4/5 as doubles: their squares sum to 1 + 4.44e-17, computed with 40 digits.
  EXPECT_NEAR(check_orthogonality({{0.6}, {0.8}}).error, 4.4408920985006262e-17, 1e-30);
}

TEST(MatrixChecks, TheDeterminantGathersTheDeviationsOfAllPairs) {
  const double entry = 0x1.fffffffffffffp-1;
  const RotationRow row = {{entry, entry, entry}, {0.0, 0.0, 0.0}};
  EXPECT_NEAR(check_determinant(row).error, 3 * (0x1p-52 - 0x1p-106), 1e-30);
  EXPECT_GT(check_determinant(row).bound, 2.9 * check_orthogonality(row).bound);
}

TEST(MatrixChecks, EveryPositionAndDimensionMeetsTheBounds) {
  for (const std::size_t dim : {2U, 8U, 128U, 1024U}) {
    for (const double base : {1.0, 10000.0, 1e9}) {
      const RotaryEmbedding embedding = default_embedding(dim, base);
      for (const std::int64_t n : {1, -7, 4095, 1000003}) {
        const std::int64_t m = 3 * n - 11;
        const RotationRow row_m = rotation_row(embedding, m), row_n = rotation_row(embedding, n);
        EXPECT_FALSE(check_orthogonality(row_n).violated()) << dim << " " << base << " " << n;
        EXPECT_FALSE(check_determinant(row_n).violated()) << dim << " " << base << " " << n;
        EXPECT_FALSE(check_inverse(row_n).violated()) << dim << " " << base << " " << n;
        const RotationRow difference = rotation_row(embedding, n - m);
        EXPECT_FALSE(check_composition(row_m, row_n, difference).violated())
            << dim << " " << base << " " << n;
      }
    }
  }
}

TEST(MatrixChecks, AnEntryThatIsALittleWrongFails) {
  const double wrong = 4 * kCosSinError;  // a moved sine of 1: the modulus moves as much
  EXPECT_FALSE(check_orthogonality(kQuarterTurn).violated());
  EXPECT_TRUE(check_orthogonality(moved(kQuarterTurn, wrong)).violated());
  EXPECT_TRUE(check_inverse(moved(kQuarterTurn, wrong)).violated());
  EXPECT_TRUE(check_determinant(moved(kQuarterTurn, 2 * wrong)).violated());
  EXPECT_TRUE(check_determinant(moved(kQuarterTurn, -2 * wrong)).violated());
}

TEST(MatrixChecks, TheWrongDistanceOrDirectionFails) {
  const RotaryEmbedding embedding = default_embedding(8, 10000);
  const auto row = [&](std::int64_t position) { return rotation_row(embedding, position); };
  EXPECT_FALSE(check_composition(row(2), row(5), row(3)).violated());
  EXPECT_TRUE(check_composition(row(2), row(5), row(4)).violated());
  EXPECT_TRUE(check_composition(row(5), row(2), row(3)).violated());  // m − n
  EXPECT_TRUE(check_composition(row(2), row(5), moved(row(3), 6 * kCosSinError)).violated());
}

TEST(MatrixChecks, ANumberThatIsNoneFails) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const RotationRow& row : {RotationRow{{1, nan}, {0, 0}}, RotationRow{{nan, 1}, {0, 0}}}) {
    EXPECT_TRUE(check_orthogonality(row).violated());
    EXPECT_TRUE(check_determinant(row).violated());
    EXPECT_TRUE(check_inverse(row).violated());
    EXPECT_TRUE(check_composition(row, row, {{1, 1}, {0, 0}}).violated());
  }
}

TEST(MatrixChecks, WithAnAttentionFactorAreThoseOfTheEntriesThatAreWritten) {
  for (const double factor :
       {1.138629436111989, 1.3465735902799727, 0.3, 1e-5, 1e-300, 1e300, 2.0, 0x1p-1000, 3.0}) {
    RotaryEmbedding embedding = default_embedding(64, 1e6);
    embedding.attention_factor = factor;
    double most = 0;
    for (std::int64_t n = 0; n < 2000; n += 7) {
      const RotationRow row = rotation_row(embedding, n), before = rotation_row(embedding, n / 3);
      const RotationRow step = rotation_row(embedding, n - n / 3);
      const Measured orthogonality = check_orthogonality(row, factor);
      EXPECT_FALSE(orthogonality.violated()) << factor << " " << n;
      EXPECT_FALSE(check_determinant(row, factor).violated()) << factor << " " << n;
      EXPECT_FALSE(check_inverse(row, factor).violated()) << factor << " " << n;
      EXPECT_FALSE(check_composition(before, row, step, factor).violated()) << factor << " " << n;
      // The same from the entries themselves, in extended precision.
      const auto wide_factor = static_cast<long double>(factor);
      long double worst = 0;
      for (std::size_t k = 0; k < row.cos.size(); ++k) {
        const long double cos = static_cast<long double>(row.cos[k]) / wide_factor;
        const long double sin = static_cast<long double>(row.sin[k]) / wide_factor;
        worst = std::max(worst, std::abs(cos * cos + sin * sin - 1));
      }
      EXPECT_NEAR(orthogonality.error, static_cast<double>(worst), 1e-18) << factor << " " << n;
      most = std::max(most, orthogonality.error / orthogonality.bound);
    }
    EXPECT_GT(most, 0.2) << factor;  // the bound is not idle
    // A block that is a little wrong is seen at every factor.
    RotationRow wrong = rotation_row(embedding, 0);
    wrong.cos[5] *= 1 + 0x1p-50;
    EXPECT_TRUE(check_orthogonality(wrong, factor).violated()) << factor;
    EXPECT_TRUE(check_inverse(wrong, factor).violated()) << factor;
  }
}

TEST(MatrixChecks, WithAnAttentionFactorHoldOneRoundingMore) {
  RotaryEmbedding embedding = default_embedding(128, 1e6);
  embedding.attention_factor = 1.3465735902799727;
  double largest = 0;
  for (std::int64_t n = 0; n < 20000; ++n) {
    const Measured check =
        check_orthogonality(rotation_row(embedding, n), embedding.attention_factor);
    ASSERT_FALSE(check.violated()) << n << " " << check.error;
    largest = std::max(largest, check.error);
  }
  // More than cos and sin alone may be off: A cos was rounded.
  EXPECT_GT(largest, check_orthogonality(kQuarterTurn).bound);
}

TEST(MatrixChecks, RowsOfDifferentLengthAreRefused) {
  EXPECT_THROW(check_composition({{1}, {0}}, {{1, 1}, {0, 0}}, {{1}, {0}}), ShapeError);
}

}  // namespace
}  // namespace rope
