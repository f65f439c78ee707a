// Decay curves that can be worked out by hand, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "rope/attention/decay.hpp"
#include "rope/error.hpp"
#include "support/outcome.hpp"

namespace rope {
namespace {

TEST(Decay, OfASinglePairIsBoundedByOneAndFollowsTheCosine) {
  const std::vector<std::int64_t> distances = {0, 1, 2, 22};
  const DecayCurve curve = decay_curve(geometric_frequencies(10000, 2), distances);
  for (std::size_t i = 0; i < distances.size(); ++i) {
    const auto angle = static_cast<double>(distances[i]);
    EXPECT_NEAR(curve.bound[i], 1, 0x1p-51) << distances[i];
    EXPECT_NEAR(curve.mean_cosine[i], std::cos(angle), 0x1p-51) << distances[i];
  }
}

TEST(Decay, OfTwoPairsIsWorkedOutByHand) {
  // θ = 1, 1/100: |e^{iΔ}| = 1 and |e^{iΔ} + e^{iΔ/100}| = 2|cos(0.495Δ)|, over two pairs.
  const std::vector<std::int64_t> distances = {0, 3, 50};
  const DecayCurve curve = decay_curve(geometric_frequencies(10000, 4), distances);
  for (std::size_t i = 0; i < distances.size(); ++i) {
    const auto delta = static_cast<double>(distances[i]);
    EXPECT_NEAR(curve.bound[i], (1 + 2 * std::abs(std::cos(0.495 * delta))) / 2, 1e-14);
    EXPECT_NEAR(curve.mean_cosine[i], (std::cos(delta) + std::cos(delta / 100)) / 2, 1e-14);
  }
}

TEST(Decay, OfNoDistancesIsEmpty) {
  const DecayCurve curve = decay_curve(geometric_frequencies(10000, 4), {});
  EXPECT_TRUE(curve.bound.empty());
  EXPECT_TRUE(curve.mean_cosine.empty());
}

TEST(LogarithmicLaw, IsWorkedOutByHandAndSaysNothingAtZeroAndBeyondTheBase) {
  const std::vector<std::int64_t> distances = {0, 1, -1, 100, 10000, 10001, -20000};
  const std::vector<double> law = logarithmic_law(10000, distances);
  EXPECT_TRUE(std::isnan(law[0]));
  EXPECT_NEAR(law[1], 1 - std::numbers::egamma / std::log(10000.0), 0x1p-50);
  EXPECT_EQ(law[2], law[1]);
  EXPECT_NEAR(law[3], 0.5 - std::numbers::egamma / std::log(10000.0), 0x1p-50);
  EXPECT_NEAR(law[4], -std::numbers::egamma / std::log(10000.0), 0x1p-50);
  EXPECT_TRUE(std::isnan(law[5]));
  EXPECT_TRUE(std::isnan(law[6]));
}

TEST(LogarithmicLaw, RefusesABaseWithoutALogarithmAboveZero) {
  const std::vector<std::int64_t> one = {1};
  for (const double base : {1.0, 0.5, 0.0, -2.0, std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()}) {
    const std::string message = test::refusal([&] { logarithmic_law(base, one); });
    EXPECT_NE(message.find("got " + number_text(base)), std::string::npos) << message;
    EXPECT_NE(message.find("above 1"), std::string::npos) << message;
  }
}

TEST(RandomScores, NeedTwoSamples) {
  const Frequencies frequencies = geometric_frequencies(10000, 4);
  const std::vector<std::int64_t> one = {1};
  EXPECT_THROW(random_scores(frequencies, one, 0, 1), DomainError);
  EXPECT_THROW(random_scores(frequencies, one, 1, 1), DomainError);
  EXPECT_EQ(random_scores(frequencies, one, 2, 1).mean.size(), 1U);
}

TEST(RandomScores, AreTheSameForTheSameSeedAndOthersForAnother) {
  const Frequencies frequencies = geometric_frequencies(10000, 4);
  const std::vector<std::int64_t> distances = {0, 5};
  const RandomScores scores = random_scores(frequencies, distances, 10, 1);
  EXPECT_EQ(random_scores(frequencies, distances, 10, 1).mean, scores.mean);
  EXPECT_EQ(random_scores(frequencies, distances, 10, 1).deviation, scores.deviation);
  EXPECT_NE(random_scores(frequencies, distances, 10, 2).mean, scores.mean);
}

}  // namespace
}  // namespace rope
