// What the rotation promises, for random vectors and positions and at the ends of their ranges.
#include "rope/rotary/rotation_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "rope/error.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/mean_rotation.hpp"
#include "rope/rotary/rotation_columns.hpp"
#include "support/exact.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

constexpr std::uint64_t kSeed = 77;
constexpr std::int64_t kTwo53 = std::int64_t{1} << 53;
constexpr double kU = 0x1p-53;  // unit roundoff

// A rotated component of the pair (x, y): kCosSinError in cos and sin, then two products and a sum.
constexpr double kComponentError = kCosSinError + 2.01 * kU;

/// The embeddings that every law is tried on: sizes, layouts, partial rotation.
std::vector<RotaryEmbedding> embeddings() {
  std::vector<RotaryEmbedding> result;
  for (const PairLayout layout : {PairLayout::interleaved, PairLayout::half}) {
    for (const std::size_t head_dim : {2U, 6U, 64U})
      result.push_back(default_embedding(head_dim, 10000, layout));
    RotaryEmbedding partial = default_embedding(32, 25000, layout);
    partial.head_dim = 80;
    result.push_back(partial);
  }
  return result;
}

std::string describe(const RotaryEmbedding& embedding) {
  return std::string(name(embedding.layout)) + ", head_dim " + std::to_string(embedding.head_dim) +
         ", rotary_dim " + std::to_string(embedding.rotary_dim());
}

std::vector<double> random_vector(RandomStream& random, std::size_t size) {
  std::vector<double> result(size);
  random.fill_normal(result);
  return result;
}

Eigen::Map<const Eigen::VectorXd> column(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

template <class Values>
bool same_bits(const Values& a, const Values& b) {
  const auto size = static_cast<std::size_t>(a.size());
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), size * sizeof(double)) == 0;
}

double component_scale(const std::vector<double>& x, PairDimensions pair) {
  return std::abs(x[pair.first]) + std::abs(x[pair.second]);
}

TEST(Rotation, TheMatrixTheElementwiseAndTheComplexFormGiveTheSameBits) {
  SCOPED_TRACE(kSeed);
  RandomStream random(kSeed, 0);
  for (const RotaryEmbedding& embedding : embeddings())
    for (int i = 0; i < 50; ++i) {
      const std::int64_t position = random.integer(-kTwo53, kTwo53) >> (i % 50);
      const RotationRow row = rotation_row(embedding, position);
      const std::vector<double> x = random_vector(random, embedding.head_dim);
      std::vector<double> elementwise(x.size()), complex(x.size()), in_place = x;
      rotate_elementwise(embedding, row, x, elementwise);
      rotate_complex(embedding, row, x, complex);
      rotate_elementwise(embedding, row, in_place, in_place);
      EXPECT_TRUE(same_bits(elementwise, complex)) << describe(embedding) << " at " << position;
      EXPECT_TRUE(same_bits(elementwise, in_place)) << describe(embedding) << " at " << position;
      // The dense product adds exact zeros to the same two products.
      const Eigen::MatrixXd matrix = rotation_matrix(embedding, position);
      for (std::size_t r = 0; r < x.size(); ++r) {
        double sum = 0;
        for (std::size_t c = 0; c < x.size(); ++c)
          sum += matrix(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) * x[c];
        EXPECT_EQ(elementwise[r], sum)
            << describe(embedding) << " at " << position << ", row " << r << ": "
            << test::show(elementwise[r]) << " and " << test::show(sum);
      }
    }
}

TEST(Rotation, ByColumnsIsTheElementwiseForm) {
  for (const RotaryEmbedding& embedding : embeddings()) {
    SCOPED_TRACE(describe(embedding));
    RandomStream random(kSeed, 11);
    for (int trial = 0; trial < 20; ++trial) {
      const std::vector<double> x = random_vector(random, embedding.head_dim);
      const RotationRow row = rotation_row(embedding, random.integer(-100000, 100000));
      std::vector<double> expected(x.size());
      rotate_elementwise(embedding, row, x, expected);
      const RotationColumns columns = rotation_columns(embedding, row);
      EXPECT_EQ(rotate_by_columns(embedding, columns, x), expected);
    }
  }
}

TEST(Rotation, TwoQuarterTurnsAreAMinus) {
  for (const RotaryEmbedding& embedding : embeddings()) {
    SCOPED_TRACE(describe(embedding));
    RandomStream random(kSeed, 12);
    const std::vector<double> x = random_vector(random, embedding.head_dim);
    const std::vector<double> once = quarter_turned(embedding, x);
    const std::vector<double> twice = quarter_turned(embedding, once);
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(twice[i], i < embedding.rotary_dim() ? -x[i] : 0);
    for (std::size_t k = 0; k < embedding.pairs(); ++k) {
      const PairDimensions pair = embedding.dimensions(k);
      EXPECT_EQ(once[pair.second], x[pair.first]);  // the first axis goes to the second
    }
  }
}

TEST(Rotation, ColumnsOfAnotherLengthAreRefused) {
  const RotaryEmbedding embedding = default_embedding(4, 10000);
  const RotationColumns columns = rotation_columns(embedding, rotation_row(embedding, 1));
  EXPECT_THROW(quarter_turned(embedding, std::vector<double>(5)), ShapeError);
  EXPECT_THROW(rotate_by_columns(embedding, columns, std::vector<double>(2)), ShapeError);
  RotationColumns longer = columns;
  longer.sin.push_back(0);
  EXPECT_THROW(rotate_by_columns(embedding, longer, std::vector<double>(4)), ShapeError);
}

TEST(Rotation, ByAMatrixOfVectorsIsRowByRowTheElementwiseForm) {
  SCOPED_TRACE(kSeed);
  RandomStream random(kSeed, 1);
  for (const RotaryEmbedding& embedding : embeddings()) {
    const std::int64_t positions[] = {5, -3, 0, kTwo53};
    RowMatrix x(4, static_cast<Eigen::Index>(embedding.head_dim));
    random.fill_normal({x.data(), static_cast<std::size_t>(x.size())});
    const RowMatrix rotated = rotate(embedding, x, positions);
    for (Eigen::Index t = 0; t < 4; ++t) {
      std::vector<double> expected(embedding.head_dim);
      rotate_elementwise(embedding, rotation_row(embedding, positions[t]),
                         {x.row(t).data(), embedding.head_dim}, expected);
      EXPECT_EQ(std::memcmp(rotated.row(t).data(), expected.data(), 8 * expected.size()), 0)
          << describe(embedding) << " at " << positions[t];
    }
  }
}

TEST(Rotation, ByTheDenseMatrixIsItsProductAndLeavesZeros) {
  SCOPED_TRACE(kSeed);
  RandomStream random(kSeed, 21);
  for (const CpuLevel level : {CpuLevel::baseline, best_cpu_level()}) {
    Eigen::MatrixXd zeros;
    for (const RotaryEmbedding& embedding : embeddings()) {
      const auto d = static_cast<Eigen::Index>(embedding.head_dim);
      Eigen::VectorXd x(d), result(d);
      random.fill_normal({x.data(), embedding.head_dim});
      const RotationRow row = rotation_row(embedding, -77777);
      rotate_dense(embedding, row, {x.data(), embedding.head_dim},
                   {result.data(), embedding.head_dim}, zeros, level);
      EXPECT_EQ(result, rotation_matrix(embedding, row) * x) << describe(embedding);
      EXPECT_EQ(zeros, Eigen::MatrixXd::Zero(d, d)) << describe(embedding);
    }
  }
}

TEST(Rotation, IsOrthogonalWithDeterminantOne) {
  SCOPED_TRACE(kSeed);
  // c² + s² with errors e in c and s: 2e(|c| + |s|) ≤ 2√2e, two products and a sum: 2u.
  constexpr double kTolerance = 2.83 * kCosSinError + 2.01 * kU;
  RandomStream random(kSeed, 2);
  for (const RotaryEmbedding& embedding : embeddings())
    for (int i = 0; i < 20; ++i) {
      const std::int64_t position = random.integer(-kTwo53, kTwo53);
      const Eigen::MatrixXd matrix = rotation_matrix(embedding, position);
      const Eigen::MatrixXd gram = matrix.transpose() * matrix;
      const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(gram.rows(), gram.cols());
      const double defect = (gram - identity).cwiseAbs().maxCoeff();
      EXPECT_LE(defect, kTolerance)
          << describe(embedding) << " at " << position << ": " << test::show(defect);
      for (std::size_t k = 0; k < embedding.pairs(); ++k) {
        const auto x = static_cast<Eigen::Index>(embedding.dimensions(k).first);
        const auto y = static_cast<Eigen::Index>(embedding.dimensions(k).second);
        const double determinant = matrix(x, x) * matrix(y, y) - matrix(x, y) * matrix(y, x);
        EXPECT_LE(std::abs(determinant - 1), kTolerance) << test::show(determinant);
      }
    }
}

TEST(Rotation, OneAfterTheOtherIsTheRotationByTheSum) {
  SCOPED_TRACE(kSeed);
  // Errors e in four entries of two products: 2√2e; e in the other side; two products and a sum.
  constexpr double kTolerance = 3.83 * kCosSinError + 2.01 * kU;
  RandomStream random(kSeed, 3);
  for (const RotaryEmbedding& embedding : embeddings())
    for (int i = 0; i < 20; ++i) {
      const std::int64_t a = random.integer(-kTwo53 / 2, kTwo53 / 2);
      const std::int64_t b = random.integer(-kTwo53 / 2, kTwo53 / 2);
      const Eigen::MatrixXd product = rotation_matrix(embedding, a) * rotation_matrix(embedding, b);
      const double defect = (product - rotation_matrix(embedding, a + b)).cwiseAbs().maxCoeff();
      EXPECT_LE(defect, kTolerance)
          << describe(embedding) << ", " << a << " and " << b << ": " << test::show(defect);
    }
}

TEST(Rotation, BackwardsIsTheTransposeBitForBit) {
  SCOPED_TRACE(kSeed);
  RandomStream random(kSeed, 4);
  for (const RotaryEmbedding& embedding : embeddings())
    for (int i = 0; i < 300; ++i) {
      const std::int64_t position = random.integer(0, std::numeric_limits<std::int64_t>::max());
      const Eigen::MatrixXd forwards = rotation_matrix(embedding, position).transpose();
      EXPECT_TRUE(same_bits(forwards, rotation_matrix(embedding, -position)))
          << describe(embedding) << " at " << position;
    }
}

TEST(Rotation, ScoresDependOnTheDifferenceOfPositionsAlone) {
  SCOPED_TRACE(kSeed);
  RandomStream random(kSeed, 5);
  for (const RotaryEmbedding& embedding : embeddings())
    for (int i = 0; i < 100; ++i) {
      const std::int64_t m = random.integer(-kTwo53 / 2, kTwo53 / 2) >> (i % 50);
      const std::int64_t n = random.integer(-kTwo53 / 2, kTwo53 / 2) >> (i % 50);
      const std::vector<double> q = random_vector(random, embedding.head_dim);
      const std::vector<double> k = random_vector(random, embedding.head_dim);
      const double left = (rotation_matrix(embedding, m) * column(q))
                              .dot(rotation_matrix(embedding, n) * column(k));
      const double right = column(q).dot(rotation_matrix(embedding, n - m) * column(k));
      // With |q_x| + |q_y| = Q and K alike, a pair's part is at most QK. Left: e = kComponentError
      // in each of the rotated components, 2√2·QK·e. Right: √2·QK·e. Both: d roundings of the sum.
      double scale = 0;
      for (std::size_t p = 0; p < embedding.pairs(); ++p)
        scale += component_scale(q, embedding.dimensions(p)) *
                 component_scale(k, embedding.dimensions(p));
      for (std::size_t p = embedding.rotary_dim(); p < embedding.head_dim; ++p)
        scale += std::abs(q[p] * k[p]);
      const auto d = static_cast<double>(embedding.head_dim);
      const double bound = scale * (4.25 * kComponentError + 2.01 * d * kU);
      EXPECT_LE(std::abs(left - right), bound)
          << describe(embedding) << ", m = " << m << ", n = " << n << ": " << test::show(left)
          << " and " << test::show(right);
    }
}

TEST(Rotation, TurnsTheFirstAxisTowardsTheSecond) {
  for (const RotaryEmbedding& embedding : embeddings()) {
    const PairDimensions pair = embedding.dimensions(0);
    std::vector<double> x(embedding.head_dim), rotated(embedding.head_dim);
    x[pair.first] = 1;
    rotate_elementwise(embedding, rotation_row(embedding, 1), x, rotated);
    EXPECT_NEAR(rotated[pair.first], 0.5403023058681398, kCosSinError) << describe(embedding);
    EXPECT_NEAR(rotated[pair.second], 0.8414709848078965, kCosSinError) << describe(embedding);
  }
}

TEST(Rotation, TheLayoutsDifferByAPermutationAlone) {
  SCOPED_TRACE(kSeed);
  RandomStream random(kSeed, 6);
  const RotaryEmbedding interleaved = default_embedding(64, 10000, PairLayout::interleaved);
  const RotaryEmbedding half = default_embedding(64, 10000, PairLayout::half);
  Eigen::MatrixXd permutation = Eigen::MatrixXd::Zero(64, 64);  // interleaved → half
  for (Eigen::Index i = 0; i < 64; ++i) permutation(i / 2 + 32 * (i % 2), i) = 1;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t position = random.integer(-kTwo53, kTwo53);
    const Eigen::MatrixXd expected =
        permutation * rotation_matrix(interleaved, position) * permutation.transpose();
    EXPECT_EQ(rotation_matrix(half, position), expected) << "at " << position;
  }
}

TEST(Rotation, AtPositionZeroChangesNoNumber) {
  SCOPED_TRACE(kSeed);
  RandomStream random(kSeed, 7);
  for (const RotaryEmbedding& embedding : embeddings()) {
    const auto d = static_cast<Eigen::Index>(embedding.head_dim);
    EXPECT_EQ(rotation_matrix(embedding, 0), Eigen::MatrixXd::Identity(d, d));
    RowMatrix x(1, d);
    random.fill_normal({x.data(), embedding.head_dim});
    x(0, 0) = std::numeric_limits<double>::max();
    x(0, 1) = -std::numeric_limits<double>::denorm_min();
    const std::int64_t zero = 0;
    EXPECT_TRUE(same_bits(rotate(embedding, x, {&zero, 1}), x)) << describe(embedding);
  }
}

TEST(Rotation, StaysExactAtTheEndsOfThePositionRange) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const RotaryEmbedding embedding = default_embedding(128, 10000);
  for (const std::int64_t position :
       {kTwo53 - 1, kTwo53, kTwo53 + 1, -kTwo53 + 1, -kTwo53, -kTwo53 - 1, kMin, kMin + 1, kMax}) {
    // θ_i is known to 2^-128 of a turn: 2^-65 of a turn at the ends of the range.
    const double bound = kCosSinError + 2 * 3.15 * 0x1p-65;
    const RotationRow row = rotation_row(embedding, position);
    for (std::size_t k = 0; k < embedding.pairs(); ++k) {
      const test::Exact angle = test::Exact(position) * test::theta(10000, k, 128);
      const double cos_error = abs(cos(angle) - row.cos[k]).convert_to<double>();
      const double sin_error = abs(sin(angle) - row.sin[k]).convert_to<double>();
      EXPECT_LE(cos_error, bound) << position << ", pair " << k << ": " << test::show(row.cos[k]);
      EXPECT_LE(sin_error, bound) << position << ", pair " << k << ": " << test::show(row.sin[k]);
    }
  }
}

TEST(Rotation, ByAFrequencyOfATurnOverAPowerOfTwoIsExactlyPeriodic) {
  RotaryEmbedding embedding = default_embedding(2, 10000);
  for (int power = 1; power <= 62; ++power) {
    embedding.frequencies.turns[0] = {std::uint64_t{1} << (64 - power), 0};
    const std::int64_t period = std::int64_t{1} << power;
    for (const std::int64_t position : {0, 1, 2, 12345}) {
      const RotationRow here = rotation_row(embedding, position);
      const RotationRow later = rotation_row(embedding, position + period);
      EXPECT_TRUE(same_bits(here.cos, later.cos) && same_bits(here.sin, later.sin))
          << position << " and " << period << " later";
    }
  }
}

TEST(ReducedAngles, AreWithinTheStatedErrorOfExact) {
  const Frequencies frequencies = geometric_frequencies(10000, 128);
  for (const std::int64_t position : {0L, 1L, -1L, 12345L, -99999L, kTwo53, kTwo53 * 511}) {
    const std::vector<double> angles = reduced_angles(frequencies, position);
    ASSERT_EQ(angles.size(), 64U);
    for (std::size_t k = 0; k < angles.size(); ++k) {
      const test::Exact exact = test::turns(position * frequencies.turns[k]) * test::two_pi();
      EXPECT_LE(abs(test::Exact(angles[k]) - exact), 1.7e-15) << position << " " << k;
    }
  }
}

TEST(MeanRotation, LeavesWhatTheMeanOfTheMatricesLeaves) {
  const std::vector<std::int64_t> positions = {0, 1, 2, 5, 40, 1000};
  for (const std::size_t dim : {2U, 6U, 64U}) {
    const RotaryEmbedding embedding = default_embedding(dim, 10000);
    const auto size = static_cast<Eigen::Index>(dim);
    Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(size, size);
    for (const std::int64_t m : positions) mean += rotation_matrix(embedding, m);
    mean /= static_cast<double>(positions.size());
    const auto left_by = [&](const Eigen::MatrixXd& one) {
      double squares = 0;
      for (const std::int64_t m : positions)
        squares += (rotation_matrix(embedding, m) - one).squaredNorm();
      return std::sqrt(squares / static_cast<double>(positions.size() * dim));
    };
    const double left = distance_from_mean_rotation(embedding.frequencies, positions);
    EXPECT_NEAR(left, left_by(mean), 1e-14) << dim;
    // Any other matrix leaves more.
    EXPECT_LT(left, left_by(rotation_matrix(embedding, 1))) << dim;
    EXPECT_LT(left, left_by(mean + 0.01 * Eigen::MatrixXd::Identity(size, size))) << dim;
  }
}

TEST(MeanRotation, LeavesNothingOfOnePositionAndAllOfAWholeTurn) {
  const Frequencies frequencies = geometric_frequencies(10000, 128);
  EXPECT_EQ(distance_from_mean_rotation(frequencies, std::vector<std::int64_t>{0}), 0);
  EXPECT_LE(distance_from_mean_rotation(frequencies, std::vector<std::int64_t>{1234}), 4e-7);
  Frequencies quarter = given_frequencies(std::vector<double>{1});
  quarter.turns[0] = {std::uint64_t{1} << 62, 0};
  EXPECT_EQ(distance_from_mean_rotation(quarter, std::vector<std::int64_t>{0, 1, 2, 3}), 1);
  EXPECT_THROW(distance_from_mean_rotation(quarter, {}), ShapeError);
}

TEST(Flops, AreThoseOfTheNumbersThatAreNotZeroAndOfAll) {
  for (const RotaryEmbedding& embedding : embeddings()) {
    const Eigen::MatrixXd matrix = rotation_matrix(embedding, 3);
    const auto entries = static_cast<std::size_t>(matrix.size());
    EXPECT_EQ(matrix_flops(embedding), 2 * entries) << describe(embedding);
    // A product for each entry of a pair that is not zero, and a sum for each of its rows.
    std::size_t operations = 0;
    for (std::size_t k = 0; k < embedding.pairs(); ++k)
      for (const std::size_t row : {embedding.dimensions(k).first, embedding.dimensions(k).second})
        operations += static_cast<std::size_t>(
                          (matrix.row(static_cast<Eigen::Index>(row)).array() != 0).count()) +
                      1;
    EXPECT_EQ(rotation_flops(embedding), operations) << describe(embedding);
  }
}

}  // namespace
}  // namespace rope
