// What bounds.hpp promises where tables at several positions are compared.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "expected_bounds.hpp"

#include "rope/precision/rounding.hpp"

namespace rope {
namespace {

/// D of a pipeline whose θ̂_i may be any number of its format within what is granted.
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

TEST(Bounds, UpToAPositionAnyTwoPositionsMayBeRoundedByHalfTheirGaps) {
  // Angles of 53 bits: nothing but positions of 8 bits is rounded visibly.
  const double theta = 0.07;
  RotaryEmbedding slow = default_embedding(2, 1e4);
  slow.frequencies = given_frequencies(std::vector{theta});
  slow.base.reset();
  const Pipeline p(parse_policy("frequency=f64,angle=f64,position=bf16"), slow);
  const ErrorBounds bounds(p);
  const auto half_gap = [](int position) {
    return position <= 256 ? 0.0 : std::ldexp(1.0, std::ilogb(position) - 8);
  };
  for (const int last : {300, 700, 1030, 1540, 1900, 2500}) {
    double both = 0;
    for (int m = 0; m <= last; ++m) both = std::max(both, half_gap(m) + half_gap(last - m));
    EXPECT_GE(bounds.identity_up_to(last, 0), chord(theta * (half_gap(last) + both))) << last;
  }
}

TEST(TableByPairs, AreTheEntriesOfTheTable) {
  for (const char* policy :
       {"ggml", "float32", "angle=bf16,rule=recurrence", "exact", "bfloat16-positions"}) {
    const Pipeline p = pipeline(policy, 64);
    TableByPairs columns(p, 500);
    for (std::size_t k = 0; k < p.theta().size(); ++k, columns.next_pair()) {
      ASSERT_EQ(columns.pair(), k);
      std::vector<double> cos(498), sin(498);
      columns.take(3, cos, sin);
      for (std::size_t i = 0; i < cos.size(); ++i) {
        const auto m = static_cast<std::int64_t>(3 + i);
        const CosSin expected = p.table_entry(m, k);
        ASSERT_EQ(cos[i], expected.cos) << policy << ", position " << m << ", pair " << k;
        ASSERT_EQ(sin[i], expected.sin) << policy << ", position " << m << ", pair " << k;
      }
    }
  }
}

}  // namespace
}  // namespace rope
