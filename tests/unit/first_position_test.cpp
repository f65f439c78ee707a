// The largest errors and first positions, against a look at every m, n and pair.
#include "rope/precision/first_position.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "rope/precision/policy.hpp"

namespace rope {
namespace {

using Wide = std::complex<long double>;

constexpr std::array<double, 4> kTolerances = {1e-3, 1e-2, 1e-1, 1};
constexpr std::array<std::int64_t, 4> kLengths = {1, 7, 64, 400};

/// All that a plain look finds.
struct All {
  std::array<long double, 4> largest{};  ///< up to each of kLengths
  std::array<std::int64_t, 4> first{-1, -1, -1, -1};
};

Wide wide(const CosSin& entry) {
  return {static_cast<long double>(entry.cos), static_cast<long double>(entry.sin)};
}

All look_at_all(const Pipeline& pipeline, Against against) {
  const auto factor = static_cast<long double>(pipeline.embedding().attention_factor);
  const std::int64_t last = kLengths.back();
  All all;
  for (std::size_t k = 0; k < pipeline.theta().size(); ++k) {
    std::vector<Wide> entry, right;
    for (std::int64_t p = 0; p <= last; ++p) {
      const CosSin made = pipeline.table_entry(p, k);
      const CosSin exact = cos_sin(p * pipeline.embedding().frequencies.turns[k]);
      entry.push_back(wide(made) / factor);
      right.push_back(against == Against::identity ? entry.back() : wide(exact));
    }
    const auto at = [](std::int64_t p) { return static_cast<std::size_t>(p); };
    for (std::int64_t n = 0; n <= last; ++n)
      for (std::int64_t m = 0; m <= n; ++m) {
        const long double error =
            std::abs(std::conj(entry[at(m)]) * entry[at(n)] - right[at(n - m)]);
        for (std::size_t i = 0; i < kLengths.size(); ++i) {
          if (n <= kLengths[i]) all.largest[i] = std::max(all.largest[i], error);
          std::int64_t& first = all.first[i];
          if (error > static_cast<long double>(kTolerances[i]) && (first < 0 || n < first))
            first = n;
        }
      }
  }
  return all;
}

void expect_all_found(const Pipeline& pipeline, const std::string& what) {
  for (const Against against : {Against::identity, Against::exact}) {
    SearchOptions options;
    options.exhaustive = options.last = kLengths.back();
    const SearchResult found = search_errors(pipeline, against, kTolerances, kLengths, options);
    const All all = look_at_all(pipeline, against);
    const std::string where = what + (against == Against::exact ? ", exact" : ", identity");
    ASSERT_EQ(found.largest.size(), kLengths.size());
    for (std::size_t i = 0; i < kLengths.size(); ++i) {
      const LargestError& largest = found.largest[i];
      const auto error = static_cast<double>(all.largest[i]);
      EXPECT_TRUE(largest.all) << where;
      // What is found is there, but for the roundings of A cos and A sin in position_error, and
      // nothing is larger than it says.
      EXPECT_LE(largest.found.error, error * (1 + 1e-15) + 0x1p-52) << where << " " << kLengths[i];
      EXPECT_GE(largest.found.error * (1 + kLargestWithin) + kSearchNoise, error)
          << where << " " << kLengths[i];
      EXPECT_LE(largest.found.n, kLengths[i]);
      const std::int64_t first = found.first[i].found ? found.first[i].found->n : -1;
      EXPECT_EQ(first, all.first[i]) << where << " > " << kTolerances[i];
    }
  }
}

TEST(LargestErrors, AreThoseOfALookAtEveryPairOfPositions) {
  for (const Policy& policy : policies())
    for (const double base : {10000.0, 2.0, 0.5, 1e9})
      expect_all_found(Pipeline(policy, default_embedding(6, base)),
                       policy.name + ", base " + std::to_string(base));
}

TEST(LargestErrors, OfFrequenciesThatAreZeroSlowOrFast) {
  for (const char* policy : {"float32", "ggml", "tf32", "bfloat16-positions", "float64"})
    for (const std::vector<double>& theta :
         {std::vector<double>{0}, {0, 0.5}, {1, 0}, {1e-300}, {3}, {100, 1e-9}}) {
      RotaryEmbedding embedding = default_embedding(2 * theta.size(), 10000);
      embedding.base.reset();
      embedding.frequencies = given_frequencies(theta);
      expect_all_found(Pipeline(*find_policy(policy), embedding), policy);
    }
}

TEST(LargestErrors, AreRelativeToTheAttentionFactor) {
  RotaryEmbedding embedding = default_embedding(8, 10000);
  embedding.attention_factor = 1.1386294361119891;
  for (const char* policy : {"float32", "bfloat16-table", "float16-positions"})
    expect_all_found(Pipeline(*find_policy(policy), embedding), policy);
}

TEST(LargestErrors, ThatAreNoNumbersAreInfinite) {
  // Angles beyond the largest number of float16: 60000·2.
  const RotaryEmbedding embedding = default_embedding(8, 0.5);
  const Pipeline pipeline(*find_policy("float16-positions"), embedding);
  constexpr std::array<std::int64_t, 2> kTwo = {1024, 65536};
  SearchOptions options;
  options.exhaustive = options.last = 65536;
  for (const Against against : {Against::identity, Against::exact}) {
    const SearchResult found = search_errors(pipeline, against, kTolerances, kTwo, options);
    if (found.largest.size() < 2) continue;  // no such position in float16
    EXPECT_TRUE(std::isinf(found.largest[1].found.error));
  }
  constexpr std::array<std::int64_t, 1> kOne = {40000};
  const std::vector<PositionError> sampled = sample_errors(pipeline, Against::identity, kOne);
  EXPECT_FALSE(sampled[0].worst.error <= 2) << sampled[0].worst.error;
}

}  // namespace
}  // namespace rope
