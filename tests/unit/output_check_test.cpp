// Does this output stay within what the policy allows? Right ones must, planted mistakes must not.

#include "rope/verify/output_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rope/error.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"

namespace rope {
namespace {

RotaryEmbedding partial_embedding(double factor = 1) {
  RotaryEmbedding embedding = default_embedding(12, 10000, PairLayout::half);
  embedding.head_dim = 16;
  embedding.attention_factor = factor;
  return embedding;
}

constexpr std::array<std::int64_t, 7> kPositions = {0, 1, -1, 5, 1000, 4095, -131071};

/// What the emulated pipeline makes of random vectors, judged.
template <typename Change>
OutputReport judged(const Policy& policy, const RotaryEmbedding& embedding, Change change) {
  const Pipeline pipeline(policy, embedding);
  OutputCheck check(policy, embedding);
  RotationRow row;
  std::vector<double> x(embedding.head_dim), y(embedding.head_dim);
  for (std::uint64_t v = 0; v < 140; ++v) {
    const std::int64_t position = kPositions.at(v % kPositions.size());
    RandomStream(3, v).fill_normal(x);
    for (double& value : x) value = round_to(policy.input(), std::ldexp(value, int(v % 9) - 4));
    pipeline.table_row(position, row);
    pipeline.rotate(RotationForm::elementwise, row, x, y);
    change(position, x, y);
    check.add_vector(v, position, x, y);
  }
  return check.report();
}

void nothing(std::int64_t, const std::vector<double>&, std::vector<double>&) {}

TEST(OutputCheck, EveryPolicyStaysWithinItsOwnBound) {
  for (const Policy& policy : policies()) {
    // Its frequencies are wrong by more than is granted: that is what its name says.
    if (policy.name == "bfloat16-positions" || policy.name == "float16-positions" ||
        policy.name == "bfloat16-frequencies" || policy.name == "tf32" ||
        policy.name == "float32-frequencies")
      continue;
    for (const double factor : {1.0, 1.25}) {
      const OutputReport report = judged(policy, partial_embedding(factor), nothing);
      EXPECT_TRUE(report.passed()) << policy.name << " " << factor << ": " << report.violations
                                   << ", worst " << report.worst.ratio();
      EXPECT_EQ(report.compared, 140U * (6 + 4));
      EXPECT_GT(report.worst.ratio(), 0.02) << policy.name;
    }
  }
}

TEST(OutputCheck, ABoundIsNotAMultipleOfWhatHappens) {
  // Of 840 pairs the worst comes to a third of what is allowed at least.
  for (const char* name : {"exact", "float64", "float32", "bfloat16-store", "float16-table"})
    EXPECT_GT(judged(*find_policy(name), partial_embedding(), nothing).worst.ratio(), 0.3) << name;
}

TEST(OutputCheck, FindsTheOtherDirection) {
  for (const char* name : {"exact", "float32", "bfloat16-table"}) {
    const Policy policy = *find_policy(name);
    const RotaryEmbedding embedding = partial_embedding();
    const Pipeline pipeline(policy, embedding);
    const OutputReport report =
        judged(policy, embedding, [&](std::int64_t m, const auto& x, auto& y) {
          RotationRow row;
          pipeline.table_row(-m, row);
          pipeline.rotate(RotationForm::elementwise, row, x, y);
        });
    EXPECT_FALSE(report.passed()) << name;
    ASSERT_TRUE(report.first.has_value());
    EXPECT_EQ(report.first->position, 1) << "position 0 cannot tell";
    EXPECT_EQ(report.first->vector, 1U);
    EXPECT_EQ(report.first->pair, 0U);
  }
}

TEST(OutputCheck, FindsOneWrongBitInExactOutput) {
  const OutputReport report =
      judged(*find_policy("exact"), partial_embedding(), [](std::int64_t m, const auto&, auto& y) {
        if (m == 1000) y[2] *= 1 + 0x1p-48;
      });
  EXPECT_GT(report.violations, 0U);
  EXPECT_EQ(report.first->pair, 2U);
  EXPECT_EQ(report.first->position, 1000);
}

TEST(OutputCheck, FindsAChangeInWhatPassesThrough) {
  const OutputReport report = judged(*find_policy("float32"), partial_embedding(),
                                     [](std::int64_t m, const auto&, auto& y) {
                                       if (m == 5) y[13] += 0x1p-40;
                                     });
  EXPECT_EQ(report.violations, 20U);
  EXPECT_TRUE(report.first->passes_through);
  EXPECT_EQ(report.first->pair, 13U);
}

TEST(OutputCheck, FindsAForgottenFactorAndAForgottenPosition) {
  const auto forgotten = [](std::int64_t, const auto& x, auto& y) { y = x; };
  EXPECT_FALSE(judged(*find_policy("float32"), partial_embedding(), forgotten).passed());
  const RotaryEmbedding scaled = partial_embedding(1.01);
  const Pipeline plain(*find_policy("float32"), partial_embedding());
  EXPECT_FALSE(judged(*find_policy("float32"), scaled, [&](std::int64_t m, const auto& x, auto& y) {
                 RotationRow row;
                 plain.table_row(m, row);
                 plain.rotate(RotationForm::elementwise, row, x, y);
               }).passed());
}

TEST(OutputCheck, ANanIsAViolation) {
  const OutputReport report = judged(*find_policy("float32"), partial_embedding(),
                                     [](std::int64_t m, const auto&, auto& y) {
                                       if (m == 1) y[0] = std::numeric_limits<double>::quiet_NaN();
                                       if (m == 5) y[15] = std::numeric_limits<double>::quiet_NaN();
                                     });
  EXPECT_EQ(report.violations, 40U);
  EXPECT_TRUE(std::isnan(report.worst.error));
  EXPECT_TRUE(std::isnan(report.per_pair[0].error));
}

TEST(OutputCheck, RefusesInputsThatThePolicyCannotHaveSeen) {
  const RotaryEmbedding embedding = default_embedding(2, 10000);
  OutputCheck check(*find_policy("bfloat16-table"), embedding);
  const std::vector<double> y{1, 0};
  EXPECT_THROW(check.add_vector(0, 0, std::vector<double>{0.1, 0}, y), DomainError);
  EXPECT_THROW(check.add_vector(0, 0, std::vector<double>{HUGE_VAL, 0}, y), DomainError);
  EXPECT_THROW(check.add_vector(0, 0, std::vector<double>{std::nan(""), 0}, y), DomainError);
  EXPECT_THROW(check.add_vector(0, 0, std::vector<double>{1}, y), ShapeError);
  EXPECT_NO_THROW(check.add_vector(0, 0, std::vector<double>{1, 0}, y));
}

TEST(OutputCheck, SaysWhereNothingCanBeSaid) {
  const RotaryEmbedding embedding = default_embedding(2, 10000);
  OutputCheck check(*find_policy("float32"), embedding);
  const std::vector<double> x{1, 0};
  check.add_vector(0, 1'000'000'007, x, std::vector<double>{0, 1});
  EXPECT_TRUE(check.report().passed());
  EXPECT_EQ(check.report().vacuous, 1U);
}

/// The verdict on the exact outputs of x at these positions.
OutputReport exact_outputs(const RotaryEmbedding& embedding, const Policy& policy,
                           const std::vector<double>& x,
                           const std::vector<std::int64_t>& positions) {
  OutputCheck check(policy, embedding);
  const Pipeline exact(*find_policy("exact"), embedding);
  std::vector<double> y(x.size());
  RotationRow row;
  for (const std::int64_t position : positions) {
    exact.table_row(position, row);
    exact.rotate(RotationForm::elementwise, row, x, y);
    check.add_vector(0, position, x, y);
  }
  return check.report();
}

TEST(OutputCheck, NumbersThatProveNothingDoNotPass) {
  const RotaryEmbedding embedding = default_embedding(8, 10000);
  for (const char* name : {"exact", "float64", "float32", "bfloat16-table", "float8-store"}) {
    const Policy policy = *find_policy(name);
    const std::vector<double> ones(8, 1), zeros(8, 0);
    const auto verdict = [&](const std::vector<double>& x,
                             const std::vector<std::int64_t>& positions) {
      return exact_outputs(embedding, policy, x, positions).verdict(embedding);
    };
    EXPECT_EQ(verdict(zeros, {0, 1, 2, 3}), Verdict::inconclusive) << name;
    EXPECT_EQ(verdict(ones, {0, 0}), Verdict::inconclusive) << name << ": turns nothing";
    EXPECT_EQ(verdict(ones, {1, 1000}), Verdict::pass) << name;
    EXPECT_EQ(verdict(ones, {0, 1000}), Verdict::pass) << name;
    std::vector<double> one_pair = zeros;
    one_pair[2] = 1;
    const OutputReport report = exact_outputs(embedding, policy, one_pair, {1, 1000});
    EXPECT_EQ(report.verdict(embedding), Verdict::inconclusive) << name;
    EXPECT_EQ(report.pairs_that_show(Evidence::none), (std::vector<std::size_t>{0, 2, 3}));
    EXPECT_EQ(report.pairs_that_show(Evidence::turn), std::vector<std::size_t>{1});
    EXPECT_EQ(report.zero, 6U);
    // Zeros beside numbers that prove it are only counted.
    OutputCheck both(policy, embedding);
    both.add_vector(0, 1, zeros, zeros);
    EXPECT_EQ(both.report().zero, 4U);
  }
}

TEST(OutputCheck, SaysWhichPairsTurnTooLittleToBeSeen) {
  // At position 1 pairs 2 and 3 turn by 1e-2 and 1e-3, which bfloat16 does not tell from nothing.
  const RotaryEmbedding embedding = default_embedding(8, 10000);
  const std::vector<double> ones(8, 1);
  const OutputReport narrow = exact_outputs(embedding, *find_policy("bfloat16-table"), ones, {1});
  EXPECT_EQ(narrow.pairs_that_show(Evidence::fixed), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(narrow.verdict(embedding), Verdict::pass);
  EXPECT_TRUE(exact_outputs(embedding, *find_policy("float32"), ones, {1})
                  .pairs_that_show(Evidence::fixed)
                  .empty());
  // What never turns has nothing to show; where everything should turn, something must.
  RotaryEmbedding still = default_embedding(4, 10000);
  still.base.reset();
  still.frequencies = given_frequencies(std::vector<double>{0, 0});
  const std::vector<double> x(4, 1);
  EXPECT_EQ(exact_outputs(still, *find_policy("float32"), x, {1}).verdict(still), Verdict::pass);
  still.frequencies = given_frequencies(std::vector<double>{1e-12, 1e-12});
  EXPECT_EQ(exact_outputs(still, *find_policy("float32"), x, {1}).verdict(still),
            Verdict::inconclusive);
}

TEST(OutputCheck, GrantsTheStepsOfAScalingRuleAndTheCastToItsType) {
  const RotaryEmbedding plain = default_embedding(8, 10000);
  const OutputBounds same(*find_policy("float32"), plain, Format::float32);
  EXPECT_FALSE(same.narrowed);
  EXPECT_EQ(same.hypotheses.rule_roundings, kRuleRoundings);
  const OutputBounds cast(*find_policy("float32"), plain, Format::bfloat16);
  EXPECT_TRUE(cast.narrowed);
  EXPECT_EQ(cast.policy.store, Format::bfloat16);
  EXPECT_EQ(OutputBounds(*find_policy("ggml"), plain).hypotheses.rule_roundings,
            kRuleRoundings + 8);
}

TEST(OutputCheck, JudgesTablesInEveryShape) {
  for (const PairLayout layout : {PairLayout::half, PairLayout::interleaved}) {
    RotaryEmbedding embedding = default_embedding(8, 10000, layout);
    embedding.attention_factor = 1.5;
    const Policy policy = *find_policy("float32");
    const Pipeline pipeline(policy, embedding);
    OutputCheck narrow(policy, embedding), wide(policy, embedding), swapped(policy, embedding);
    for (const std::int64_t position : kPositions) {
      RotationRow row;
      pipeline.table_row(position, row);
      narrow.add_row(0, position, row.cos, row.sin);
      std::vector<double> cos(8), sin(8);
      for (std::size_t k = 0; k < 4; ++k) {
        const auto [i, j] = embedding.dimensions(k);
        cos[i] = cos[j] = row.cos[k];
        sin[i] = sin[j] = row.sin[k];
      }
      wide.add_row(0, position, cos, sin);
      swapped.add_row(0, position, row.sin, row.cos);
    }
    EXPECT_TRUE(narrow.report().passed());
    EXPECT_EQ(narrow.report().compared, 7U * 4);
    EXPECT_TRUE(wide.report().passed());
    EXPECT_EQ(wide.report().compared, 7U * 8);
    EXPECT_FALSE(swapped.report().passed());
    EXPECT_THROW(narrow.add_row(0, 0, std::vector<double>(5), std::vector<double>(5)), ShapeError);
    EXPECT_THROW(narrow.add_row(0, 0, std::vector<double>(4), std::vector<double>(8)), ShapeError);
  }
}

TEST(OutputCheck, AllowsTablesTheCastToTheirOwnType) {
  const RotaryEmbedding embedding = default_embedding(8, 10000);
  const Pipeline exact(*find_policy("exact"), embedding);
  const Policy policy = exact.policy();
  OutputCheck with_cast(policy, embedding, Format::float32), without(policy, embedding),
      narrower(policy, embedding, Format::float32);
  for (const std::int64_t position : kPositions) {
    RotationRow row;
    exact.table_row(position, row);
    for (std::size_t k = 0; k < 4; ++k) {
      row.cos[k] = round_to(Format::float32, row.cos[k]);
      row.sin[k] = round_to(Format::float32, row.sin[k]);
    }
    with_cast.add_row(0, position, row.cos, row.sin);
    without.add_row(0, position, row.cos, row.sin);
    for (double& value : row.cos) value = round_to(Format::bfloat16, value);
    narrower.add_row(0, position, row.cos, row.sin);
  }
  EXPECT_TRUE(with_cast.report().passed());
  EXPECT_GT(with_cast.report().worst.ratio(), 0.3);
  EXPECT_FALSE(without.report().passed());
  EXPECT_FALSE(narrower.report().passed());
}

TEST(OutputCheck, HugeAndTinyNumbersNeitherPassNorFailByOverflow) {
  const RotaryEmbedding embedding = default_embedding(2, 10000);
  const Policy policy = *find_policy("float64");
  const Pipeline pipeline(policy, embedding);
  for (const double size : {0x1p1000, 0x1p600, 0x1p-600, 0x1p-1060}) {
    OutputCheck check(policy, embedding), off(policy, embedding);
    const std::vector<double> x{size, size};
    std::vector<double> y(2);
    RotationRow row;
    pipeline.table_row(3, row);
    pipeline.rotate(RotationForm::elementwise, row, x, y);
    check.add_vector(0, 3, x, y);
    EXPECT_EQ(check.report().verdict(embedding), Verdict::pass) << size;
    off.add_vector(0, 3, x, std::vector<double>{y[1], y[0]});
    EXPECT_FALSE(off.report().passed()) << size;
  }
}

}  // namespace
}  // namespace rope
