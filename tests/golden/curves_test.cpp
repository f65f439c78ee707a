// The decay curves against 50 digits, and the curves of other families of frequencies.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "golden/reference_file.hpp"
#include "rope/attention/decay.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

// What decay.hpp states.
constexpr double kBoundError = 2e-15;       // relative
constexpr double kMeanCosineError = 2e-15;  // absolute

/// |got − decimal| for a decimal of 50 digits, without rounding the decimal to double.
double distance_to(double got, const std::string& decimal) {
  return static_cast<double>(
      std::abs(static_cast<long double>(got) - std::strtold(decimal.c_str(), nullptr)));
}

TEST(Curves, AreWithinTheStatedErrorOfFiftyDigits) {
  std::size_t compared = 0;
  const io::Json reference = test::reference_json("curves/geometric.json");
  for (const auto& curve : reference.at("curves")) {
    const Frequencies frequencies =
        geometric_frequencies(curve.at("base").get<double>(), curve.at("d").get<std::size_t>());
    for (const auto& value : curve.at("values")) {
      const auto distance = value.at("m").get<std::int64_t>();
      const DecayCurve got = decay_curve(frequencies, {&distance, 1});
      const auto bound = value.at("decay").get<std::string>();
      const auto mean_cosine = value.at("similarity").get<std::string>();
      EXPECT_LE(distance_to(got.bound[0], bound), kBoundError * std::stod(bound))
          << "d " << curve.at("d") << ", base " << curve.at("base") << ", distance " << distance
          << ": " << test::show(got.bound[0]) << ", expected " << bound;
      EXPECT_LE(distance_to(got.mean_cosine[0], mean_cosine), kMeanCosineError)
          << "d " << curve.at("d") << ", base " << curve.at("base") << ", distance " << distance
          << ": " << test::show(got.mean_cosine[0]) << ", expected " << mean_cosine;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 84U);
}

TEST(Curves, StartAtHalfTheNumberOfPairsPlusOneHalf) {
  const std::int64_t zero = 0;
  for (const std::size_t rotary_dim : {2U, 4U, 6U, 128U, 4096U}) {
    const DecayCurve curve = decay_curve(geometric_frequencies(10000, rotary_dim), {&zero, 1});
    EXPECT_EQ(curve.bound[0], (static_cast<double>(rotary_dim) / 2 + 1) / 2);
    EXPECT_EQ(curve.mean_cosine[0], 1);
  }
}

TEST(Curves, OfLinearFrequenciesReviveAndGeometricOnesDoNot) {
  constexpr double kThreeDigits = 0.005;
  const std::vector<std::int64_t> distances = {50, 201, 402};
  const DecayCurve linear = decay_curve(power_frequencies(1, 128), distances);
  EXPECT_NEAR(linear.bound[0], 1.68, kThreeDigits);
  EXPECT_NEAR(linear.bound[1], 0.508, kThreeDigits / 10);
  EXPECT_NEAR(linear.bound[2], 32.489, kThreeDigits / 10);
  const DecayCurve geometric = decay_curve(geometric_frequencies(10000, 128), distances);
  EXPECT_LT(geometric.bound[1], geometric.bound[0]);
  EXPECT_LT(geometric.bound[2], geometric.bound[0]);
}

}  // namespace
}  // namespace rope
