// Which encodings are relative, which only seem so, and that a planted absolute term is seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "rope/attention/decay.hpp"
#include "rope/attention/relative.hpp"
#include "rope/encodings/additive.hpp"
#include "rope/encodings/alibi.hpp"
#include "rope/encodings/encodings.hpp"
#include "rope/encodings/sinusoidal.hpp"
#include "rope/encodings/sinusoidal_formula.hpp"
#include "rope/encodings/transformer_xl.hpp"
#include "rope/error.hpp"
#include "rope/random/random.hpp"

namespace rope {
namespace {

constexpr std::size_t kDim = 64;
constexpr std::int64_t kReach = 40;

EncodingContext context() {
  EncodingContext result;
  result.rotary = default_embedding(kDim, 10000);
  result.trained = 4096;
  result.heads = 8;
  return result;
}

/// With parameters that show within the reach.
std::unique_ptr<PositionEncoding> made(std::string_view name) {
  if (name == "t5") return make_encoding("t5:bidirectional=true", context());
  if (name == "alibi") return make_encoding("alibi:head=3", context());
  if (name == "rerope") return make_encoding("rerope:window=16", context());
  if (name == "leaky-rerope") return make_encoding("leaky-rerope:window=16,leak=4", context());
  return make_encoding(name, context());
}

struct Pair {
  std::vector<double> q, k;
};

Pair random_pair(std::uint64_t stream) {
  Pair pair{std::vector<double>(kDim), std::vector<double>(kDim)};
  RandomStream random(11, stream);
  random.fill_normal(pair.q);
  random.fill_normal(pair.k);
  return pair;
}

/// A list of tokens from each of these positions on.
std::vector<std::vector<std::int64_t>> lists_from(const std::vector<std::int64_t>& shifts) {
  std::vector<std::vector<std::int64_t>> lists;
  for (const std::int64_t shift : shifts) {
    lists.emplace_back(2 * kReach + 1);
    std::iota(lists.back().begin(), lists.back().end(), shift);
  }
  return lists;
}

Difference spread(const PositionEncoding& encoding, std::uint64_t stream = 0) {
  const Pair pair = random_pair(stream);
  return spread_over_lists(encoding, pair.q, pair.k, lists_from({0, 1, 7, 100, 1000, 4000}));
}

class Relative : public testing::TestWithParam<const char*> {};

TEST_P(Relative, ScoresDoNotChangeWhenBothTokensAreShifted) {
  const auto encoding = made(GetParam());
  for (std::uint64_t stream = 0; stream < 10; ++stream) {
    const Difference found = spread(*encoding, stream);
    EXPECT_FALSE(found.violated()) << found.error << " > " << found.bound << " at distance "
                                   << found.distance << ", shift " << found.shift;
    EXPECT_LT(found.bound, 1e-9);  // the bound says something
  }
}

/// An encoding with something absolute added: what a slip of a position would do.
class WithAbsoluteTerm final : public PositionEncoding {
 public:
  WithAbsoluteTerm(const PositionEncoding& encoding, double size, bool of_query)
      : encoding_(encoding), size_(size), of_query_(of_query) {}

  RowMatrix scores(const Tokens& queries, const Tokens& keys) const override {
    RowMatrix result = encoding_.scores(queries, keys);
    for (Eigen::Index i = 0; i < result.rows(); ++i)
      for (Eigen::Index j = 0; j < result.cols(); ++j)
        result(i, j) +=
            size_ * static_cast<double>(of_query_ ? queries.positions[static_cast<std::size_t>(i)]
                                                  : keys.positions[static_cast<std::size_t>(j)]);
    return result;
  }
  double score_error(double q, double k, std::int64_t distance) const override {
    return encoding_.score_error(q, k, distance);
  }
  double unseen_share(std::int64_t trained, std::int64_t length) const override {
    return encoding_.unseen_share(trained, length);
  }
  Cost cost(const ModelShape& shape) const override { return encoding_.cost(shape); }
  std::vector<NumberTable> numbers(std::span<const std::int64_t> at) const override {
    return encoding_.numbers(at);
  }

 private:
  const PositionEncoding& encoding_;
  double size_;
  bool of_query_;
};

TEST_P(Relative, APlantedAbsoluteTermOfOneMillionthATokenIsSeen) {
  const auto encoding = made(GetParam());
  for (const bool of_query : {true, false})
    EXPECT_TRUE(spread(WithAbsoluteTerm(*encoding, 1e-6, of_query)).violated());
  EXPECT_TRUE(spread(WithAbsoluteTerm(*encoding, std::numeric_limits<double>::quiet_NaN(), true))
                  .violated());
}

INSTANTIATE_TEST_SUITE_P(All, Relative,
                         testing::Values("none", "shaw", "transformer-xl", "t5", "alibi", "rope",
                                         "partial-rope", "p-rope", "xpos", "rerope",
                                         "leaky-rerope"));

TEST(Absolute, ScoresOfAdditiveEncodingsChangeByTheSizeOfAScore) {
  for (const char* name : {"sinusoidal", "learned"}) {
    const Difference found = spread(*made(name));
    EXPECT_TRUE(found.violated()) << name;
    EXPECT_GT(found.error, 1) << name;
  }
}

TEST(Absolute, LogNAndBiasesByKeyHoldTheQuerysOwnPlace) {
  EncodingContext short_one = context();
  short_one.trained = 64;
  EXPECT_TRUE(spread(*make_encoding("rerope:window=16,log_n=true", short_one)).violated());
  EXPECT_TRUE(spread(AlibiEncoding(kDim, 8, 3, AlibiBias::key)).violated());
  // Alone with its keys, each query has them at the same distance from the last: only the scores
  // of a whole list show that the last is one and the same.
  EXPECT_TRUE(spread(AlibiEncoding(kDim, 8, 3, AlibiBias::key_from_last)).violated());
}

TEST(Relative, HoldsFarOutWhereTheAnglesAreStillExact) {
  const Pair pair = random_pair(1);
  const auto lists = lists_from({0, 1LL << 20, 1LL << 40, 1LL << 52});
  for (const char* name : {"rope", "partial-rope", "p-rope", "xpos", "rerope", "transformer-xl"}) {
    const auto encoding = made(name);
    EXPECT_FALSE(spread_over_lists(*encoding, pair.q, pair.k, lists).violated()) << name;
  }
}

TEST(Directions, AreToldApartByAllButNoneAndAlibi) {
  const Pair pair = random_pair(2);
  const std::vector<std::int64_t> zero = {0};
  for (const EncodingEntry& entry : encodings()) {
    const Difference found =
        difference_of_directions(shifted_scores(*made(entry.name), pair.q, pair.k, kReach, zero));
    const bool blind = entry.name == "none" || entry.name == "alibi";
    EXPECT_EQ(!found.violated(), blind) << entry.name << ": " << found.error;
  }
}

TEST(Laws, OfDecayAreLinearForAlibiLogarithmicForRopeAndNoneForLearnedOnes) {
  const auto law = [](const char* name) {
    const auto encoding = made(name);
    return decay_law(score_decay(*encoding, kDim, 256, 4096, 16, 3), 1e-12);
  };
  const DecayLaw alibi = law("alibi");
  EXPECT_EQ(alibi.name, "linear");
  EXPECT_NEAR(alibi.slope, -1.0 / 16, 1e-12);
  EXPECT_GT(alibi.fit, 1 - 1e-12);
  const DecayLaw rope = law("rope");
  EXPECT_EQ(rope.name, "logarithmic");
  // The law says √d/ln b a factor e of the distance; the mean cosine swings about it.
  EXPECT_NEAR(rope.slope, -8 / std::log(10000), 0.1 * 8 / std::log(10000));
  EXPECT_EQ(law("none").name, "constant");
  for (const char* name : {"learned", "shaw", "t5"}) EXPECT_EQ(law(name).name, "none") << name;
}

TEST(Laws, OfDecayOfRopeIsTheMeanCosine) {
  const auto encoding = made("rope");
  const ScoreDecay decay = score_decay(*encoding, kDim, 256, 4096, 3, 5);
  const DecayCurve curve = decay_curve(context().rotary.frequencies, decay.distances);
  for (std::size_t i = 0; i < decay.mean.size(); ++i)
    EXPECT_NEAR(decay.mean[i], 8 * (curve.mean_cosine[i] - 1),
                2 * encoding->score_error(8, 8, 0) + 16 * kRoundoff);
}

TEST(Sinusoidal, ProductsOfPositionsFiveApartAreOneNumber) {
  const SinusoidalTable table(64, 10000);
  for (const std::int64_t i : {0, 10, 100, 1000, 100000}) {
    EXPECT_NEAR(dot(table.row(i), table.row(i + 5)), 23.503971, 5e-7) << i;
    EXPECT_NEAR(dot(table.row(i + 5), table.row(i)), 23.503971, 5e-7) << i;
  }
}

TEST(Sinusoidal, ProductsOfPositionsAreRopesMeanCosine) {
  const SinusoidalTable table(64, 10000);
  std::vector<std::int64_t> distances;
  for (std::int64_t distance = 0; distance < 512; ++distance) distances.push_back(distance);
  const DecayCurve curve = decay_curve(geometric_frequencies(10000, 64), distances);
  std::vector<std::vector<double>> rows;
  for (std::int64_t i = 0; i <= 1000 + 511; ++i) rows.push_back(table.row(i));
  double worst = 0;
  for (std::size_t i = 0; i <= 1000; ++i)
    for (std::size_t distance = 0; distance < 512; ++distance)
      worst = std::max(
          worst, std::abs(dot(rows[i], rows[i + distance]) / 32 - curve.mean_cosine[distance]));
  // 64 products in order, each of two entries within 1.1e-16: at most γ_64 and three roundoffs.
  EXPECT_LE(worst, 67 * kRoundoff);
  EXPECT_LE(worst, 3e-15);
  RecordProperty("worst", std::to_string(worst));
}

TEST(Sinusoidal, AShiftIsARotationOfThePair) {
  const SinusoidalTable table(64, 10000);
  const Frequencies& omega = table.frequencies();
  for (const std::int64_t t : {0, 3, 500, 100000}) {
    const std::vector<double> here = table.row(t), there = table.row(t + 7);
    for (std::size_t k = 0; k < omega.pairs(); ++k) {
      const CosSin turn = cos_sin(7 * omega.turns[k]);
      EXPECT_NEAR(there[2 * k], here[2 * k] * turn.cos + here[2 * k + 1] * turn.sin, 8 * kRoundoff);
      EXPECT_NEAR(there[2 * k + 1], here[2 * k + 1] * turn.cos - here[2 * k] * turn.sin,
                  8 * kRoundoff);
    }
  }
}

TEST(Sinusoidal, ProjectionsUndoTheDependenceOnDistanceAlone) {
  const auto table = std::make_shared<SinusoidalTable>(64, 10000);
  const AdditiveEncoding encoding(table, random_matrix(64, 64, 0.125, 1, 0),
                                  random_matrix(64, 64, 0.125, 1, 1));
  // No content at all: W_Q p_m·W_K p_{m+5}.
  std::vector<double> products;
  for (const std::int64_t i : {0, 10, 100, 1000}) {
    const Tokens q{RowMatrix::Zero(1, 64), {i}}, k{RowMatrix::Zero(1, 64), {i + 5}};
    products.push_back(8 * encoding.scores(q, k)(0, 0));
  }
  const auto [low, high] = std::ranges::minmax(products);
  EXPECT_GT(high - low, 1);
}

TEST(FourTerms, AddUpToTheScore) {
  const auto sinusoidal = std::make_shared<SinusoidalTable>(kDim, 10000);
  const RowMatrix w_q = random_matrix(kDim, kDim, 0.125, 2, 0);
  const RowMatrix w_k = random_matrix(kDim, kDim, 0.125, 2, 1);
  const Tokens q{random_matrix(6, kDim, 1, 2, 2), {0, 5, 7, 100, 1000, 31}};
  const Tokens k{random_matrix(6, kDim, 1, 2, 3), {3, 5, 2000, 1, 0, 64}};
  double q_norm = 0, k_norm = 0;
  for (Eigen::Index i = 0; i < 6; ++i) {
    q_norm = std::max(q_norm, norm(row_of(q.vectors, i)));
    k_norm = std::max(k_norm, norm(row_of(k.vectors, i)));
  }
  const auto expect_sum = [&](const FourTerms& terms, const RowMatrix& whole, double error) {
    const RowMatrix sum = terms.content_content + terms.content_position + terms.position_content +
                          terms.position_position;
    EXPECT_LE((sum - whole).cwiseAbs().maxCoeff(), 2 * error);
    EXPECT_GT(terms.position_position.cwiseAbs().maxCoeff(), 0.1);
  };
  const AdditiveEncoding additive(sinusoidal, w_q, w_k);
  expect_sum(additive.terms(q, k), additive.scores(q, k), additive.score_error(q_norm, k_norm, 0));
  const TransformerXlEncoding xl(sinusoidal, w_q, std::vector<double>(kDim, 0.5),
                                 std::vector<double>(kDim, -0.25));
  expect_sum(xl.terms(q, k), xl.scores(q, k), xl.score_error(q_norm, k_norm, 0));
}

TEST(TransformerXl, TheTermsOfPositionAreConstantAlongDiagonals) {
  const auto table = std::make_shared<SinusoidalTable>(kDim, 10000, SinusoidalForm::blocks);
  const std::vector<double> u(kDim, 0.5), v(kDim, -0.25);
  const TransformerXlEncoding xl(table, random_matrix(kDim, kDim, 0.125, 3, 0), u, v);
  RowMatrix same(20, kDim);
  std::vector<std::int64_t> positions;
  for (Eigen::Index t = 0; t < 20; ++t) {
    std::ranges::copy(random_pair(5).q, same.row(t).data());
    positions.push_back(t);
  }
  const FourTerms terms = xl.terms({same, positions}, {same, positions});
  for (Eigen::Index i = 1; i < 20; ++i)
    for (Eigen::Index j = 1; j < 20; ++j) {
      EXPECT_EQ(terms.content_position(i, j), terms.content_position(i - 1, j - 1));
      EXPECT_EQ(terms.position_position(i, j), terms.position_position(i - 1, j - 1));
    }
}

TEST(Sinusoidal, AFormulaIsRightIfEachPairHasOneExponentFromZeroOn) {
  const SinusoidalTable table(kDim, 10000);
  const FormulaTable from_zero(kDim, 10000, {0, 0, -1});
  const FormulaTable from_one(kDim, 10000, {1, -2, -1});
  for (const std::int64_t position : {0, 1, 7, 5000, -3}) {
    const std::vector<double> row = table.row(position);
    EXPECT_EQ(from_zero.row(position), row);
    const std::vector<double> exchanged = from_one.row(position);
    for (std::size_t i = 0; i < kDim; i += 2) {  // the cosine first
      EXPECT_EQ(exchanged[i], row[i + 1]);
      EXPECT_EQ(exchanged[i + 1], row[i]);
    }
  }
  EXPECT_EQ(from_zero.dim(), kDim);
  EXPECT_EQ(from_zero.unseen_share(64, 256), table.unseen_share(64, 256));
}

TEST(Sinusoidal, ExchangedExponentsAreTooFastOrNotRelative) {
  // 10000^(1/D), D = 64.
  const FormulaTable from_zero(kDim, 10000, {0, -1, -2});
  EXPECT_NEAR(from_zero.frequencies().theta[0], 1.154782, 5e-7);
  EXPECT_NEAR(from_zero.row(1)[0], 0.914707, 5e-7);
  EXPECT_NEAR(from_zero.row(1)[1], 0.404118, 5e-7);
  const FormulaTable from_one(kDim, 10000, {1, -1, -2});
  EXPECT_GT(
      std::abs(dot(from_one.row(0), from_one.row(5)) - dot(from_one.row(10), from_one.row(15))),
      0.8);
  EXPECT_THROW(FormulaTable(kDim, 10000, {0, -100, 0}), DomainError);
  EXPECT_THROW(FormulaTable(0, 10000, {}), ShapeError);
  EXPECT_THROW(FormulaTable(kDim, -1, {}), DomainError);
}

}  // namespace
}  // namespace rope
