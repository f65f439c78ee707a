// The identity term by term, and the formulas by which it is written down.
#include "rope/studies/derivation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>

#include "rope/error.hpp"
#include "rope/random/random.hpp"
#include "support/classroom.hpp"

namespace rope {
namespace {

ScoreVectors random_vectors(std::uint64_t stream) {
  RotaryEmbedding embedding = default_embedding(16, 10000, PairLayout::half);
  embedding.head_dim = 18;           // two that pass through
  embedding.attention_factor = 1.5;  // left out
  ScoreVectors vectors{embedding, std::vector<double>(18), std::vector<double>(18)};
  RandomStream random(3, stream);
  random.fill_normal(vectors.q);
  random.fill_normal(vectors.k);
  return vectors;
}

/// Re[Σ q k* e^{i(m−n)θ}] and what passes through, in long double.
double exact_score(const ScoreVectors& vectors, std::int64_t m, std::int64_t n) {
  using Complex = std::complex<long double>;
  long double sum = 0;
  for (std::size_t pair = 0; pair < vectors.embedding.pairs(); ++pair) {
    const PairDimensions dims = vectors.embedding.dimensions(pair);
    const auto complex = [&](const std::vector<double>& x) {
      return Complex(static_cast<long double>(x[dims.first]),
                     static_cast<long double>(x[dims.second]));
    };
    const Complex q = complex(vectors.q), k = complex(vectors.k);
    const auto theta = static_cast<long double>(vectors.embedding.frequencies.theta[pair]);
    sum += (q * std::conj(k) * std::polar(1.0L, static_cast<long double>(m - n) * theta)).real();
  }
  for (std::size_t i = vectors.embedding.rotary_dim(); i < vectors.q.size(); ++i)
    sum += static_cast<long double>(vectors.q[i]) * static_cast<long double>(vectors.k[i]);
  return static_cast<double>(sum);
}

TEST(Derivation, HasTheEightProductsOfTheExample) {
  const PairDerivation derived = derive_pair(classroom(), 0, 5, 2);
  const double cm = std::cos(2.5), sm = std::sin(2.5), cn = std::cos(1.0), sn = std::sin(1.0);
  const std::array expected = {3 * cm * cn,  cm * sn,     -6 * sm * cn, -2 * sm * sn,
                               -2 * cm * cn, 6 * cm * sn, -sm * cn,     3 * sm * sn};
  double sum = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(derived.products[i], expected[i], 1e-14) << i;
    sum += derived.products[i];
  }
  EXPECT_NEAR(sum, -6.911728, 5e-7);
}

TEST(Derivation, ProductsCombineWithTheirPartnersAlone) {
  for (std::uint64_t stream = 0; stream < 100; ++stream) {
    const ScoreVectors vectors = random_vectors(stream);
    const PairDerivation derived = derive_pair(vectors, stream % 8, 40, 3);
    EXPECT_LT(derived.allowed, 1e-13);
    for (std::size_t i = 0; i < kPartners.size(); ++i)
      for (std::size_t partner = 5; partner <= 8; ++partner) {
        const double sum = derived.products[i] + derived.products[partner - 1];
        EXPECT_EQ(std::abs(sum - derived.merged[i]) <= derived.allowed, partner == kPartners[i])
            << i << " and " << partner;
      }
  }
}

TEST(Derivation, RightFormulasAreTheScoreAndWrongOnesAreNot) {
  for (std::uint64_t stream = 0; stream < 50; ++stream) {
    const ScoreVectors vectors = random_vectors(stream);
    const double exact = exact_score(vectors, 40, 3);
    const auto off = [&](ScoreFormula formula) {
      const FormulaScore score = score_by_formula(formula, vectors, 40, 3);
      EXPECT_LT(score.error, 1e-11);
      // θ in double is off by u of itself; 37 turns of it enter the reference.
      return std::abs(score.value - exact) <= score.error + 1e-13;
    };
    for (const auto formula : {ScoreFormula::turned, ScoreFormula::products, ScoreFormula::expanded,
                               ScoreFormula::key_conjugate, ScoreFormula::matrix})
      EXPECT_TRUE(off(formula)) << static_cast<int>(formula);
    for (const auto formula : {ScoreFormula::query_conjugate, ScoreFormula::opposite_matrix})
      EXPECT_FALSE(off(formula)) << static_cast<int>(formula);
  }
  EXPECT_NEAR(score_by_formula(ScoreFormula::opposite_matrix, classroom(), 5, 2).value, 7.053202,
              5e-7);
}

TEST(Derivation, ARecurrenceIsTheRotationIfItBeginsWithNothing) {
  const ScoreVectors vectors = random_vectors(0);
  EXPECT_FALSE(recurrence_beside_rotation(vectors, 0, 2000).violated());
  EXPECT_TRUE(recurrence_beside_rotation(vectors, 1e-9, 10).violated());
  // |e^i − 1| = 2 sin ½ of every pair; what passes through does not turn.
  ScoreVectors turning = classroom();
  EXPECT_NEAR(recurrence_beside_rotation(turning, 1, 50).error, 2 * std::sin(0.5) * std::sqrt(5.0),
              1e-13);
}

TEST(Derivation, RefusesWhatThereIsNot) {
  EXPECT_THROW(derive_pair(classroom(), 1, 5, 2), DomainError);
  EXPECT_THROW(derive_pair(classroom(), 0, (std::int64_t{1} << 61) + 1, 2), DomainError);
  EXPECT_THROW(recurrence_beside_rotation(classroom(), 0, 0), DomainError);
  EXPECT_EQ(score_formula("matrix"), ScoreFormula::matrix);
  EXPECT_EQ(score_formula("no such"), std::nullopt);
}

}  // namespace
}  // namespace rope
