// What bounds.hpp promises of entries and angles: the formulas of docs/accuracy.md, each number of
// each of them.

#include "rope/precision/bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "expected_bounds.hpp"

namespace rope {
namespace {

TEST(Bounds, TableErrorIsThatOfLibmAndOfTheCast) {
  // λ ulp of libm in each component, and half a unit below 1 of the format they are cast to.
  const std::map<std::string, std::pair<double, double>> expected = {
      {"float64", {u64, 0}},
      {"float64-pairwise", {u64, 0}},
      {"float32", {u32, 0}},
      {"float32-pairwise", {u32, 0}},
      {"bfloat16-store", {u32, 0}},
      {"bfloat16-table", {u32, ubf}},
      {"float16-table", {u32, u11}},
      {"bfloat16-cache", {u32, ubf}},
      {"bfloat16-positions", {u32, ubf}},
      {"float16-positions", {u32, u11}},
      {"bfloat16-frequencies", {u32, 0}},
      {"tf32", {u32, 0}},
      {"ggml", {u32, 0}},
      {"ggml-cuda", {u32, 0}},
      {"float64-angle", {u64, u32}},
      {"float64-angle-bfloat16", {u64, ubf}},
      {"float32-frequencies", {u64, u32}},
      {"float64-reduced", {u32, 0}},
      {"float8-store", {u32, 0}},
  };
  for (const Policy& policy : policies()) {
    if (policy.angle_rule == AngleRule::exact) continue;
    const auto [libm, cast] = expected.at(policy.name);
    for (const double lambda : {1.0, 4.0}) {
      const ErrorBounds bounds(pipeline(policy), {.libm_ulp = lambda});
      EXPECT_DOUBLE_EQ(bounds.table_error(-3), lambda * kSqrt2 * libm + cast / kSqrt2)
          << policy.name;
      EXPECT_EQ(bounds.table_error(0), 0) << policy.name;
    }
  }
  EXPECT_DOUBLE_EQ(ErrorBounds(pipeline("float32,table=tf32")).table_error(1),
                   kSqrt2 * u32 + u11 / kSqrt2);
  EXPECT_DOUBLE_EQ(ErrorBounds(pipeline("float32,table=e4m3")).table_error(1),
                   kSqrt2 * u32 + u8 / kSqrt2);
}

TEST(Bounds, AngleErrorHasTheRoundingOfThePositionInEveryFormat) {
  struct Example {
    const char* policy;
    std::int64_t position;
    double off;  ///< |fl(p) − p|, a tie where there is one
  };
  for (const Example& e : {Example{"angle=f64,position=bf16", 257, 1},
                           {"angle=f64,position=bf16", -259, 1},
                           {"angle=f64,position=bf16", 258, 0},
                           {"angle=f64,position=f16", 2049, 1},
                           {"angle=f64,position=f16", 65519, 15},
                           {"angle=f64,position=tf32", 8194, 2},
                           {"angle=f64,position=e4m3", 19, 1},
                           {"angle=f64,position=e4m3", 464, 16},
                           {"angle=f64,position=f32", (1LL << 24) + 1, 1},
                           {"angle=f64,position=f32", (1LL << 40) + 3, 3},
                           {"angle=f64", (1LL << 53) + 1, 1},
                           {"angle=f64", (1LL << 60) + 100, 100}}) {
    const Pipeline p = pipeline(e.policy, 2);  // θ = 1: products are exact
    EXPECT_EQ(angle_errors(ErrorBounds(p), 1, e.position)[0], e.off)
        << e.policy << " at " << e.position;
  }
  // θ_1 = 111/128 in bfloat16; 259 becomes 260 = 65·4; their product lies in [128, 256).
  const Pipeline historic = pipeline("bfloat16-positions");
  EXPECT_EQ(historic.theta()[1], 111.0 / 128);
  EXPECT_EQ(angle_errors(ErrorBounds(historic), 64, 259)[1], 111.0 / 128 + 0.5);
  // 4·111/128 has seven bits: exact.
  EXPECT_EQ(angle_errors(ErrorBounds(historic), 64, 4)[1], 0);
  EXPECT_EQ(angle_errors(ErrorBounds(historic), 64, 5)[1], 0x1p-6) << "in [4, 8)";
}

TEST(Bounds, AngleErrorIsInfiniteWhereThePositionIs) {
  for (const char* policy :
       {"float16-positions", "angle=f32,position=e4m3", "angle=f16,rule=recurrence"}) {
    const Pipeline p = pipeline(policy, 8);
    const ErrorBounds bounds(p);
    for (const double error : angle_errors(bounds, 4, 65520)) EXPECT_EQ(error, HUGE_VAL) << policy;
    std::vector<double> per_pair;
    bounds.identity(65520, 1, -65519, per_pair);
    const double e = bounds.table_error(1);
    for (const double bound : per_pair) expect_bound(bound, 2 + 3 * e + e * e, policy);
    expect_bound(bounds.identity_up_to(65520, 1), 2 + 3 * e + e * e, policy);
  }
}

TEST(Bounds, AngleErrorOfAProductIsHalfAUnitInItsLastPlaceUnlessTheFormatHoldsIt) {
  const auto errors = [](const char* policy, std::int64_t position) {
    return angle_errors(ErrorBounds(pipeline(policy)), 64, position);
  };
  EXPECT_EQ(errors("bfloat16-frequencies", 65535)[1], 0) << "8 + 16 bits fit float32";
  EXPECT_EQ(errors("bfloat16-frequencies", 131071)[1], 0) << "7 + 17 bits";
  EXPECT_EQ(errors("bfloat16-frequencies", (1 << 18) - 1)[1], 0x1p-7) << "25 bits, in [2^17, 2^18)";
  EXPECT_EQ(errors("tf32", 2047)[5], 0) << "11 + 11 bits fit float32";
  const double theta = pipeline("tf32").theta()[5];
  EXPECT_EQ(errors("tf32", 2049)[5], theta) << "and beyond, the position is off by 1";
  EXPECT_EQ(errors("float64-angle", 100000)[1], 0x1p-37);
  EXPECT_EQ(errors("float32-frequencies", 100000)[1], 0) << "24 + 17 bits fit float64";
  EXPECT_EQ(errors("float16-positions", 1000)[1], 0.25) << "866 lies in [512, 1024)";
}

TEST(Bounds, AngleErrorOfARecurrenceIsOneRoundingAFactor) {
  const Pipeline ggml = pipeline("ggml");
  const std::vector<double> errors = angle_errors(ErrorBounds(ggml), 64, 123457);
  EXPECT_EQ(errors[0], 0) << "the position itself";
  for (const std::size_t k : {1U, 2U, 17U, 63U})
    EXPECT_NEAR(errors[k] / (123457 * ggml.theta()[k] * power_of_one_plus(u32, k)), 1, 1e-13) << k;
  // From 2^24 on the position is rounded too.
  EXPECT_EQ(angle_errors(ErrorBounds(ggml), 64, (1 << 24) + 1)[0], 1);
  const double s = ggml.theta()[1];
  EXPECT_NEAR(angle_errors(ErrorBounds(ggml), 64, (1 << 24) + 1)[1], s + 0x1p24 * s * u32, 1e-9);
  // Underflow: half the smallest number a factor.
  const Pipeline narrow = pipeline("angle=f16,rule=recurrence", 8, 1e30);
  EXPECT_GE(angle_errors(ErrorBounds(narrow), 4, 1)[3], 3 * 0x1p-25);
}

TEST(Bounds, AngleErrorOfAReducedAngleCountsItsTurns) {
  const Pipeline reduced = pipeline("float64-reduced");
  const ErrorBounds bounds(reduced);
  // 2π = 6.28318530717958647692528676655900577; the double is 6.28318530717958623199592693708837.
  constexpr double kTwoPiError = 2.4492935982947064e-16;
  for (const std::int64_t m : {1LL, 3LL, 4LL, 100LL, 131071LL, 1LL << 40}) {
    const auto p = static_cast<double>(m);
    const double turns = std::ceil(p / (2 * kPi) + 0.5);
    const double error = angle_errors(bounds, 64, m)[0];  // θ_0 = 1: the product is exact
    EXPECT_GE(error, turns * kTwoPiError + u32 * kPi) << m;
    EXPECT_LE(error, turns * kTwoPiError * 1.00001 + u32 * kPi * (1 + 1e-15)) << m;
  }
  const double other = angle_errors(bounds, 64, 100000)[1];
  const double turns = std::ceil(100000 * reduced.theta()[1] / (2 * kPi) + 0.5);
  EXPECT_NEAR(other, 0x1p-37 + turns * kTwoPiError + u32 * kPi, 1e-5 * turns * kTwoPiError);
}

/// τ_i of §"How much of θ̂ − θ is granted", with the terms written out.
TEST(Bounds, FrequenciesAreGrantedTheRoundingOfTheirRuleInTheFormatOfTheAngle) {
  constexpr std::size_t k = 40;
  const auto granted = [](const std::string& policy, Hypotheses h = {}) {
    const Pipeline p = pipeline(policy);
    return ErrorBounds(p, h).granted_frequency_error(k) / p.embedding().frequencies.theta[k];
  };
  const auto expect_relative = [](double got, double expected, const std::string& what) {
    EXPECT_NEAR(got / expected, 1, 1e-9) << what;
  };
  // 128 is a power of two and 10000 a float: neither the exponent nor the base is rounded.
  const double single = (1 + u32) / (1 - 2 * u32) - 1;
  for (const char* p :
       {"float32", "bfloat16-frequencies", "tf32", "bfloat16-table", "float8-store"})
    expect_relative(granted(p), single, p);
  for (const char* p : {"float64", "float64-angle", "float32-frequencies", "float64-reduced"})
    expect_relative(granted(p), 2 * u64, p);
  expect_relative(granted("bfloat16-positions"), (1 + single) * (1 + ubf) - 1, "bf16");
  expect_relative(granted("angle=tf32"), (1 + single) * (1 + u11) - 1, "tf32");
  const double theta = pipeline("float16-positions").embedding().frequencies.theta[k];
  expect_relative(granted("float16-positions"), (1 + single) * (1 + u11) - 1 + 0x1p-24 / theta,
                  "f16 and its underflow");
  expect_relative(granted("ggml"), power_of_one_plus(2 * u32, k), "k factors");
  expect_relative(granted("ggml-cuda"), power_of_one_plus(2 * u32, k + 1), "k factors and a power");
  expect_relative(granted("angle=bf16,rule=recurrence"),
                  std::expm1(k * std::log((1 + 2 * u32) * (1 + ubf))), "k rounded factors");
  expect_relative(granted("angle=bf16,rule=scale-power"),
                  std::exp(k * std::log((1 + 2 * u32) * (1 + ubf))) * (1 + 2 * u32) * (1 + ubf) - 1,
                  "and one power");
  const Hypotheses twice{.pow_ulp = 2};
  expect_relative(granted("float32", twice), (1 + u32) / (1 - 4 * u32) - 1, "pow off by 2 ulp");
  expect_relative(granted("float64", twice), 4 * u64, "pow off by 2 ulp");
  expect_relative(granted("ggml", twice), power_of_one_plus(4 * u32, k), "pow off by 2 ulp");
  expect_relative(granted("ggml-cuda", twice), power_of_one_plus(4 * u32, k + 1),
                  "pow off by 2 ulp");
  for (const Policy& policy : policies())
    EXPECT_EQ(ErrorBounds(pipeline(policy)).granted_frequency_error(0), 0) << policy.name;
  for (std::size_t pair = 0; pair < 64; ++pair)
    EXPECT_EQ(ErrorBounds(pipeline("exact")).granted_frequency_error(pair), 0);
}

TEST(Bounds, FrequenciesAreGrantedTheRoundingOfTheirExponentAndBase) {
  constexpr std::size_t k = 12, d = 96;
  const auto granted = [](const std::string& policy, double base) {
    const Pipeline p = pipeline(policy, d, base);
    return ErrorBounds(p).granted_frequency_error(k) / p.embedding().frequencies.theta[k];
  };
  const double exponent = 2.0 * k / d;  // 0.25, but no quotient by 96 is taken as exact
  const double log = std::log(1e4);
  // To first order; the next is below 10·u of it, k·u for a power.
  EXPECT_NEAR(granted("float32", 1e4) / (3 * u32 + exponent * log * u32), 1, 10 * u32);
  EXPECT_NEAR(granted("float64", 1e4) / (2 * u64 + exponent * log * u64), 1, 10 * u64);
  EXPECT_NEAR(granted("ggml", 1e4) / (k * (2 * u32 + 2.0 / d * log * u32)), 1, 2 * k * u32);
  // 12345678.9 is no float: off by up to u, to the power of the exponent.
  const double other = std::log(12345678.9);
  EXPECT_NEAR(granted("float32", 12345678.9) / (3 * u32 + exponent * (other + 1) * u32), 1,
              10 * u32);
  EXPECT_NEAR(granted("float64", 12345678.9) / (2 * u64 + exponent * other * u64), 1, 10 * u64);
}

TEST(Bounds, GivenFrequenciesAreGrantedOneRounding) {
  RotaryEmbedding embedding = default_embedding(6, 1e4);
  embedding.frequencies = given_frequencies(std::vector<double>{0.1, 0.5, 1e-300});
  embedding.base.reset();
  const auto granted = [&](const char* policy, std::size_t pair) {
    return ErrorBounds({parse_policy(policy), embedding}).granted_frequency_error(pair);
  };
  EXPECT_DOUBLE_EQ(granted("float32", 0), u32 * 0.1);
  EXPECT_DOUBLE_EQ(granted("bfloat16-positions", 0), ubf * 0.1);
  EXPECT_EQ(granted("float32", 1), 0) << "0.5 is a float";
  EXPECT_EQ(granted("float64", 0), 0) << "given as a double";
  EXPECT_DOUBLE_EQ(granted("float32", 2), 0x1p-150) << "below every float";
}

TEST(Bounds, FrequencyErrorIsWhatThisPipelineIsOffBy) {
  const double theta = default_embedding(128, 10000).frequencies.theta[1];
  const auto error = [](const char* policy) {
    return ErrorBounds(pipeline(policy)).frequency_error(1);
  };
  EXPECT_EQ(error("exact"), 0);
  EXPECT_DOUBLE_EQ(error("bfloat16-frequencies"), 111.0 / 128 - theta + u64 * theta);
  EXPECT_DOUBLE_EQ(error("bfloat16-positions"), 111.0 / 128 - theta + u64 * theta);
  EXPECT_LE(error("float64"), 2 * u64 * theta);
  EXPECT_GE(error("float64"), u64 * theta) << "θ is known to half a unit in its last place";
  EXPECT_DOUBLE_EQ(error("ggml"), std::abs(pipeline("ggml").theta()[1] - theta) + 5 * u64 * theta)
      << "and s^i to two units";
  EXPECT_GE(error("tf32"), 0.1 * u11 * theta);
  RotaryEmbedding given = default_embedding(2, 1e4);
  given.frequencies = given_frequencies(std::vector<double>{0.1});
  given.base.reset();
  EXPECT_EQ(ErrorBounds({parse_policy("float64"), given}).frequency_error(0), 0);
  EXPECT_EQ(ErrorBounds({parse_policy("float32"), given}).frequency_error(0),
            std::abs(static_cast<double>(0.1F) - 0.1));
}

TEST(Bounds, AFrequencyIsNotGrantedItsZeroBits) {
  // Whatever last bits this machine's θ̂_3 has: another right one has others, so that no position
  // of few bits makes the product exact.
  const Pipeline p = pipeline("float64", 128, 1e6);
  const ErrorBounds bounds(p);
  std::vector<double> few, many;
  for (const std::int64_t position : {3, 48, 384, 49152}) {
    bounds.faithfulness(position, few);
    bounds.faithfulness(position + 1, many);
    for (std::size_t k = 1; k < few.size(); ++k) {
      const double theta = p.embedding().frequencies.theta[k];
      const auto x = static_cast<double>(position);
      const double least = x * 2 * u64 * theta + std::ldexp(u64, std::ilogb(x * theta));
      EXPECT_GE(few[k], least * (1 - 1e-9)) << position << ", pair " << k;
    }
  }
}

}  // namespace
}  // namespace rope
