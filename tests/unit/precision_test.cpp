// What precision/ promises: formats round as the hardware does, pipelines compute what model code
// computes, and the bounds are the formulas of docs/accuracy.md, number for number.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "rope/error.hpp"
#include "rope/precision/bounds.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/precision/running_error.hpp"
#include "rope/random/random.hpp"

namespace rope {
namespace {

constexpr double u32 = 0x1p-24;
constexpr double u64 = 0x1p-53;
constexpr double kSqrt2 = std::numbers::sqrt2;

Pipeline pipeline(std::string_view policy, std::size_t dim = 128, double base = 10000) {
  return {*find_policy(policy), default_embedding(dim, base)};
}

TEST(Format, RoundsToFloat32WithTiesToEven) {
  EXPECT_EQ(round_to(Format::float32, 1 + 0x1p-24), 1.0);
  EXPECT_EQ(round_to(Format::float32, 1 + 0x1p-24 + 0x1p-50), 1 + 0x1p-23);
  EXPECT_EQ(round_to(Format::float32, 1 + 3 * 0x1p-24), 1 + 0x1p-22);
  EXPECT_EQ(round_to(Format::float64, 1 + 0x1p-50), 1 + 0x1p-50);
}

// What GCC 12 at -O2 and -O3 forgot to round.
[[gnu::noinline]] void turn_pair(double* y, const double* x, double angle) {
  const double a = x[0], b = x[1];
  y[0] = round_to(Format::float32, a * std::cos(angle) - b * std::sin(angle));
  y[1] = round_to(Format::float32, a * std::sin(angle) + b * std::cos(angle));
}

TEST(Format, ADifferenceAndASumSideBySideAreBothRounded) {
  const std::array<double, 2> x = {1.0 / 3, 1.0 / 7};
  std::array<double, 2> y{};
  turn_pair(y.data(), x.data(), 0.7);
  for (const double each : y) EXPECT_LE(significant_bits(each), 24) << each;
}

TEST(Format, UnitRoundoffIsHalfTheGapBehindOne) {
  EXPECT_EQ(2 * limits(Format::float32).unit_roundoff,
            static_cast<double>(std::numeric_limits<float>::epsilon()));
  EXPECT_EQ(2 * limits(Format::float64).unit_roundoff, std::numeric_limits<double>::epsilon());
  EXPECT_EQ(limits(Format::float32).underflow,
            static_cast<double>(std::numeric_limits<float>::denorm_min()));
}

TEST(Policy, IsFoundByItsNameAndOnlyByIt) {
  for (const Policy& policy : policies()) EXPECT_EQ(find_policy(policy.name)->name, policy.name);
  EXPECT_FALSE(find_policy("float31"));
}

double angle_error(const ErrorBounds& bounds, std::int64_t position, std::size_t pair) {
  std::vector<double> errors(64);
  bounds.add_angle_errors(position, errors);
  return errors[pair];
}

/// The float32 pipeline as one would write it with floats.
struct FloatCode {
  static float theta(std::size_t k, std::size_t d) {
    return 1.0F / std::pow(10000.0F, static_cast<float>(2 * k) / static_cast<float>(d));
  }
};

TEST(Pipeline, Float32IsBitForBitWhatFloatCodeComputes) {
  constexpr std::size_t d = 64;
  const Pipeline emulated = pipeline("float32", d);
  RandomStream random(20261121, 0);
  std::vector<double> x(d), y(d), z(d);
  for (const std::int64_t m : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-7},
                               std::int64_t{131071}, (std::int64_t{1} << 24) + 1}) {
    random.fill_normal(x);
    random.fill_normal(z);
    std::vector<float> native(d);
    for (std::size_t i = 0; i < d; ++i) {
      x[i] = static_cast<double>(static_cast<float>(x[i]));
      z[i] = static_cast<double>(static_cast<float>(z[i]));
    }
    for (std::size_t k = 0; k < d / 2; ++k) {
      const float angle = static_cast<float>(m) * FloatCode::theta(k, d);
      const float c = std::cos(angle), s = std::sin(angle);
      const auto a = static_cast<float>(x[2 * k]), b = static_cast<float>(x[2 * k + 1]);
      const float ac = a * c, bs = b * s, as = a * s, bc = b * c;
      native[2 * k] = ac - bs;
      native[2 * k + 1] = as + bc;
    }
    RotationRow row;
    emulated.table_row(m, row);
    emulated.rotate(RotationForm::elementwise, row, x, y);
    float sum = 0;
    for (std::size_t i = 0; i < d; ++i) {
      EXPECT_EQ(y[i], static_cast<double>(native[i])) << "m = " << m << ", dimension " << i;
      const float product = native[i] * static_cast<float>(z[i]);
      sum += product;
    }
    EXPECT_EQ(emulated.dot(y, z).value, static_cast<double>(sum)) << "m = " << m;
  }
}

TEST(Pipeline, Float64TakesPowAndLibm) {
  const Pipeline emulated = pipeline("float64", 128);
  RotationRow row;
  emulated.table_row(4095, row);
  for (const std::size_t k : {0U, 1U, 63U}) {
    const double theta = std::pow(10000.0, -static_cast<double>(2 * k) / 128);
    EXPECT_EQ(row.cos[k], std::cos(4095 * theta));
    EXPECT_EQ(row.sin[k], std::sin(4095 * theta));
  }
}

TEST(Pipeline, ExactIsTheLibrarysOwnRotationInAllThreeForms) {
  const Pipeline exact = pipeline("exact", 8);
  const RotationRow expected = rotation_row(exact.embedding(), 12345);
  RotationRow row;
  exact.table_row(12345, row);
  EXPECT_EQ(row.cos, expected.cos);
  EXPECT_EQ(row.sin, expected.sin);
  const std::vector<double> x = {1, -2, 3, 0.5, -0.25, 7, 1e-3, 4};
  std::vector<double> a(8), b(8), c(8), own(8);
  exact.rotate(RotationForm::elementwise, row, x, a);
  exact.rotate(RotationForm::matrix, row, x, b);
  exact.rotate(RotationForm::complex, row, x, c);
  rotate_elementwise(exact.embedding(), expected, x, own);
  EXPECT_EQ(a, own);
  EXPECT_EQ(b, own);
  EXPECT_EQ(c, own);
}

TEST(Pipeline, RefusesAFrequencyThatTheFormatCannotHold) {
  RotaryEmbedding embedding = default_embedding(4, 1e-18);
  embedding.base = 1e-100;  // 1/powf(0, 0.5) is infinite
  EXPECT_THROW(Pipeline(*find_policy("float32"), embedding), DomainError);
}

TEST(Bounds, ChordIsTheDistanceOnTheUnitCircle) {
  EXPECT_EQ(chord(0), 0);
  EXPECT_NEAR(chord(std::numbers::pi / 3), 1, 2 * u64);
  EXPECT_EQ(chord(100), 2);
}

TEST(Bounds, TableErrorIsThatOfTheFormat) {
  EXPECT_EQ(ErrorBounds(pipeline("exact")).table_error(5), kSqrt2 * kCosSinError);
  EXPECT_EQ(ErrorBounds(pipeline("float64")).table_error(5), kSqrt2 * u64);
  EXPECT_EQ(ErrorBounds(pipeline("float32")).table_error(5), kSqrt2 * u32);
  EXPECT_EQ(ErrorBounds(pipeline("float32"), {.libm_ulp = 2}).table_error(-5), 2 * kSqrt2 * u32);
  EXPECT_EQ(ErrorBounds(pipeline("float32")).table_error(0), 0) << "cos 0 and sin 0 are exact";
}

TEST(Bounds, AngleErrorIsHalfAUnitInTheLastPlaceOfTheAngle) {
  const ErrorBounds bounds(pipeline("float32"));
  EXPECT_EQ(angle_error(bounds, 123457, 0), 0) << "theta_0 = 1: the product is exact";
  // 100000·θ_1 ≈ 86596 lies in [2^16, 2^17): its last place is 2^-7, half of it 2^-8.
  EXPECT_EQ(angle_error(bounds, 100000, 1), 0x1p-8);
  EXPECT_EQ(angle_error(ErrorBounds(pipeline("float64")), 100000, 1), 0x1p-37);
  // 2^24 + 1 is no float: the position itself is off by 1.
  const double theta = pipeline("float32").theta()[0];
  EXPECT_EQ(angle_error(bounds, (std::int64_t{1} << 24) + 1, 0), theta);
  // 2^53 + 1 is no double either, and 2^53 + 1 as a double would hide it.
  EXPECT_EQ(angle_error(ErrorBounds(pipeline("float64")), (std::int64_t{1} << 53) + 1, 0), 1);
}

TEST(Bounds, AngleErrorOfTheExactPolicyIsFarBelowItsTable) {
  const ErrorBounds bounds(pipeline("exact"));
  EXPECT_EQ(angle_error(bounds, 0, 3), 0);
  const double at_2_53 = angle_error(bounds, std::int64_t{1} << 53, 3);
  EXPECT_GT(at_2_53, 2 * std::numbers::pi * 0x1p-64);
  EXPECT_LT(at_2_53, 1e-18);
}

TEST(Bounds, IdentityBoundIsTheChordPlusTheTables) {
  const ErrorBounds bounds(pipeline("float32"));
  const double e = kSqrt2 * u32;
  std::vector<double> per_pair;
  bounds.identity(3, 5, 2, per_pair);
  EXPECT_NEAR(per_pair[0], 3 * e + e * e, 2e-8 * e) << "no angle error in pair 0";
  bounds.identity(100000, 0, -100000, per_pair);
  // R_0 is exact, so only the query's row and the relative one count.
  EXPECT_NEAR(per_pair[1], chord(2 * 0x1p-8) + 2 * e, 2e-8 * per_pair[1]);
}

TEST(Bounds, ShiftBoundCountsFourRows) {
  const ErrorBounds bounds(pipeline("float32"));
  const double e = kSqrt2 * u32;
  std::vector<double> per_pair;
  bounds.shift(3, 5, 2, per_pair);
  EXPECT_NEAR(per_pair[0], 4 * e + 2 * e * e, 2e-8 * e);
}

TEST(Bounds, EvaluationErrorIsThatOfTwoRotationsAndASum) {
  const ErrorBounds bounds(pipeline("float32", 128));
  const double rho = kSqrt2 * 2 * u32, nu = 128 * u32;
  EXPECT_NEAR(bounds.rotated_score(), 2 * rho + nu, 1e-4 * nu);
  EXPECT_NEAR(bounds.relative_score(), rho + nu, 1e-4 * nu);
}

TEST(Bounds, FrequenciesMayBeOffByTheRoundingOfPowAndNoMore) {
  EXPECT_EQ(ErrorBounds(pipeline("exact")).granted_frequency_error(5), 0);
  const ErrorBounds single(pipeline("float32"));
  EXPECT_EQ(single.granted_frequency_error(0), 0);
  const double theta = pipeline("float32").theta()[32];
  EXPECT_NEAR(single.granted_frequency_error(32) / theta, 3 * u32, 1e-6 * u32);
  // d = 96 is no power of two: 2i/d is rounded too, and ln b carries that into θ.
  const ErrorBounds odd(pipeline("float32", 96));
  const double expected = 3 * u32 + 32.0 / 96 * std::log(10000.0) * u32;
  EXPECT_NEAR(odd.granted_frequency_error(16) / pipeline("float32", 96).theta()[16], expected,
              1e-5 * u32);
}

TEST(Bounds, RunningErrorOfARotationAddsItsRoundings) {
  const Pipeline single = pipeline("float32", 2);
  const std::vector<double> c = {0.5}, s = {0.75}, x = {1, 2};
  std::vector<double> y(2), errors(2);
  single.rotate_blocks({c, s, s}, x, y);
  EXPECT_EQ(y[0], 0.5 - 1.5);
  EXPECT_EQ(y[1], 0.75 + 1.0);
  rotation_running_error(single, {c, s, s}, x, y, errors);
  EXPECT_NEAR(errors[0], u32 * (0.5 + 1.5 + 1.0), 1e-6 * u32);
  EXPECT_NEAR(errors[1], u32 * (0.75 + 1.0 + 1.75), 1e-6 * u32);
}

TEST(Bounds, RunningErrorOfTheIdentityBlockIsNothing) {
  const Pipeline single = pipeline("float32", 2);
  const std::vector<double> c = {1}, s = {0}, x = {3, -2};
  std::vector<double> errors(2);
  rotation_running_error(single, {c, s, s}, x, x, errors);
  EXPECT_EQ(errors, std::vector<double>({0, 0}));
}

TEST(Bounds, RunningErrorOfASumCountsProductsAndPartialSums) {
  const Pipeline single = pipeline("float32", 2);
  const std::vector<double> a = {1, 2}, b = {3, 4}, da = {0.5, 0.25};
  const Score score = single.dot(a, b);
  EXPECT_NEAR(dot_running_error(single, {a, {}}, {b, {}}, score), u32 * (3 + 8 + 11), 1e-6 * u32);
  EXPECT_NEAR(dot_running_error(single, {a, da}, {b, {}}, score), 3 * 0.5 + 4 * 0.25 + u32 * 22,
              1e-6 * u32 + 1.1e-8);
}

}  // namespace
}  // namespace rope
