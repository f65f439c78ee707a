// Logarithms, how attention spreads, and what rounding may do to it, beside what can be worked out
// by hand or by Eigen's singular values.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

#include "rope/attention/exponential.hpp"
#include "rope/attention/rounding.hpp"
#include "rope/attention/spread.hpp"
#include "rope/encodings/none.hpp"
#include "rope/random/random.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(Logarithm, IsWithinTheStatedErrorOfSixtyFourBits) {
  RandomStream random(32, 0);
  double worst = 0;
  const auto look_at = [&](double x) {
    const long double exact = std::log(static_cast<long double>(x));
    const long double error = std::abs((static_cast<long double>(logarithm(x)) - exact) / exact);
    worst = std::max(worst, static_cast<double>(error));
  };
  for (int i = 0; i < 200000; ++i) {
    const double fraction = 1 + static_cast<double>(random.bits() >> 11) * 0x1p-53;
    look_at(std::ldexp(fraction, static_cast<int>(random.integer(-1074, 1022))));
    look_at(fraction);      // near 1, where the logarithm is small
    look_at(fraction / 2);  // and from below
  }
  EXPECT_LE(worst, 6e-16) << test::show(worst);
  EXPECT_EQ(logarithm(1), 0);
  EXPECT_EQ(logarithm(0), -kInfinity);
  EXPECT_EQ(logarithm(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(logarithm(-1)));
  EXPECT_TRUE(std::isnan(logarithm(kNaN)));
}

/// The stated accuracy of an entropy.
double entropy_error(std::size_t keys, double bits) {
  return static_cast<double>(2 * keys + 20) * kRoundoff * (1 + bits);
}

TEST(Spread, OfEqualScoresIsTheLogarithmOfTheirNumber) {
  for (const std::size_t n : {1U, 2U, 3U, 64U, 1000U, 4096U}) {
    for (const double score : {0.0, -3.5, 1e300}) {
      const Spread spread = spread_of(std::vector(n, score));
      const double bits = std::log2(static_cast<double>(n));
      EXPECT_NEAR(spread.entropy, bits, entropy_error(n, bits)) << n;
      EXPECT_NEAR(spread.top, 1 / static_cast<double>(n), 1e-15) << n;
    }
    EXPECT_NEAR(most_entropy(n), std::log2(static_cast<double>(n)), 1e-14) << n;
  }
}

TEST(Spread, OfOneKeyThatHasAllIsZero) {
  const Spread spread = spread_of(std::vector{1000.0, 0.0, -5.0, 0.0});
  EXPECT_EQ(spread.entropy, 0);
  EXPECT_EQ(spread.top, 1);
}

TEST(Spread, IsWorkedOutByHand) {
  // Weights 1/4 and 3/4: H = 2 − (3/4) log₂ 3.
  const Spread spread = spread_of(std::vector{0.0, std::log(3.0)});
  EXPECT_NEAR(spread.entropy, 2 - 0.75 * std::log2(3.0), 1e-15);
  EXPECT_NEAR(spread.top, 0.75, 1e-15);
}

TEST(Spread, IsThatOfTheWeightsInSixtyFourBits) {
  for (const double deviation : {0.1, 1.0, 11.0}) {
    const RowMatrix scores = random_matrix(1, 500, deviation, 5, 0);
    long double sum = 0, entropy = 0, largest = 0;
    for (const double score : row_of(scores, 0)) sum += std::exp(static_cast<long double>(score));
    for (const double score : row_of(scores, 0)) {
      const long double weight = std::exp(static_cast<long double>(score)) / sum;
      largest = std::max(largest, weight);
      entropy -= weight * std::log2(weight);
    }
    const Spread spread = spread_of(row_of(scores, 0));
    const auto bits = static_cast<double>(entropy);
    EXPECT_NEAR(spread.entropy, bits, entropy_error(500, bits)) << deviation;
    EXPECT_NEAR(spread.top, static_cast<double>(largest), 504 * kRoundoff) << deviation;
  }
}

TEST(Spread, TakesNoAccountOfHiddenKeysAndKeepsNaN) {
  const Spread hidden = spread_of(std::vector{-kInfinity, 0.0, -kInfinity, 0.0});
  EXPECT_NEAR(hidden.entropy, 1, 1e-15);
  EXPECT_EQ(hidden.top, 0.5);
  for (const std::vector<double>& scores :
       {std::vector{0.0, kNaN}, std::vector{kNaN, 0.0}, std::vector{kInfinity, 0.0},
        std::vector{-kInfinity, -kInfinity}}) {
    EXPECT_TRUE(std::isnan(spread_of(scores).entropy));
    EXPECT_TRUE(std::isnan(spread_of(scores).top));
  }
}

TEST(OperatorNorm, IsBoundedAndNotByMuch) {
  for (const int d : {1, 2, 7, 32, 96}) {
    for (const double scale : {1e-200, 1.0, 1e200}) {
      const auto n = static_cast<std::size_t>(d);
      const RowMatrix w = random_matrix(n, n, scale, 6, n);
      const double exact = Eigen::JacobiSVD<Eigen::MatrixXd>(w / scale).singularValues()(0);
      const double bound = operator_norm_bound(w) / scale;
      EXPECT_GE(bound, exact * (1 - 1e-13)) << d;
      EXPECT_LE(bound, exact * std::pow(d, 1.0 / 16) * (1 + 1e-9)) << d;
    }
  }
  EXPECT_EQ(operator_norm_bound(RowMatrix::Zero(3, 3)), 0);
  RowMatrix broken = RowMatrix::Identity(3, 3);
  EXPECT_GE(operator_norm_bound(broken), 1);
  broken(1, 2) = kNaN;
  EXPECT_TRUE(std::isnan(operator_norm_bound(broken)));
}

TEST(WeightsDifference, IsAttainedByTwoKeysThatChangePlaces) {
  for (const double delta : {1e-9, 1e-3, 0.1, 0.4, 1.0, 3.0}) {
    RowMatrix a(1, 2), b(1, 2);
    a << 0, delta;
    b << delta, 0;
    const double found = (softmax(a) - softmax(b)).cwiseAbs().sum();
    EXPECT_NEAR(found, 2 * std::tanh(delta / 2), 1e-15) << delta;
    EXPECT_LE(found, weights_difference(delta, 2)) << delta;
    EXPECT_LE(weights_difference(delta, 2), delta + 1e-14) << delta;
  }
}

TEST(WeightsDifference, HoldsForManyKeys) {
  for (const double delta : {1e-9, 1e-3, 0.1, 0.6, 3.0}) {
    for (const Eigen::Index n : {2, 10, 100}) {
      const RowMatrix a = random_matrix(1, static_cast<std::size_t>(n), 1, 7, 0);
      RowMatrix b = a;
      for (Eigen::Index j = 0; j < n; ++j) b(0, j) += j % 2 == 0 ? delta : -delta;
      EXPECT_LE((softmax(a) - softmax(b)).cwiseAbs().sum(),
                weights_difference(delta, static_cast<std::size_t>(n)))
          << delta << " " << n;
    }
  }
  EXPECT_GE(weights_difference(kInfinity, 3), 2);
  EXPECT_TRUE(std::isnan(weights_difference(kNaN, 3)));
}

TEST(WeightsDifference, HoldsForSumsInTwoOrders) {
  for (const Eigen::Index n : {2, 33, 1000}) {
    const RowMatrix scores = random_matrix(1, static_cast<std::size_t>(n), 2, 8, 0);
    const RowMatrix forwards = softmax(scores), backwards = softmax(scores.rowwise().reverse());
    const double bound = weights_difference(0, static_cast<std::size_t>(n));
    EXPECT_LE((backwards.rowwise().reverse() - forwards).cwiseAbs().sum(), bound);
    EXPECT_LE(bound, static_cast<double>(4 * n) * 0x1p-52);
    const RowMatrix values = random_matrix(static_cast<std::size_t>(n), 16, 1, 9, 0);
    double longest = 0;
    for (Eigen::Index t = 0; t < n; ++t) longest = std::max(longest, norm(row_of(values, t)));
    const RowMatrix one = weighted_values(forwards, values);
    const RowMatrix other = weighted_values(backwards, values.colwise().reverse());
    EXPECT_LE((one - other).norm(), output_difference(bound, static_cast<std::size_t>(n), longest));
  }
}

TEST(EqualTokenDrift, GrowsByEveryLayerAndKeepsNaN) {
  const auto none = std::make_shared<NoEncoding>(8);
  std::vector<AttentionLayer> layers = random_layers(4, 8, none, 3);
  const std::vector<double> drift = equal_token_drift(layers, 5, 2.0);
  ASSERT_EQ(drift.size(), 4U);
  EXPECT_GT(drift[0], 0);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_GT(drift[i], drift[i - 1]);
  EXPECT_LT(drift[3], 1e-9);
  EXPECT_TRUE(equal_token_drift({}, 5, 2.0).empty());
  layers[1].w_o(0, 0) = kNaN;
  EXPECT_TRUE(std::isnan(equal_token_drift(layers, 5, 2.0).back()));
}

TEST(EqualTokenDrift, DoesNotCoverRotatedValues) {
  const auto none = std::make_shared<NoEncoding>(8);
  std::vector<AttentionLayer> layers = random_layers(1, 8, none, 3);
  RowMatrix x(4, 8);
  x.rowwise() = random_matrix(1, 8, 1, 4, 0).row(0);
  const double allowed = equal_token_drift(layers, 4, norm(row_of(x, 0))).back();
  const auto apart = [&] {
    const RowMatrix out = run_layers(layers, {x, {0, 1, 2, 3}}, Mask::causal);
    return (out.rowwise() - out.row(0)).cwiseAbs().maxCoeff();
  };
  EXPECT_LE(apart(), allowed);
  layers[0].rotated_values = {default_embedding(8, 10000)};
  EXPECT_GT(apart(), 0.01);
}

}  // namespace
}  // namespace rope
