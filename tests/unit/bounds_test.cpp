// What bounds.hpp promises: the formulas of docs/accuracy.md, each number of each of them.

#include "rope/precision/bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "rope/precision/length.hpp"
#include "rope/precision/not_finite.hpp"
#include "rope/precision/running_error.hpp"
#include "rope/precision/store_error.hpp"
#include "rope/random/random.hpp"

namespace rope {
namespace {

constexpr double u64 = 0x1p-53, u32 = 0x1p-24, u11 = 0x1p-11, ubf = 0x1p-8, u8 = 0x1p-4;
constexpr double kSqrt2 = std::numbers::sqrt2;
constexpr double kPi = std::numbers::pi;

Pipeline pipeline(const Policy& policy, std::size_t dim = 128, double base = 10000) {
  return {policy, default_embedding(dim, base)};
}

Pipeline pipeline(const std::string& policy, std::size_t dim = 128, double base = 10000) {
  return pipeline(parse_policy(policy), dim, base);
}

/// The bound is this number, or above it by no more than what covers the rounding of bounds.
void expect_bound(double bound, double expected, const std::string& what = {}) {
  EXPECT_GE(bound, expected * (1 - 0x1p-50)) << what;
  EXPECT_LE(bound, expected * (1 + 3 * (kBoundInflation - 1))) << what;
}

std::vector<double> angle_errors(const ErrorBounds& bounds, std::size_t pairs,
                                 std::int64_t position) {
  std::vector<double> errors(pairs);
  bounds.add_angle_errors(position, errors);
  return errors;
}

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

/// (1 + x)^k − 1 by its first three terms: the next is below (kx)^3/24 of it.
double power_of_one_plus(double x, std::size_t k) {
  const auto n = static_cast<double>(k);
  return n * x * (1 + (n - 1) / 2 * x * (1 + (n - 2) / 3 * x));
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

/// τ_k of §"How much of θ̂ − θ is granted", with the terms written out.
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
      << "and s^k to two units";
  EXPECT_GE(error("tf32"), 0.1 * u11 * theta);
  RotaryEmbedding given = default_embedding(2, 1e4);
  given.frequencies = given_frequencies(std::vector<double>{0.1});
  given.base.reset();
  EXPECT_EQ(ErrorBounds({parse_policy("float64"), given}).frequency_error(0), 0);
  EXPECT_EQ(ErrorBounds({parse_policy("float32"), given}).frequency_error(0),
            std::abs(static_cast<double>(0.1F) - 0.1));
}

/// D of a pipeline whose θ̂_k may be any number of its format within what is granted.
double any_angle_error(const ErrorBounds& bounds, const Pipeline& p, std::int64_t position,
                       std::size_t pair) {
  const double granted = bounds.granted_frequency_error(pair);
  if (position == 0 || granted == 0) return angle_errors(bounds, p.theta().size(), position)[pair];
  const Policy& policy = p.policy();
  const FormatLimits& format = limits(policy.angle);
  const double theta = p.embedding().frequencies.theta[pair] + granted;
  const double held = std::abs(p.position(position)), angle = held * theta;
  double error = std::abs(held - std::abs(static_cast<double>(position))) * theta;
  if (policy.angle_rule == AngleRule::recurrence) {
    const auto factors = static_cast<double>(pair);
    error += angle * std::expm1(factors * std::log1p(format.unit_roundoff)) +
             factors * format.underflow / 2;
  } else if (held != 0 &&
             significant_bits(held) + limits(policy.frequency).precision > format.precision) {
    error += std::ldexp(format.unit_roundoff, std::ilogb(angle));
  }
  if (policy.reduced) error += std::ceil(angle / (2 * kPi) + 0.5) * 2.4493e-16 + u32 * kPi;
  return error;
}

TEST(Bounds, EveryComparisonOfTablesAddsUpTheRowsItUses) {
  for (const Policy& policy : policies()) {
    const Pipeline p = pipeline(policy, 16, 500000);
    const ErrorBounds bounds(p);
    std::vector<double> got;
    for (const auto& [m, n, s] : {std::array<std::int64_t, 3>{12345, -1001, 77},
                                  {0, 4097, 300},
                                  {513, 513, -513},
                                  {31000, 3, -1}}) {
      const auto d = [&](std::int64_t position) { return angle_errors(bounds, 8, position); };
      const auto dm = d(m), dn = d(n), dr = d(n - m), ds = d(m + s), dt = d(n + s);
      const double em = bounds.table_error(m), en = bounds.table_error(n);
      const double er = bounds.table_error(n - m), es = bounds.table_error(m + s);
      const double et = bounds.table_error(n + s);
      const auto tokens = std::abs(static_cast<double>(n - m));
      const auto at = [&policy, position = m](std::size_t k) {
        return policy.name + ", m = " + std::to_string(position) + ", pair " + std::to_string(k);
      };
      bounds.identity(m, n, n - m, got);
      for (std::size_t k = 0; k < 8; ++k)
        expect_bound(got[k], chord(dm[k] + dn[k] + dr[k]) + em + en + em * en + er, at(k));
      bounds.shift(m, n, s, got);
      for (std::size_t k = 0; k < 8; ++k)
        expect_bound(got[k],
                     chord(dm[k] + dn[k] + ds[k] + dt[k]) + em + en + em * en + es + et + es * et,
                     at(k));
      bounds.exact(m, n, n - m, got);
      for (std::size_t k = 0; k < 8; ++k)
        expect_bound(got[k],
                     chord(dm[k] + dn[k] + tokens * bounds.frequency_error(k)) + em + en + em * en,
                     at(k));
      bounds.exact(n - m, got);
      for (std::size_t k = 0; k < 8; ++k)
        expect_bound(got[k], chord(dr[k] + tokens * bounds.frequency_error(k)) + er, at(k));
      bounds.faithfulness(n - m, got);
      for (std::size_t k = 0; k < 8; ++k)
        expect_bound(got[k],
                     chord(any_angle_error(bounds, p, n - m, k) +
                           tokens * bounds.granted_frequency_error(k)) +
                         er,
                     at(k));
    }
  }
}

/// The unit in the last place of the angle at a position; infinite where the angle is 0.
double angle_unit(const Pipeline& p, std::size_t position, std::size_t pair) {
  const double angle = p.position(static_cast<std::int64_t>(position)) * p.theta()[pair];
  if (angle == 0) return HUGE_VAL;
  return std::ldexp(1.0, std::ilogb(angle) + 1 - limits(p.policy().angle).precision);
}

/// D_m + D_n + D_{n−m}, cut to whole units in the last place where positions are exact and angles
/// are rounded once: the angles' defect is a whole number of the smallest of their units.
double angle_defect(const Pipeline& p, const std::vector<std::vector<double>>& errors,
                    std::size_t m, std::size_t n, std::size_t pair) {
  const double sum = errors[m][pair] + errors[n][pair] + errors[n - m][pair];
  const Policy& policy = p.policy();
  const bool product =
      policy.angle_rule == AngleRule::product || policy.angle_rule == AngleRule::scale_power;
  const auto last = static_cast<std::int64_t>(n);
  if (!product || policy.reduced || last > std::int64_t{1} << limits(policy.position).precision)
    return sum;
  const double unit =
      std::min({angle_unit(p, m, pair), angle_unit(p, n, pair), angle_unit(p, n - m, pair)});
  return std::isinf(unit) ? sum : std::floor(sum / unit) * unit;
}

/// Compares identity_up_to(N) with the largest T of every 0 ≤ m ≤ n ≤ N, for every N up to `last`.
/// Returns the largest ratio of the two.
double slack_up_to(const Pipeline& p, std::int64_t last) {
  const ErrorBounds bounds(p);
  const std::size_t pairs = p.theta().size();
  const double e = bounds.table_error(1);
  std::vector<std::vector<double>> errors;
  for (std::int64_t position = 0; position <= last; ++position)
    errors.push_back(angle_errors(bounds, pairs, position));
  double largest = 0, slack = 1;
  for (std::size_t n = 0; n < errors.size(); ++n) {
    for (std::size_t k = 0; k < pairs; ++k) {
      // Only n itself needs a look: smaller ones had theirs.
      for (std::size_t m = 0; 2 * m <= n; ++m)
        largest = std::max(largest, chord(angle_defect(p, errors, m, n, k)));
    }
    // e at all three rows: at n ≥ 2 none of them need be row 0.
    const double brute = (largest + (n < 2 ? 0 : 3 * e + e * e)) * kBoundInflation;
    double got = 0;
    for (std::size_t k = 0; k < pairs; ++k)
      got = std::max(got, bounds.identity_up_to(static_cast<std::int64_t>(n), k));
    if (!(got >= brute * (1 - 4 * u64))) {
      ADD_FAILURE() << p.policy().name << " up to " << n << ": " << got << " is below " << brute;
      return 0;
    }
    if (brute > 0 && n >= 2) slack = std::max(slack, got / brute);
  }
  return slack;
}

TEST(Bounds, UpToAPositionIsTheLargestBoundOfAnyPositionsUpToIt) {
  for (const Policy& policy : policies()) {
    // Which positions have products that need no rounding is known for whole ranges alone; that
    // costs where significands are short.
    const bool wide = limits(policy.position).precision >= 24;
    for (const double base : {1e4, 3.0}) {
      const double slack = slack_up_to(pipeline(policy, 8, base), 1000);
      EXPECT_LE(slack, wide ? 1.05 : 1.8) << policy.name << ", base " << base;
      EXPECT_GE(slack, 1 - 4 * u64) << policy.name << ", base " << base;
    }
  }
  EXPECT_LE(slack_up_to(pipeline("position=bf16", 8), 1000), 1.8);
  EXPECT_LE(slack_up_to(pipeline("angle=f64,position=f16", 8), 1000), 1.8);
  EXPECT_LE(slack_up_to(pipeline("angle=bf16,rule=recurrence", 8), 1000), 1.8);
  EXPECT_LE(slack_up_to(pipeline("position=e4m3,angle=f32", 8), 464), 1.8);
  EXPECT_EQ(ErrorBounds(pipeline("position=e4m3")).identity_up_to(465, 1),
            ErrorBounds(pipeline("position=e4m3")).identity_up_to(1000000, 1))
      << "no such number";
}

/// A_L and A_R from ρ, κ and ν, for unit vectors and for others.
void expect_scores(const Pipeline& p, double rho, double kappa, double nu) {
  const ErrorBounds bounds(p);
  const double y = 1 + bounds.table_error(1);
  const auto d = static_cast<double>(p.embedding().head_dim);
  const double underflow = d * limits(p.policy().accumulate).underflow / 2 * (1 + nu);
  const std::string& name = p.policy().name;
  for (const auto& [q, k] : {std::pair{1.0, 1.0}, {0x1p-20, 3.0}, {100.0, 0x1p-12}}) {
    // Underflow, κ, is what it is however short the vectors are.
    const double dq = rho * y * q + kappa, dk = rho * y * k + kappa;
    expect_bound(bounds.rotated_score(q, k),
                 nu * (y * q + dq) * (y * k + dk) + y * q * dk + dq * y * k + dq * dk + underflow,
                 name);
    expect_bound(bounds.relative_score(q, k), nu * q * (y * k + dk) + q * dk + underflow, name);
  }
  EXPECT_EQ(bounds.rotated_score(), bounds.rotated_score(1, 1));
  EXPECT_EQ(bounds.relative_score(), bounds.relative_score(1, 1));
}

TEST(Bounds, EvaluationErrorIsThatOfRotationStoreAndSum) {
  const auto rotation = [](double u) { return kSqrt2 * (2 * u + u * u); };
  expect_scores(pipeline("float64", 128), rotation(u64), 0, 128 * u64);
  expect_scores(pipeline("float32", 96), rotation(u32), 0, 96 * u32);
  // A product and the sums from a leaf to the root.
  expect_scores(pipeline("float32-pairwise", 128), rotation(u32), 0, power_of_one_plus(u32, 8));
  expect_scores(pipeline("float32-pairwise", 96), rotation(u32), 0, power_of_one_plus(u32, 8));
  expect_scores(pipeline("float64-pairwise", 2), rotation(u64), 0, power_of_one_plus(u64, 2));
  // Products of bfloat16 numbers need no rounding in float32, the sums after the first do.
  expect_scores(pipeline("bfloat16-table", 128), rotation(ubf), 0, 127 * u32);
  expect_scores(pipeline("bfloat16-table,sum=pairwise", 128), rotation(ubf), 0,
                power_of_one_plus(u32, 7));
  const double sqrt_d = std::sqrt(128.0);
  expect_scores(pipeline("float16-table", 128), rotation(u11), sqrt_d * 0x1p-24 * (1 + u11),
                127 * u32);
  // A cast after the rotation.
  expect_scores(pipeline("bfloat16-store", 128), (1 + rotation(u32)) * (1 + ubf) - 1, 0, 127 * u32);
  expect_scores(pipeline("float32,store=f16", 128), (1 + rotation(u32)) * (1 + u11) - 1,
                sqrt_d * 0x1p-25, 127 * u32);
  // Scaled, cast, scaled back; what underflows is off by half of 2^-9 of the largest/448.
  const double cast = (1 + u8) * (1 + 4 * u32) - 1 + sqrt_d * 0x1p-10 / 448 * (1 + 4 * u32);
  expect_scores(pipeline("float8-store", 128), (1 + rotation(u32)) * (1 + cast) - 1, 0, 128 * u32);
  expect_scores(pipeline("bfloat16-table,accumulate=bf16", 128), rotation(ubf), 0, 128 * ubf);
  expect_scores(pipeline("float32,accumulate=f16", 128), rotation(u32), 0, 128 * u11);
}

TEST(Bounds, RunningErrorOfARotationAddsTheCastToItsStore) {
  const std::vector<double> c = {0.5}, s = {0.75}, x = {1, 2.125};
  std::vector<double> y(2), errors(2);
  const Pipeline narrow = pipeline("bfloat16-store", 2);
  narrow.rotate_blocks({c, s, s}, x, y);
  EXPECT_EQ(y[0], -1.09375) << "0.5 − 1.59375";
  EXPECT_EQ(y[1], 1.8125) << "0.75 + 1.0625";
  rotation_running_error(narrow, {c, s, s}, x, y, errors);
  // The sum was up to its cast larger before it; the products are exact numbers here.
  const double cast0 = ubf * 1.09375, cast1 = ubf * 1.8125;
  const double once = u32 * (1 + 2 * u32);  // the rule is stated for computed products
  EXPECT_DOUBLE_EQ(errors[0], cast0 + once * (0.5 + 1.59375 + 1.09375 + cast0));
  EXPECT_DOUBLE_EQ(errors[1], cast1 + once * (0.75 + 1.0625 + 1.8125 + cast1));
  // What underflows in float16 is off by 2^-24 whatever its size.
  rotation_running_error(pipeline("float16-table", 2), {c, s, s}, x, y, errors);
  EXPECT_DOUBLE_EQ(errors[1], u11 * (0.75 + 1.0625 + 1.8125) * (1 + 2 * u11) + 0x1p-24);
  rotation_running_error(pipeline("float32,store=f16", 2), {c, s, s}, x, y, errors);
  const double cast = u11 * 1.8125 + 0x1p-25;
  EXPECT_DOUBLE_EQ(errors[1], cast + once * (0.75 + 1.0625 + 1.8125 + cast));
  // Blocks of 0 and ±1 round nothing, but what they give is cast.
  const std::vector<double> one = {1}, zero = {0};
  rotation_running_error(narrow, {one, zero, zero}, x, std::vector<double>{1, 2.125}, errors);
  EXPECT_DOUBLE_EQ(errors[0], ubf);
  EXPECT_DOUBLE_EQ(errors[1], ubf * 2.125);
  // Nothing narrower, nothing cast.
  rotation_running_error(pipeline("bfloat16-table", 2), {one, zero, zero}, x,
                         std::vector<double>{1, 2.125}, errors);
  EXPECT_EQ(errors, std::vector<double>(2));
}

TEST(Bounds, AFactorOfOneRoundsTheNumberWhereTheRotationIsNarrower) {
  const std::vector<double> one = {1}, zero = {0}, minus = {-1};
  const std::vector<double> x = {1 + 0x1p-10, 3 + 0x1p-20};
  std::vector<double> y(2), errors(2);
  const Pipeline p = pipeline("bfloat16-table,store=f32", 2);
  for (const std::vector<double>& factor : {one, minus}) {
    p.rotate_blocks({factor, zero, zero}, x, y);
    rotation_running_error(p, {factor, zero, zero}, x, y, errors);
    EXPECT_EQ(errors[0], 0x1p-10);
    EXPECT_EQ(errors[1], 0x1p-20);
  }
  // A quarter turn: the products that are not there round nothing.
  p.rotate_blocks({zero, one, one}, x, y);
  rotation_running_error(p, {zero, one, one}, x, y, errors);
  EXPECT_EQ(errors[0], 0x1p-20);
  EXPECT_EQ(errors[1], 0x1p-10);
  // As many bits, a smaller range: what float16 has no exponent for.
  rotation_running_error(pipeline("float32,apply=f16,store=tf32", 2), {one, zero, zero},
                         std::vector<double>{0x1p-26, 0x3p-25}, std::vector<double>{0, 0x1p-23},
                         errors);
  EXPECT_EQ(errors[0], 0x1p-26);
  EXPECT_EQ(errors[1], 0x1p-25);
}

TEST(Bounds, AProductBelowTheExponentsOfItsFormatIsRounded) {
  const FormatLimits& e4m3 = limits(Format::float8);
  const auto rounding = [&](double a, double b) {
    return product_rounding(e4m3, significand_of(a), significand_of(b));
  };
  EXPECT_EQ(rounding(0x1p-11, 1), 0x1p-10) << "one bit, and no exponent for it";
  EXPECT_EQ(rounding(0x1p-11, 4), 0) << "2^-9 is there";
  EXPECT_EQ(rounding(0x3p-11, 4), 0) << "3·2^-9 is there";
  EXPECT_EQ(rounding(0x3p-11, 2), 0x1p-10) << "1.5·2^-9 is not";
  EXPECT_EQ(rounding(0x1p-11, 0), 0);
  EXPECT_EQ(rounding(1.875, 1.875), 0x1p-3) << "3.515625 lies in [2, 4)";
  EXPECT_EQ(rounding(64, 8), HUGE_VAL) << "512 is beyond 448";
  EXPECT_EQ(rounding(64, 7), 0) << "448 is there";
}

TEST(Bounds, ACastIsExactWhereTheFormatHoldsEveryNumberOfTheOther) {
  using enum Format;
  EXPECT_TRUE(holds(float32, bfloat16));
  EXPECT_TRUE(holds(tfloat32, float16));
  EXPECT_TRUE(holds(bfloat16, float8));
  EXPECT_FALSE(holds(float16, bfloat16)) << "more bits, fewer exponents";
  EXPECT_FALSE(holds(bfloat16, float16));
  for (const FormatLimits& wide : kFormatLimits)
    for (const FormatLimits& narrow : kFormatLimits) {
      const auto format = [](const FormatLimits& f) {
        return static_cast<Format>(&f - kFormatLimits.data());
      };
      // Its smallest, its largest and its longest number say it all.
      const Format w = format(wide), n = format(narrow);
      bool all = true;
      for (const double x : {narrow.underflow, narrow.largest, 1 + 2 * narrow.unit_roundoff})
        all = all && round_to(w, x) == x;
      EXPECT_EQ(holds(w, n), all) << wide.name << " of " << narrow.name;
      if (all) {
        EXPECT_EQ(cast_error(n, w).relative, 0);
        EXPECT_EQ(cast_error(n, w).absolute, 0);
      }
    }
  EXPECT_EQ(cast_error(bfloat16, float16).relative, 0);
  EXPECT_EQ(cast_error(bfloat16, float16).absolute, 0x1p-25);
  EXPECT_EQ(cast_error(float16, bfloat16).relative, ubf);
  EXPECT_EQ(cast_error(float16, bfloat16).absolute, 0);
  // And so of a store: no bit is lost here, and numbers below 2^-14 are rounded all the same.
  const StoreError store = store_error(parse_policy("float32,apply=bf16,store=f16"));
  EXPECT_EQ(store.relative, 0);
  EXPECT_EQ(store.absolute, 0x1p-25);
  EXPECT_EQ(store_error(parse_policy("float32,apply=f16,store=tf32")).absolute, 0);
  // float8 below its smallest scale, 2^-126: half of 2^-9 of it, and half the smallest float.
  EXPECT_GE(store_error(parse_policy("float8-store")).absolute, 0x1p-136 + 0x1p-150);
  EXPECT_LE(store_error(parse_policy("float8-store")).absolute, 0x1p-136 * (1 + 1e-3));
}

TEST(NotFinite, TheFirstStageOutOfItsRangeIsNamed) {
  const auto stage = [](const std::string& policy, std::int64_t m, double size, double factor = 1) {
    RotaryEmbedding embedding = default_embedding(8, 0.5);
    embedding.attention_factor = factor;
    const std::vector<double> x(8, size);
    const auto found = first_not_finite({parse_policy(policy), embedding}, m, 3, x, x);
    return found ? std::string(name(found->stage)) + " " + std::string(limits(found->format).name)
                 : std::string("none");
  };
  EXPECT_EQ(stage("float16-positions", 100, 1), "none");
  EXPECT_EQ(stage("float16-positions", 65520, 1), "position f16");
  EXPECT_EQ(stage("float16-positions", 60000, 1), "angle f16") << "60000 · 2^(3/4)";
  EXPECT_EQ(stage("float32,table=e4m3", 100, 1, 500), "table e4m3");
  EXPECT_EQ(stage("float32,apply=f16", 100, 60000), "apply f16");
  EXPECT_EQ(stage("float32,store=f16", 100, 60000), "store f16");
  EXPECT_EQ(stage("float64,store=e4m3", 100, 1e300), "store f32") << "the scale";
  EXPECT_EQ(stage("float32,accumulate=f16", 100, 300), "accumulate f16");
}

TEST(TableByPairs, AreTheEntriesOfTheTable) {
  for (const char* policy : {"ggml", "float32", "angle=bf16,rule=recurrence", "exact"}) {
    const Pipeline p = pipeline(policy, 64);
    TableByPairs columns(p, 500);
    for (std::size_t k = 0; k < p.theta().size(); ++k, columns.next_pair()) {
      ASSERT_EQ(columns.pair(), k);
      for (std::int64_t m = 0; m <= 500; ++m) {
        const CosSin entry = columns.entry(m), expected = p.table_entry(m, k);
        ASSERT_EQ(entry.cos, expected.cos) << policy << ", position " << m << ", pair " << k;
        ASSERT_EQ(entry.sin, expected.sin) << policy << ", position " << m << ", pair " << k;
      }
    }
  }
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

TEST(Bounds, LengthsAreNeverLostToOverflowOrUnderflow) {
  for (const double size : {0x1p-1074, 0x1p-1040, 1e-300, 1e-170, 1.0, 1e154, 1e200, 1e307}) {
    const std::vector<double> x = {3 * size, 4 * size, 0, -12 * size};
    EXPECT_GE(vector_length(x), 13 * size) << size;
    EXPECT_LE(vector_length(x), 13 * size * (1 + 4 * u64) + 0x1p-1073) << size;
    if (size > 1e-307) {
      EXPECT_NEAR(pair_weight(3 * size, -4 * size, 0, 2 / size), 10, 1e-13) << size;
    }
  }
  EXPECT_EQ(vector_length(std::vector<double>(4)), 0);
  EXPECT_TRUE(std::isnan(vector_length(std::vector<double>{1, std::nan("")})));
  EXPECT_TRUE(std::isnan(pair_weight(1, std::nan(""), 1, 1)));
}

TEST(Bounds, RunningErrorOfAFloat8StoreKnowsItsScale) {
  RotaryEmbedding embedding = default_embedding(2, 10000);
  embedding.head_dim = 4;
  const Pipeline p(*find_policy("float8-store"), embedding);
  const std::vector<double> one = {1}, zero = {0}, x = {3, 0.25, 112, 5};
  std::vector<double> y(4), errors(4);
  p.rotate_blocks({one, zero, zero}, x, y);
  EXPECT_EQ(y, std::vector<double>({3, 0.25, 112, 5})) << "scale 1/4: 12, 1, 448 and 20 are there";
  rotation_running_error(p, {one, zero, zero}, x, y, errors);
  const double absolute = 0x1p-10 * 0.25;
  EXPECT_NEAR(errors[0], u8 * 3 + absolute, 20 * u32);
  EXPECT_NEAR(errors[1], u8 * 0.25 + absolute, 2 * u32);
  EXPECT_GE(errors[1], (u8 + 4 * u32) * 0.25 + absolute);
  EXPECT_EQ(errors[2], 0) << "what passes through is seen";
  y[3] = 4.5;
  rotation_running_error(p, {one, zero, zero}, x, y, errors);
  EXPECT_EQ(errors[3], 0.5);
}

TEST(Bounds, RunningErrorOfASumPropagatesThoseOfItsVectors) {
  const Pipeline p = pipeline("float32", 2);
  const std::vector<double> a = {1, -2}, b = {3, 4}, da = {0.5, 0.25}, db = {0.125, 1};
  const Score score = p.dot(a, b);  // 3 − 8 = −5
  const ScoreError both = dot_running_error(p, {a, da}, {b, db}, score);
  const double propagated = 3 * 0.5 + 1 * 0.125 + 0.5 * 0.125 + 4 * 0.25 + 2 * 1 + 0.25 * 1;
  expect_bound(both.rigorous, propagated + u32 * (3 + 8 + 5));
  EXPECT_DOUBLE_EQ(static_cast<double>(both.squares),
                   1.5 * 1.5 + 0.125 * 0.125 + 1 + 4 + u32 * u32 * (9 + 64 + 25));
  const ScoreError right = dot_running_error(p, {a, {}}, {b, db}, score);
  expect_bound(right.rigorous, 0.125 + 2 + u32 * 16);
  EXPECT_DOUBLE_EQ(static_cast<double>(right.squares), 0.125 * 0.125 + 4 + u32 * u32 * 98);
  EXPECT_DOUBLE_EQ(static_cast<double>(dot_running_error(p, {a, {}}, {b, {}}, score).squares),
                   u32 * u32 * 98);
  const Pipeline exact = pipeline("bfloat16-table", 2);
  expect_bound(dot_running_error(exact, {a, {}}, {b, {}}, exact.dot(a, b)).rigorous, u32 * 5);
  const Pipeline half = pipeline("float32,accumulate=f16", 2);
  expect_bound(dot_running_error(half, {a, {}}, {b, {}}, half.dot(a, b)).rigorous,
               u11 * 16 + 2 * 0x1p-25, "and what underflows");
}

}  // namespace
}  // namespace rope
