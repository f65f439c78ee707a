// What attention does to an order of tokens, without and with positions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

#include "rope/attention/exponential.hpp"
#include "rope/attention/layers.hpp"
#include "rope/attention/rounding.hpp"
#include "rope/attention/softmax.hpp"
#include "rope/encodings/alibi.hpp"
#include "rope/encodings/none.hpp"
#include "rope/encodings/rope.hpp"
#include "rope/encodings/sinusoidal.hpp"
#include "rope/error.hpp"
#include "rope/random/random.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

constexpr std::size_t kDim = 32;
constexpr Eigen::Index kTokens = 12;

std::vector<std::int64_t> counted(std::int64_t from, Eigen::Index count = kTokens) {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), from);
  return positions;
}

/// Row t of the result is row order[t].
RowMatrix permuted(const RowMatrix& x, std::span<const Eigen::Index> order) {
  RowMatrix result(x.rows(), x.cols());
  for (Eigen::Index t = 0; t < x.rows(); ++t)
    result.row(t) = x.row(order[static_cast<std::size_t>(t)]);
  return result;
}

/// P A Pᵀ.
RowMatrix permuted_both(const RowMatrix& a, std::span<const Eigen::Index> order) {
  const RowMatrix rows = permuted(a, order);
  return permuted(rows.transpose(), order).transpose();
}

constexpr std::array<Eigen::Index, kTokens> kOrder = {5, 2, 11, 0, 8, 1, 10, 3, 7, 4, 9, 6};

struct Sentence {
  RowMatrix x = random_matrix(kTokens, kDim, 1, 21, 0);
  RowMatrix w_q = random_matrix(kDim, kDim, std::sqrt(1.0 / kDim), 21, 1);
  RowMatrix w_k = random_matrix(kDim, kDim, std::sqrt(1.0 / kDim), 21, 2);

  RowMatrix weights(const PositionEncoding& encoding, const RowMatrix& tokens, Mask mask,
                    std::int64_t from = 0) const {
    const Tokens hidden{tokens, counted(from)};
    return attention_weights(encoding, project(w_q, hidden), project(w_k, hidden), mask);
  }
};

/// ‖A(PX) − P A(X) Pᵀ‖ by its largest entry.
double equivariance_error(const PositionEncoding& encoding, Mask mask) {
  const Sentence s;
  const RowMatrix shuffled = s.weights(encoding, permuted(s.x, kOrder), mask);
  return (shuffled - permuted_both(s.weights(encoding, s.x, mask), kOrder)).cwiseAbs().maxCoeff();
}

TEST(Attention, IsPermutationEquivariantWithoutMaskAndPositions) {
  // The scores are the same bits in another order; only the sum below each weight is rounded
  // differently, by γ_{n−1} on each side, and each weight by the division: of at most 1.
  const double allowed = 2 * (kTokens + 1) * kRoundoff;
  const double error = equivariance_error(NoEncoding(kDim), Mask::none);
  EXPECT_LE(error, allowed);
  // It is not invariant: A(PX) is another matrix than A(X).
  const Sentence s;
  const NoEncoding none(kDim);
  EXPECT_GT((s.weights(none, permuted(s.x, kOrder), Mask::none) - s.weights(none, s.x, Mask::none))
                .cwiseAbs()
                .maxCoeff(),
            0.1);
}

TEST(Attention, AMaskOrAnEncodingBreaksTheEquivariance) {
  EXPECT_GT(equivariance_error(NoEncoding(kDim), Mask::causal), 0.1);
  EXPECT_GT(equivariance_error(RopeEncoding(default_embedding(kDim, 10000)), Mask::none), 0.1);
  EXPECT_GT(equivariance_error(AlibiEncoding(kDim, 8, 0), Mask::none), 0.1);
}

TEST(Attention, AFixedQuerySeesABagOfWords) {
  const Sentence s;
  const NoEncoding none(kDim);
  const Tokens query = project(s.w_q, {s.x.topRows(1), {0}});
  const auto output = [&](const RowMatrix& tokens) {
    const RowMatrix weights =
        attention_weights(none, query, project(s.w_k, {tokens, counted(0)}), Mask::none);
    return weighted_values(weights, tokens);
  };
  // Twelve weights that add up to 1, each within (n + 4)u, and a sum of n products of entries.
  const double allowed = 2 * 2 * (kTokens + 4) * kRoundoff * s.x.cwiseAbs().maxCoeff();
  EXPECT_LE((output(permuted(s.x, kOrder)) - output(s.x)).cwiseAbs().maxCoeff(), allowed);
}

TEST(Softmax, RowsAddUpToOneAndHiddenKeysWeighNothing) {
  const Sentence s;
  const RowMatrix weights = s.weights(NoEncoding(kDim), s.x, Mask::causal);
  for (Eigen::Index i = 0; i < kTokens; ++i) {
    EXPECT_NEAR(weights.row(i).sum(), 1, 2 * kTokens * kRoundoff);
    for (Eigen::Index j = i + 1; j < kTokens; ++j) EXPECT_EQ(weights(i, j), 0);
  }
  EXPECT_EQ(weights(0, 0), 1);
  RowMatrix huge(1, 3);
  huge << 1e300, -1e300, 1e300;
  EXPECT_EQ(softmax(huge)(0, 0), 0.5);
  EXPECT_EQ(softmax(huge)(0, 1), 0);
  huge << 1, std::nan(""), 2;
  EXPECT_TRUE(std::isnan(softmax(huge)(0, 0)));
  EXPECT_THROW(weighted_values(huge, RowMatrix::Ones(2, 2)), ShapeError);
  EXPECT_THROW(apply_mask(Mask::causal, counted(0, 2), counted(0, 3), huge), ShapeError);
}

TEST(Exponential, IsWithinTheStatedErrorOfSixtyFourBits) {
  RandomStream random(31, 0);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = -708 + 1417 * (static_cast<double>(random.bits() >> 11) * 0x1p-53);
    const long double exact = std::exp(static_cast<long double>(x));
    worst = std::max(
        worst,
        static_cast<double>(std::abs((static_cast<long double>(exponential(x)) - exact) / exact)));
  }
  EXPECT_LE(worst, 2.5e-16) << test::show(worst);
  EXPECT_EQ(exponential(0), 1);
  EXPECT_EQ(exponential(-std::numeric_limits<double>::infinity()), 0);
  EXPECT_EQ(exponential(-746), 0);
  EXPECT_GT(exponential(-745), 0);
  EXPECT_EQ(exponential(710), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(exponential(std::nan(""))));
}

TEST(Alibi, WeightsOfEqualContentsFallByTheSlopeAToken) {
  const AlibiEncoding encoding(kDim, 8, 3);  // slope 1/16
  const Tokens same{RowMatrix::Ones(64, kDim), counted(0, 64)};
  const RowMatrix weights = attention_weights(encoding, same, same, Mask::causal);
  for (Eigen::Index j = 1; j < 64; ++j)
    EXPECT_NEAR(weights(63, j - 1) / weights(63, j), 0.939413, 5e-7) << j;
}

TEST(Alibi, AllThreeConventionsGiveTheSameWeights) {
  const Sentence s;
  const RowMatrix paper = s.weights(AlibiEncoding(kDim, 8, 2), s.x, Mask::causal, 100);
  for (const AlibiBias bias : {AlibiBias::key, AlibiBias::key_from_last}) {
    const AlibiEncoding other(kDim, 8, 2, bias);
    const RowMatrix weights = s.weights(other, s.x, Mask::causal, 100);
    // Scores up to 20 and biases up to 14, each rounded twice: the exponents differ by no more.
    const double score = 4 * kRoundoff * (20 + 14);
    EXPECT_LE((weights - paper).cwiseAbs().maxCoeff(), 2 * score + 2 * (kTokens + 4) * kRoundoff);
  }
}

RowMatrix ten_equal_tokens() {
  RowMatrix x(10, kDim);
  const RowMatrix one = random_matrix(1, kDim, 1, 41, 0);
  for (Eigen::Index t = 0; t < 10; ++t) x.row(t) = one.row(0);
  return x;
}

/// The largest difference of two rows.
double apart(const RowMatrix& x) {
  double worst = 0;
  for (Eigen::Index t = 1; t < x.rows(); ++t)
    worst = std::max(worst, (x.row(t) - x.row(0)).cwiseAbs().maxCoeff());
  return worst;
}

TEST(Layers, TenEqualTokensStayEqualThroughSixRopeLayers) {
  const auto rope = std::make_shared<RopeEncoding>(default_embedding(kDim, 10000));
  const std::vector<AttentionLayer> layers = random_layers(6, kDim, rope, 42);
  const Tokens tokens{ten_equal_tokens(), counted(0, 10)};
  const double allowed = equal_token_drift(layers, 10, norm(row_of(tokens.vectors, 0))).back();
  EXPECT_LT(allowed, 1e-8);
  for (const Mask mask : {Mask::none, Mask::causal}) {
    const double worst = apart(run_layers(layers, tokens, mask));
    EXPECT_LE(worst, allowed);
    EXPECT_LT(worst, 1e-13);  // the size that others measured: rounding, not drift
  }
}

TEST(Layers, PositionsAddedOnceAtTheInputTellTheTokensApart) {
  const auto none = std::make_shared<NoEncoding>(kDim);
  const std::vector<AttentionLayer> layers = random_layers(6, kDim, none, 42);
  const SinusoidalTable table(kDim, 10000);
  Tokens tokens{ten_equal_tokens(), counted(0, 10)};
  for (Eigen::Index t = 0; t < 10; ++t) {
    const std::vector<double> row = table.row(t);
    for (std::size_t c = 0; c < kDim; ++c)
      tokens.vectors(t, static_cast<Eigen::Index>(c)) += row[c];
  }
  EXPECT_GT(apart(run_layers(layers, tokens, Mask::none)), 1);
}

TEST(Layers, RopeInOneLayerOfSixTellsOrdersApart) {
  const auto none = std::make_shared<NoEncoding>(kDim);
  const auto rope = std::make_shared<RopeEncoding>(default_embedding(kDim, 10000));
  const Sentence s;
  const auto order_seen = [&](std::span<const AttentionLayer> layers) {
    const RowMatrix out = run_layers(layers, {s.x, counted(0)}, Mask::none);
    const RowMatrix shuffled = run_layers(layers, {permuted(s.x, kOrder), counted(0)}, Mask::none);
    return (shuffled - permuted(out, kOrder)).cwiseAbs().maxCoeff();
  };
  std::vector<AttentionLayer> layers = random_layers(6, kDim, none, 43);
  EXPECT_LT(order_seen(layers), 1e-12);  // NoPE layers all the way: a bag of words
  for (std::size_t layer = 0; layer < 6; ++layer) {
    layers = random_layers(6, kDim, none, 43);
    layers[layer].encoding = rope;
    EXPECT_GT(order_seen(layers), 1e-3) << layer;
  }
}

TEST(Layers, RotatingTheValuesBreaksTheInvarianceUnderShiftsUntilTheyAreTurnedBack) {
  const auto rope = std::make_shared<RopeEncoding>(default_embedding(kDim, 10000));
  std::vector<AttentionLayer> layers = random_layers(1, kDim, rope, 44);
  const Sentence s;
  const auto change = [&] {
    return (run_layers(layers, {s.x, counted(100)}, Mask::causal) -
            run_layers(layers, {s.x, counted(0)}, Mask::causal))
        .cwiseAbs()
        .maxCoeff();
  };
  // Scores change by ε, so weights by a factor within e^±2ε, and what they average by as much.
  double longest = 0;
  for (Eigen::Index t = 0; t < kTokens; ++t) longest = std::max(longest, norm(row_of(s.x, t)));
  const double q = frobenius_norm(layers[0].w_q) * longest;
  const double k = frobenius_norm(layers[0].w_k) * longest;
  const double score = 2 * rope->score_error(q, k, 0);
  const double value = frobenius_norm(layers[0].w_v) * longest;
  const double allowed = frobenius_norm(layers[0].w_o) * value *
                         (2 * score + (4 * kTokens + 16) * kRoundoff + 2 * dot_error(kDim));
  EXPECT_LE(change(), allowed);
  layers[0].rotated_values = {default_embedding(kDim, 10000)};
  EXPECT_GT(change(), 0.5);
  layers[0].rotated_values->turned_back = true;
  EXPECT_LE(change(), allowed + frobenius_norm(layers[0].w_o) * value * 5 * kRotationError);
}

}  // namespace
}  // namespace rope
