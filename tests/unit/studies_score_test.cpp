// The score of one q and one k: both sides, its terms, its curve and its grid, against long double
// arithmetic that the library does not use.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>

#include "rope/attention/decay.hpp"
#include "rope/encodings/rope.hpp"
#include "rope/encodings/vectors.hpp"
#include "rope/error.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/studies/score.hpp"
#include "support/classroom.hpp"

namespace rope {
namespace {

using Complex = std::complex<long double>;
using Vector = std::vector<double>;

RotaryEmbedding embedding_of(const Vector& theta, std::size_t head_dim, PairLayout layout,
                             double factor = 1) {
  RotaryEmbedding embedding;
  embedding.head_dim = head_dim;
  embedding.layout = layout;
  embedding.frequencies = given_frequencies(theta);
  embedding.attention_factor = factor;
  return embedding;
}

ScoreVectors random_vectors(RotaryEmbedding embedding, std::uint64_t stream) {
  ScoreVectors vectors{std::move(embedding), {}, {}};
  vectors.q.resize(vectors.embedding.head_dim);
  vectors.k.resize(vectors.embedding.head_dim);
  RandomStream random(7, stream);
  random.fill_normal(vectors.q);
  random.fill_normal(vectors.k);
  return vectors;
}

/// conj(q) k e^{iΔθ} of one pair.
long double term_of(const ScoreVectors& vectors, std::size_t pair, std::int64_t distance) {
  const PairDimensions dims = vectors.embedding.dimensions(pair);
  const auto complex = [&](const std::vector<double>& x) {
    return Complex(static_cast<long double>(x[dims.first]),
                   static_cast<long double>(x[dims.second]));
  };
  const Complex q = complex(vectors.q), k = complex(vectors.k);
  const long double angle = static_cast<long double>(distance) *
                            static_cast<long double>(vectors.embedding.frequencies.theta[pair]);
  const auto factor = static_cast<long double>(vectors.embedding.attention_factor);
  return factor * factor * (std::conj(q) * k * Complex(std::cos(angle), std::sin(angle))).real();
}

/// What a term may be off by: R_Δ k and the scaled q, two products and a sum.
double term_error(const PairTerm& term) { return term.most * (kRotationError + 8 * kRoundoff); }

TEST(ScoreSides, OfTheClassroomExampleAreOneNumber) {
  const ScoreSides sides = score_sides(classroom(), 5, 2);
  const auto exact = static_cast<double>(term_of(classroom(), 0, -3));
  EXPECT_NEAR(exact, -6.911728, 5e-7);
  EXPECT_NEAR(sides.left, exact, sides.difference.bound);
  EXPECT_NEAR(sides.right, exact, sides.difference.bound);
  EXPECT_LT(sides.difference.bound, 1e-13) << "it says something";
  EXPECT_NEAR(sides.shifted, exact, sides.shift.bound);
  EXPECT_EQ(sides.shift.error, std::abs(sides.shifted - sides.left));
  EXPECT_EQ(sides.shifted, score_sides(classroom(), 6, 3).left);
  EXPECT_EQ(sides.difference.error, std::abs(sides.left - sides.right));
  EXPECT_NEAR(sides.wrong_sign, 7.053202, 5e-7);
  EXPECT_TRUE(sides.tells_sign);
  EXPECT_TRUE(sides.agree());
}

TEST(ScoreSides, CannotTellTheSignOfNoDistance) {
  const ScoreSides sides = score_sides(classroom(), 3, 3);
  EXPECT_EQ(sides.right, sides.wrong_sign);
  EXPECT_EQ(sides.right, 1.0 * 3 - 2);
  EXPECT_FALSE(sides.tells_sign);
  EXPECT_TRUE(sides.agree());
}

TEST(ScoreSides, DisagreeOnlyWhereABoundIsExceeded) {
  ScoreSides sides;
  sides.difference = {1, 1};
  sides.shift = {1, 1};
  EXPECT_TRUE(sides.agree());
  sides.difference.error = 1.5;
  EXPECT_FALSE(sides.agree());
  sides.difference.error = 1;
  sides.shift.error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(sides.agree());
}

TEST(ScoreTerms, AddUpToTheScoreAndAreThoseOfComplexNumbers) {
  const std::array embeddings = {embedding_of({0.5}, 2, PairLayout::half),
                                 embedding_of({1, 0.5, 0.125, 0}, 8, PairLayout::interleaved),
                                 embedding_of({1, 0.5, 0.125}, 10, PairLayout::half, 1.25),
                                 embedding_of({0.25, 2}, 6, PairLayout::interleaved, 0.75)};
  for (std::uint64_t i = 0; i < embeddings.size(); ++i)
    for (const std::int64_t distance : {0, -3, 1, 1000, -4096}) {
      const ScoreVectors vectors = random_vectors(embeddings[i], i);
      const ScoreTerms terms = score_terms(vectors, distance);
      EXPECT_EQ(terms.distance, distance);
      ASSERT_EQ(terms.pairs.size(), vectors.embedding.pairs());
      double sum = 0;
      for (const PairTerm& term : terms.pairs) {
        const auto exact = static_cast<double>(term_of(vectors, term.pair, distance));
        EXPECT_NEAR(term.term, exact, term_error(term)) << i << " " << distance;
        EXPECT_LE(std::abs(term.term), term.most + term_error(term));
        EXPECT_EQ(term.theta, vectors.embedding.frequencies.theta[term.pair]);
        sum += term.term;
        EXPECT_EQ(term.sum, sum);
      }
      double passing = 0;
      for (std::size_t d = vectors.embedding.rotary_dim(); d < vectors.q.size(); ++d)
        passing += vectors.q[d] * vectors.k[d];
      EXPECT_EQ(terms.passing, passing);
      const ScoreSides sides = score_sides(vectors, 17, 17 + distance);
      EXPECT_LE(std::abs(terms.score - sides.right), terms.allowed) << i << " " << distance;
      EXPECT_LT(terms.allowed, 1e-13);
      EXPECT_NEAR(terms.faster.sum + terms.slower.sum + passing, terms.score, terms.allowed);
    }
}

TEST(ScoreTerms, MostIsReachedWhereQAndTheTurnedKAreParallel) {
  // k is q turned by 4, so that at Δ = −4 every pair adds all that it can.
  ScoreVectors vectors = random_vectors(embedding_of({1, 0.5, 0.125}, 6, PairLayout::half, 1.5), 9);
  RotaryEmbedding turning = vectors.embedding;
  turning.attention_factor = 1;
  rotate_elementwise(turning, rotation_row(turning, 4), vectors.q, vectors.k);
  for (const PairTerm& term : score_terms(vectors, -4).pairs)
    EXPECT_NEAR(term.term, term.most, term_error(term) + term.most * kRotationError);
}

TEST(ScoreTerms, HalvesThePairsByFrequencyWhateverTheirOrder) {
  const ScoreVectors vectors =
      random_vectors(embedding_of({0.01, 1, 0.1, 2, 0.001}, 10, PairLayout::interleaved), 3);
  const ScoreTerms terms = score_terms(vectors, 5);
  EXPECT_EQ(terms.faster.pairs, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(terms.slower.pairs, (std::vector<std::size_t>{0, 4}));
  EXPECT_EQ(terms.slower.sum, terms.pairs[0].term + terms.pairs[4].term);
  const ScoreTerms one = score_terms(classroom(), 5);
  EXPECT_EQ(one.faster.pairs.size(), 1U);
  EXPECT_TRUE(one.slower.pairs.empty());
}

/// q of ones in 64 pairs, base 10000, and a key made of it.
ScoreVectors ones_with_key(std::int64_t turned_by, double sign) {
  ScoreVectors vectors{default_embedding(128, 10000), Vector(128, 1), Vector(128)};
  rotate_elementwise(vectors.embedding, rotation_row(vectors.embedding, turned_by), vectors.q,
                     vectors.k);
  for (double& value : vectors.k) value *= sign;
  return vectors;
}

std::vector<std::int64_t> distances_to(std::int64_t last) {
  std::vector<std::int64_t> distances;
  for (std::int64_t d = -last; d <= last; ++d) distances.push_back(d);
  return distances;
}

TEST(ScoreCurve, ATurnedKeyIsFoundBestThatManyTokensBack) {
  const std::vector<std::int64_t> distances = distances_to(100);
  const ScoreVectors vectors = ones_with_key(50, 1);
  const ScoreCurve curve = score_curve(vectors, distances);
  ASSERT_EQ(curve.largest, std::vector<std::size_t>{50});
  EXPECT_EQ(distances[curve.largest.front()], -50);
  EXPECT_NEAR(curve.scores[50] / curve.norms, 1, curve.allowed / curve.norms);
  // All pairs of q are of one length: the mean cosine of distance Δ + 50.
  std::vector<std::int64_t> moved = distances;
  for (std::int64_t& distance : moved) distance += 50;
  const Vector cosine = decay_curve(vectors.embedding.frequencies, moved).mean_cosine;
  // Turning k first rounds once more; decay_curve is within 2e-15.
  const double allowed = curve.allowed / curve.norms + kRotationError + 2e-15;
  for (std::size_t i = 0; i < distances.size(); ++i)
    EXPECT_NEAR(curve.scores[i] / curve.norms, cosine[i], allowed) << distances[i];
  EXPECT_NEAR(curve.scores[100] / curve.norms, 0.546, 5e-4) << "claim S4-19";
}

TEST(ScoreCurve, OfTheOppositeKeyRisesWithDistance) {
  const std::vector<std::int64_t> distances = {0, 1, 1000};
  const ScoreCurve curve = score_curve(ones_with_key(0, -1), distances);
  EXPECT_EQ(curve.smallest, std::vector<std::size_t>{0});
  EXPECT_NEAR(curve.scores[0] / curve.norms, -1, curve.allowed / curve.norms);
  EXPECT_NEAR(curve.scores[2] / curve.norms, -0.159, 5e-4) << "claim S4-19";
}

TEST(ScoreCurve, NamesAllPlacesThatRoundingCannotTellApart) {
  const std::vector<std::int64_t> distances = {3, -1, 0, 1, 2, -2};
  const ScoreCurve even = score_curve(ones_with_key(0, 1), distances);
  EXPECT_EQ(even.largest, std::vector<std::size_t>{2});
  const std::vector<std::int64_t> both = {7, 0, -7};
  EXPECT_EQ(score_curve(ones_with_key(0, 1), both).smallest, (std::vector<std::size_t>{2, 0}));
  // Of a vector with itself the direction does not count, whichever way the sums are rounded.
  ScoreVectors itself = random_vectors(default_embedding(64, 10000), 2);
  itself.k = itself.q;
  for (std::int64_t distance = 1; distance <= 40; ++distance) {
    const ScoreCurve ways = score_curve(itself, {distance, -distance});
    EXPECT_EQ(ways.largest, (std::vector<std::size_t>{1, 0})) << distance;
    EXPECT_EQ(ways.smallest, ways.largest) << distance;
  }
  // Nothing turns: the score is the same everywhere, and the nearest distance comes first.
  const ScoreVectors still = random_vectors(embedding_of({0, 0}, 4, PairLayout::half), 1);
  const ScoreCurve flat = score_curve(still, distances);
  EXPECT_EQ(flat.largest, (std::vector<std::size_t>{2, 1, 3, 5, 4, 0}));
  EXPECT_EQ(flat.smallest, flat.largest);
}

TEST(ScoreCurve, IsTheScoreWithItsAttentionFactorAtAnyDistance) {
  const ScoreVectors vectors =
      random_vectors(embedding_of({1, 0.5, 0.125}, 8, PairLayout::half, 1.25), 5);
  const std::vector<std::int64_t> distances = {0, 1, -77, 4096};
  std::size_t told = 0;
  const ScoreCurve curve =
      score_curve(vectors, distances, [&](std::size_t count) { told += count; });
  EXPECT_EQ(told, distances.size());
  for (std::size_t i = 0; i < distances.size(); ++i) {
    const ScoreTerms terms = score_terms(vectors, distances[i]);
    EXPECT_LE(std::abs(curve.scores[i] - terms.score), terms.allowed);
  }
  EXPECT_NO_THROW(score_curve(vectors, {std::numeric_limits<std::int64_t>::min(),
                                        std::numeric_limits<std::int64_t>::max()}));
}

ScoreGridRequest grid_of(const std::vector<std::string>& texts,
                         std::vector<std::int64_t> positions) {
  ScoreGridRequest request;
  request.context.rotary = default_embedding(16, 10000);
  const ScoreVectors vectors = random_vectors(request.context.rotary, 11);
  request.q = vectors.q;
  request.k = vectors.k;
  request.positions = std::move(positions);
  for (const std::string& text : texts) request.encodings.push_back(parse_encoding(text));
  return request;
}

TEST(ScoreGrid, HasConstantDiagonalsIfAndOnlyIfTheEncodingIsRelative) {
  for (const std::vector<std::int64_t>& positions :
       {std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}, {100, 200, 300}, {5, 1'000'005, -999'995}}) {
    const std::vector<GridEncoding> grid =
        score_grid(grid_of({"rope", "sinusoidal", "none"}, positions));
    ASSERT_EQ(grid.size(), 3U);
    EXPECT_FALSE(grid[0].whole.spread.violated());
    EXPECT_TRUE(grid[1].whole.spread.violated());
    EXPECT_GT(grid[1].whole.spread.error, 1e10 * grid[1].whole.spread.bound);
    EXPECT_FALSE(grid[2].whole.spread.violated());
    EXPECT_TRUE(grid[0].terms.empty());
    EXPECT_EQ(grid[1].whole.name, "sinusoidal");
  }
}

TEST(ScoreGrid, OfRopeIsTheScoreOverTheRootOfTheHeadSize) {
  const ScoreGridRequest request = grid_of({"rope"}, {3, 8, -2});
  const GridEncoding grid = score_grid(request).front();
  const ScoreVectors vectors{request.context.rotary, request.q, request.k};
  const double error =
      RopeEncoding(request.context.rotary).score_error(norm(request.q), norm(request.k), 0);
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) {
      const auto at = [&](Eigen::Index t) { return request.positions[static_cast<size_t>(t)]; };
      const ScoreTerms terms = score_terms(vectors, at(j) - at(i));
      EXPECT_NEAR(grid.whole.scores(i, j), terms.score / 4, 2 * error + terms.allowed);
    }
}

TEST(ScoreGrid, ShowsTheFourTermsOfAnAddedEncoding) {
  const ScoreGridRequest request = grid_of({"sinusoidal", "transformer-xl"}, {0, 1, 2, 3, 9});
  for (const GridEncoding& encoding : score_grid(request)) {
    ASSERT_EQ(encoding.terms.size(), 4U);
    RowMatrix sum = RowMatrix::Zero(5, 5);
    for (const ScoreMap& term : encoding.terms) sum += term.scores;
    // Each of the five sums is within half of what two equal scores may differ by.
    const double allowed = 5 * encoding.whole.spread.bound / 2;
    EXPECT_LE((sum - encoding.whole.scores).cwiseAbs().maxCoeff(), allowed);
    EXPECT_FALSE(encoding.terms[0].spread.violated());
    EXPECT_EQ(encoding.terms[0].scores(0, 0), encoding.terms[0].scores(4, 2));
    const bool relative = encoding.named.label == "transformer-xl";
    EXPECT_EQ(!encoding.whole.spread.violated(), relative);
    for (std::size_t t = 1; t < 4; ++t)
      EXPECT_EQ(!encoding.terms[t].spread.violated(), relative) << encoding.terms[t].name;
  }
  const GridEncoding added = score_grid(request).front();
  EXPECT_EQ(added.terms[1].name, "q·W_K p_n");
  EXPECT_EQ(added.terms[1].scores(0, 3), added.terms[1].scores(4, 3)) << "one number a column";
  EXPECT_EQ(added.terms[2].scores(2, 0), added.terms[2].scores(2, 4)) << "one number a row";
}

TEST(ScoreGrid, TellsEqualEncodingsApartByTheirParameters) {
  const std::vector<GridEncoding> grid =
      score_grid(grid_of({"t5:buckets=8", "t5", "alibi"}, {0, 1, 2}));
  EXPECT_EQ(grid[0].named.label, "t5:buckets=8");
  EXPECT_EQ(grid[0].whole.name, "T5 bias buckets=8");
  EXPECT_EQ(grid[2].whole.name, "ALiBi");
}

TEST(Score, RefusesWhatHasNone) {
  const auto with = [](Vector q, Vector k) {
    ScoreVectors vectors = classroom();
    vectors.q = std::move(q);
    vectors.k = std::move(k);
    return vectors;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(score_sides(with({1}, {1, 2}), 0, 0), ShapeError);
  EXPECT_THROW(score_sides(with({1, 2}, {1, nan}), 0, 0), DomainError);
  EXPECT_THROW(score_terms(with({1e200, 0}, {1e200, 0}), 0), DomainError);
  EXPECT_THROW(score_sides(with({1e-200, 1e-200}, {1e-200, 0}), 5, 2), DomainError);
  EXPECT_NO_THROW(score_sides(with({1e-150, 1e-150}, {1e-150, 0}), 5, 2));
  EXPECT_THROW(score_sides(classroom(), std::int64_t{1} << 62, 0), DomainError);
  EXPECT_EQ(score_sides(with({0, 0}, {1, 2}), 5, 2).left, 0);
  EXPECT_THROW(score_curve(with({0, 0}, {1, 2}), {0}), DomainError);
  EXPECT_THROW(score_curve(with({1e-200, 0}, {1e-200, 0}), {0}), DomainError);
  EXPECT_NO_THROW(score_curve(with({1e-130, 0}, {1e-130, 0}), {0}));
  EXPECT_THROW(score_curve(classroom(), {}), DomainError);
  EXPECT_THROW(score_grid(grid_of({"rope"}, {4})), DomainError);
  EXPECT_THROW(score_grid(grid_of({"rope"}, {4, 5, 4})), DomainError);
  ScoreGridRequest request = grid_of({"rope"}, {0, 1});
  request.q.assign(16, 0);
  EXPECT_THROW(score_grid(request), DomainError);
}

}  // namespace
}  // namespace rope
