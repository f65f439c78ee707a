// The score with W_Q and W_K: which ways to write it down are RoPE, and which are not.
#include "rope/attention/projections.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "rope/error.hpp"
#include "rope/random/random.hpp"

namespace rope {
namespace {

constexpr std::size_t kDim = 16;

struct Case {
  RotaryEmbedding embedding = default_embedding(kDim, 10000);
  HeadProjections head;
  std::vector<double> x = std::vector<double>(kDim), y = std::vector<double>(kDim);
  std::int64_t m = 0, n = 0;

  explicit Case(std::uint64_t stream) : head(random_projections(kDim, 5, stream)) {
    RandomStream random(6, stream);
    random.fill_normal(x);
    random.fill_normal(y);
    m = random.integer(-5000, 5000);
    n = random.integer(-5000, 5000);
    if (stream % 2 == 1) embedding.layout = PairLayout::half;
  }
  ProjectedScore score(ProjectedForm form, std::int64_t shift = 0) const {
    return projected_score(form, embedding, head, x, m + shift, y, n + shift);
  }
};

bool agree(const ProjectedScore& a, const ProjectedScore& b) {
  return std::abs(a.value - b.value) <= a.error + b.error;
}

TEST(Projections, TheRotationAfterThemIsRelativeAndTheOneBeforeIsNot) {
  for (std::uint64_t stream = 0; stream < 50; ++stream) {
    const Case one(stream);
    for (const std::int64_t shift : {1, 777, -100000}) {
      const ProjectedScore score = one.score(ProjectedForm::turned_after);
      EXPECT_LT(score.error, 1e-11);  // the bound says something
      EXPECT_TRUE(agree(score, one.score(ProjectedForm::turned_after, shift)));
      EXPECT_FALSE(agree(one.score(ProjectedForm::turned_before),
                         one.score(ProjectedForm::turned_before, shift)));
    }
  }
}

TEST(Projections, TheScoreTakesTheTransposeOfTheQuerysMatrix) {
  for (std::uint64_t stream = 0; stream < 50; ++stream) {
    const Case one(stream);
    const ProjectedScore score = one.score(ProjectedForm::turned_after);
    EXPECT_TRUE(agree(score, one.score(ProjectedForm::transposed)));
    EXPECT_FALSE(agree(score, one.score(ProjectedForm::untransposed)));
  }
}

TEST(Projections, AMatrixThatIsItsOwnTransposeNeedsNone) {
  Case one(1);
  one.head.w_q = one.head.w_q + RowMatrix(one.head.w_q.transpose());
  EXPECT_TRUE(
      agree(one.score(ProjectedForm::turned_after), one.score(ProjectedForm::untransposed)));
}

TEST(Projections, RowsTurnTheOtherWayAndAreRelativeToo) {
  for (std::uint64_t stream = 0; stream < 50; ++stream) {
    Case one(stream);
    const ProjectedScore rows = one.score(ProjectedForm::rows);
    EXPECT_TRUE(agree(rows, one.score(ProjectedForm::rows_relative)));
    EXPECT_FALSE(agree(rows, one.score(ProjectedForm::rows_other_order)));
    EXPECT_FALSE(agree(rows, one.score(ProjectedForm::turned_after)));
    // q R_m of a row is R_{−m} q of a column.
    one.m = -one.m;
    one.n = -one.n;
    EXPECT_TRUE(agree(rows, one.score(ProjectedForm::turned_after)));
  }
}

TEST(Projections, AreThoseOfASmallExample) {
  // W_Q x = (5, 2), W_K y = (3, 8), xᵀW_Q = (1, 4): turned by 2.5 and 1 radians.
  RowMatrix w_q(2, 2), w_k(2, 2);
  w_q << 1, 2, 0, 1;
  w_k << 1, 0, 3, 1;
  const HeadProjections head{w_q, w_k};
  RotaryEmbedding embedding;
  embedding.head_dim = 2;
  embedding.frequencies = given_frequencies(std::array{0.5});
  embedding.attention_factor = 2;  // left out
  const std::vector<double> x = {1, 2}, y = {3, -1};
  const auto score = [&](ProjectedForm form) {
    return projected_score(form, embedding, head, x, 5, y, 2).value;
  };
  const double c = std::cos(1.5), s = std::sin(1.5);  // of (m − n)θ
  EXPECT_NEAR(score(ProjectedForm::turned_after), (15 + 16) * c - (6 - 40) * s, 1e-13);
  EXPECT_NEAR(score(ProjectedForm::untransposed), (3 + 32) * c - (12 - 8) * s, 1e-13);
  EXPECT_NEAR(score(ProjectedForm::rows), (15 + 16) * c + (6 - 40) * s, 1e-13);
}

TEST(Projections, RefuseWhatDoesNotFit) {
  Case one(0);
  EXPECT_EQ(projected_form("rows"), ProjectedForm::rows);
  EXPECT_EQ(projected_form("columns"), std::nullopt);
  one.m = (std::int64_t{1} << 61) + 1;
  EXPECT_THROW(one.score(ProjectedForm::turned_after), DomainError);
  one.m = 0;
  one.x.pop_back();
  EXPECT_THROW(one.score(ProjectedForm::turned_after), ShapeError);
  EXPECT_THROW(row_times(one.x, one.head.w_q), ShapeError);
  one = Case(0);
  one.head.w_k.resize(kDim, kDim - 1);
  EXPECT_THROW(one.score(ProjectedForm::rows), ShapeError);
}

}  // namespace
}  // namespace rope
