// What is promised of rotated vectors and of scores, a priori and from the numbers that arose.

#include "rope/precision/running_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "expected_bounds.hpp"
#include "rope/precision/length.hpp"
#include "rope/precision/not_finite.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/precision/store_error.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/exact_real.hpp"

namespace rope {
namespace {

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

TEST(Bounds, LengthsAreRoundedOnce) {
  RandomStream random(3, 0);
  std::vector<double> x(128);
  for (int i = 0; i < 500; ++i) {
    random.fill_normal(x);
    ExactReal squares = 0;
    for (const double value : x) squares += ExactReal(value) * ExactReal(value);
    EXPECT_EQ(vector_length(x), static_cast<double>(sqrt(squares))) << i;
    const auto square = [&](std::size_t k) { return ExactReal(x[k]) * ExactReal(x[k]); };
    EXPECT_EQ(pair_weight(x[0], x[1], x[2], x[3]),
              static_cast<double>(sqrt((square(0) + square(1)) * (square(2) + square(3)))))
        << i;
  }
}

TEST(Bounds, LengthsOfAllPairsAreThoseOfEach) {
  RotaryEmbedding embedding = default_embedding(6, 10000, PairLayout::half);
  embedding.head_dim = 9;
  RandomStream random(4, 0);
  PairLengths lengths;
  std::vector<double> q(9), k(9);
  for (const double size : {1.0, 0.0, 0x1p-300, 0x1p300, 1e-310}) {
    random.fill_normal(q);
    random.fill_normal(k);
    q[1] = 0;
    for (double& value : k) value *= size;
    lengths.take(embedding, q, k);
    EXPECT_EQ(lengths.q(), vector_length(q)) << size;
    EXPECT_EQ(lengths.k(), vector_length(k)) << size;
    for (std::size_t pair = 0; pair < 3; ++pair)
      EXPECT_EQ(lengths.weights()[pair], pair_weight(q[pair], q[pair + 3], k[pair], k[pair + 3]))
          << size;
  }
}

TEST(Bounds, TwoScoresSideBySideAreThoseOfEachAlone) {
  RandomStream random(5, 0);
  std::vector<std::vector<double>> v(8, std::vector<double>(7));
  for (std::vector<double>& x : v) random.fill_normal(x);
  for (std::size_t i = 1; i < 8; i += 2)
    for (double& error : v[i]) error = std::abs(error) * 0x1p-20;
  for (const char* first : {"exact", "float32", "bfloat16-table", "float64-pairwise"})
    for (const char* second : {"exact", "float32"}) {
      const Pipeline p = pipeline(first, 2), q = pipeline(second, 2);
      const ScoreTask one{p, {v[0], v[1]}, {v[2], v[3]}}, other{q, {v[4], v[5]}, {v[6], v[7]}};
      const auto both = bounded_scores(one, other);
      for (const auto& [task, found] : {std::pair{one, both[0]}, {other, both[1]}}) {
        const Score alone = task.pipeline.dot(task.a.values, task.b.values);
        EXPECT_EQ(found.score.value, alone.value) << first << ", " << second;
        EXPECT_EQ(found.score.magnitudes, alone.magnitudes) << first << ", " << second;
        EXPECT_EQ(found.error, dot_running_error(task.pipeline, task.a, task.b, alone));
      }
    }
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
  const double propagated = 3 * 0.5 + 1 * 0.125 + 0.5 * 0.125 + 4 * 0.25 + 2 * 1 + 0.25 * 1;
  expect_bound(dot_running_error(p, {a, da}, {b, db}, score), propagated + u32 * (3 + 8 + 5));
  const auto errors = [&p](VectorWithError x, VectorWithError y) {
    std::vector<double> all;
    add_dot_errors(p, x, y, all);
    return all;
  };
  const std::vector<double> rounded = {u32 * 3, -u32 * 8, -u32 * 5};
  std::vector<double> expected = {1.5, 0.125, 1, 2};
  expected.insert(expected.end(), rounded.begin(), rounded.end());
  EXPECT_EQ(errors({a, da}, {b, db}), expected);
  expect_bound(dot_running_error(p, {a, {}}, {b, db}, score), 0.125 + 2 + u32 * 16);
  expected[0] = expected[2] = 0;
  EXPECT_EQ(errors({a, {}}, {b, db}), expected);
  expected[1] = expected[3] = 0;
  EXPECT_EQ(errors({a, {}}, {b, {}}), expected);
  const Pipeline exact = pipeline("bfloat16-table", 2);
  expect_bound(dot_running_error(exact, {a, {}}, {b, {}}, exact.dot(a, b)), u32 * 5);
  const Pipeline half = pipeline("float32,accumulate=f16", 2);
  expect_bound(dot_running_error(half, {a, {}}, {b, {}}, half.dot(a, b)), u11 * 16 + 2 * 0x1p-25,
               "and what underflows");
}

}  // namespace
}  // namespace rope
