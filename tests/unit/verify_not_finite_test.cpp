// NaN and infinities, at every place of everything that is judged: none of them passes.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "rope/error.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "rope/verify/multiprecision.hpp"
#include "rope/verify/output_check.hpp"
#include "rope/verify/verification.hpp"

namespace rope {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kBad = {kNan, -kNan, kInfinity, -kInfinity};

/// Two dimensions pass through.
RotaryEmbedding embedding_of(PairLayout layout, double factor) {
  RotaryEmbedding embedding = default_embedding(6, 10000, layout);
  embedding.head_dim = 8;
  embedding.attention_factor = factor;
  return embedding;
}

/// Calls with every policy, both layouts, and attention factors of 1 and of others.
template <typename Action>
void for_all(Action action) {
  for (const Policy& policy : policies())
    for (const PairLayout layout : {PairLayout::interleaved, PairLayout::half})
      for (const double factor : {1.0, 1.25, 0.5}) action(policy, embedding_of(layout, factor));
}

/// An input that the policy takes.
std::vector<double> input(const Policy& policy, std::size_t dim) {
  std::vector<double> x(dim);
  RandomStream(5, 0).fill_normal(x);
  for (double& value : x) value = round_to(policy.input(), value);
  return x;
}

constexpr std::int64_t kPosition = 3;

TEST(NotFinite, NoPlaceOfAResultMayHoldIt) {
  for_all([](const Policy& policy, const RotaryEmbedding& embedding) {
    const Pipeline pipeline(policy, embedding);
    const std::vector<double> x = input(policy, embedding.head_dim);
    std::vector<double> right(x.size());
    RotationRow row;
    pipeline.table_row(kPosition, row);
    pipeline.rotate(RotationForm::elementwise, row, x, right);
    for (const Format type : {Format::float64, Format::float32, Format::float16, Format::bfloat16})
      for (std::size_t i = 0; i < x.size(); ++i)
        for (const double bad : kBad) {
          std::vector<double> y = right;
          y[i] = bad;
          OutputCheck check(policy, embedding, type);
          check.add_vector(0, kPosition, x, y);
          const OutputReport& report = check.report();
          EXPECT_GE(report.violations, 1U) << policy.name << " dimension " << i << " " << bad;
          EXPECT_EQ(report.verdict(embedding), Verdict::fail);
          EXPECT_TRUE(report.worst.violated());
          // Right ones before and after do not make it forgotten.
          check.add_vector(1, kPosition, x, right);
          EXPECT_TRUE(check.report().worst.violated());
          EXPECT_FALSE(std::isfinite(check.report().worst.error));
        }
  });
}

TEST(NotFinite, NoPlaceOfAnInputMayHoldIt) {
  for_all([](const Policy& policy, const RotaryEmbedding& embedding) {
    for (std::size_t i = 0; i < embedding.head_dim; ++i)
      for (const double bad : kBad) {
        std::vector<double> x = input(policy, embedding.head_dim);
        x[i] = bad;
        OutputCheck check(policy, embedding);
        EXPECT_THROW(check.add_vector(0, kPosition, x, x), DomainError) << policy.name << " " << i;
      }
  });
}

TEST(NotFinite, NoPlaceOfATableMayHoldIt) {
  for_all([](const Policy& policy, const RotaryEmbedding& embedding) {
    RotationRow row;
    Pipeline(policy, embedding).table_row(kPosition, row);
    for (const bool wide : {false, true}) {
      std::vector<double> cos = row.cos, sin = row.sin;
      if (wide) {
        cos.resize(embedding.rotary_dim());
        sin.resize(cos.size());
        for (std::size_t k = 0; k < embedding.pairs(); ++k) {
          const auto [i, j] = embedding.dimensions(k);
          cos[i] = cos[j] = row.cos[k];
          sin[i] = sin[j] = row.sin[k];
        }
      }
      for (std::size_t i = 0; i < 2 * cos.size(); ++i)
        for (const double bad : kBad) {
          std::vector<double> c = cos, s = sin;
          (i < c.size() ? c[i] : s[i - c.size()]) = bad;
          OutputCheck check(policy, embedding, Format::bfloat16);
          check.add_row(0, kPosition, c, s);
          EXPECT_EQ(check.report().verdict(embedding), Verdict::fail)
              << policy.name << (wide ? " wide " : " narrow ") << i << " " << bad;
        }
    }
  });
}

TEST(NotFinite, NoPlaceOfAQueryOrAKeyMayHoldIt) {
  for_all([](const Policy& policy, const RotaryEmbedding& embedding) {
    VerifyOptions options;
    options.embedding = embedding;
    options.layouts = {embedding.layout};
    options.policy = policy;
    VerifyCase given;
    given.m = 5;
    given.n = 2;
    for (std::size_t i = 0; i < 2 * embedding.head_dim; ++i)
      for (const double bad : kBad) {
        given.q = given.k = input(policy, embedding.head_dim);
        (i < 8 ? given.q[i] : given.k[i - 8]) = bad;
        options.given = given;
        EXPECT_THROW(verify(options), DomainError) << policy.name << " " << i << " " << bad;
        EXPECT_THROW(verify_in_bits(options, {53}), DomainError) << i << " " << bad;
      }
  });
}

TEST(NotFinite, NoFrequencyMayBe) {
  for (std::size_t i = 0; i < 3; ++i)
    for (const double bad : kBad) {
      std::vector<double> theta = {1, 0.1, 0.01};
      theta[i] = bad;
      EXPECT_THROW(given_frequencies(theta), DomainError);
    }
}

/// One of the three rotors has entries that are no numbers.
template <RotorSpec SchemeSpec::*rotor, std::size_t bad>
SchemeSpec with_bad(const RotaryEmbedding& right) {
  SchemeSpec spec = right_scheme(right);
  (spec.*rotor).factor = kBad.at(bad);
  return spec;
}

TEST(NotFinite, NoRotorOfASchemeMayMakeIt) {
  for (const auto plant : {with_bad<&SchemeSpec::query, 0>, with_bad<&SchemeSpec::key, 0>,
                           with_bad<&SchemeSpec::relative, 0>, with_bad<&SchemeSpec::query, 2>,
                           with_bad<&SchemeSpec::key, 2>, with_bad<&SchemeSpec::relative, 2>})
    for (const char* policy : {"exact", "float64", "float32", "bfloat16-table", "float8-store"}) {
      VerifyOptions options;
      options.embedding = default_embedding(8, 10000);
      options.layouts = {PairLayout::interleaved, PairLayout::half};
      options.policy = *find_policy(policy);
      options.trials = 24;
      options.control = Control{"bad", "an entry that is no number", plant, false};
      const VerifyReport report = verify(options);
      EXPECT_EQ(report.verdict, Verdict::fail) << policy;
      EXPECT_EQ(report.not_finite, 24U) << policy;
      EXPECT_GT(report.faithfulness.violations, 0U) << policy;
      EXPECT_FALSE(std::isfinite(report.faithfulness.error)) << policy;
    }
}

}  // namespace
}  // namespace rope
