// The largest errors and first positions, against a look at every m, n and pair.
#include "rope/precision/first_position.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rope/precision/exact_search.hpp"
#include "rope/precision/policy.hpp"

namespace rope {
namespace {

using Wide = std::complex<long double>;

constexpr std::array<double, 4> kTolerances = {1e-3, 1e-2, 1e-1, 1};
constexpr std::array<std::int64_t, 4> kLengths = {1, 7, 64, 400};

Wide wide(const CosSin& entry) {
  return {static_cast<long double>(entry.cos), static_cast<long double>(entry.sin)};
}

/// The largest error of any pair and m at every n up to the last.
std::vector<long double> look_at_all(const Pipeline& pipeline, Against against, std::int64_t last) {
  const auto factor = static_cast<long double>(pipeline.embedding().attention_factor);
  const std::size_t positions = static_cast<std::size_t>(last) + 1;
  std::vector<long double> squares(positions);
  for (std::size_t k = 0; k < pipeline.theta().size(); ++k) {
    std::vector<Wide> entry, right;
    for (std::int64_t p = 0; p <= last; ++p) {
      const CosSin made = pipeline.table_entry(p, k);
      const CosSin exact = cos_sin(p * pipeline.embedding().frequencies.turns[k]);
      entry.push_back(wide(made) / factor);
      right.push_back(against == Against::identity ? entry.back() : wide(exact));
    }
    for (std::size_t n = 0; n < positions; ++n)
      for (std::size_t m = 0; m <= n; ++m) {
        const Wide &a = entry[m], &b = entry[n], &c = right[n - m];
        const long double x = a.real() * b.real() + a.imag() * b.imag() - c.real();
        const long double y = a.real() * b.imag() - a.imag() * b.real() - c.imag();
        squares[n] = std::max(squares[n], x * x + y * y);
      }
  }
  for (long double& square : squares) square = std::sqrt(square);
  return squares;
}

/// The first n with an error above the tolerance; −1 if there is none.
std::int64_t first_above(double tolerance, const std::vector<long double>& errors) {
  const auto first = std::ranges::find_if(
      errors, [&](long double error) { return error > static_cast<long double>(tolerance); });
  return first == errors.end() ? -1 : first - errors.begin();
}

void expect_all_found(const Pipeline& pipeline, const std::string& what,
                      const std::array<std::int64_t, 4>& lengths = kLengths) {
  for (const Against against : {Against::identity, Against::exact}) {
    SearchOptions options;
    options.exhaustive = options.last = lengths.back();
    const SearchResult found = search_errors(pipeline, against, kTolerances, lengths, options);
    const std::vector<long double> all = look_at_all(pipeline, against, lengths.back());
    const std::string where = what + (against == Against::exact ? ", exact" : ", identity");
    ASSERT_EQ(found.largest.size(), lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const LargestError& largest = found.largest[i];
      const auto error =
          static_cast<double>(*std::max_element(all.begin(), all.begin() + lengths[i] + 1));
      EXPECT_TRUE(largest.all) << where;
      // What is found is there, but for the roundings of A cos and A sin in position_error, and
      // nothing is larger than it says.
      EXPECT_LE(largest.found.error, error * (1 + 1e-15) + 0x1p-52) << where << " " << lengths[i];
      EXPECT_GE(largest.found.error * (1 + kLargestWithin) + kSearchNoise, error)
          << where << " " << lengths[i];
      EXPECT_LE(largest.found.n, lengths[i]);
      const std::int64_t first = found.first[i].found ? found.first[i].found->n : -1;
      EXPECT_EQ(first, first_above(kTolerances[i], all)) << where << " > " << kTolerances[i];
      // Few errors are above this one. Those of a double are below what the search knows.
      const std::array tolerance = {error * (1 - 0x1p-9)};
      if (error < 1e-9) continue;
      const SearchResult again = search_errors(pipeline, against, tolerance, lengths, options);
      ASSERT_TRUE(again.first[0].found) << where << " > " << tolerance[0];
      EXPECT_EQ(again.first[0].found->n, first_above(tolerance[0], all))
          << where << " > " << tolerance[0];
    }
  }
}

TEST(LargestErrors, AreThoseOfALookAtEveryPairOfPositions) {
  for (const Policy& policy : policies())
    for (const double base : {10000.0, 2.0, 0.5, 1e9})
      expect_all_found(Pipeline(policy, default_embedding(6, base)),
                       policy.name + ", base " + std::to_string(base));
}

TEST(LargestErrors, AreThoseOfALookAtThousandsOfPositions) {
  for (const std::string policy : {"float32", "tf32", "bfloat16-table", "bfloat16-positions"})
    expect_all_found(Pipeline(*find_policy(policy), default_embedding(4, 10000)), policy,
                     {250, 500, 1000, 2000});
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

TEST(LargestErrors, AreNotSaidToBeTheLargestWhereTheSearchGaveUp) {
  constexpr std::array<std::int64_t, 4> kLong = {4096, 6000, 8191, 8192};
  bool gave_up = false;
  for (const std::string policy : {"float32", "tf32", "bfloat16-table", "bfloat16-positions"}) {
    // Of few pairs: what the search of one leaves out, none of the others finds.
    const std::size_t dim = policy == "bfloat16-table" ? 2 : policy == "tf32" ? 8 : 4;
    const Pipeline pipeline(*find_policy(policy), default_embedding(dim, 10000));
    SearchOptions options;
    options.exhaustive = options.last = kLong.back();
    const auto search = [&](std::int64_t steps) {
      options.steps = steps;
      return search_errors(pipeline, Against::identity, kTolerances, kLong, options);
    };
    const SearchResult whole = search(SearchOptions().steps);
    for (const std::int64_t steps : {0, 100, 10000, 1000000}) {
      const SearchResult found = search(steps);
      for (std::size_t i = 0; i < kLong.size(); ++i) {
        ASSERT_TRUE(whole.largest[i].all);
        gave_up = gave_up || !found.largest[i].all;
        if (found.largest[i].all) {
          EXPECT_GE(found.largest[i].found.error * (1 + kLargestWithin) + kSearchNoise,
                    whole.largest[i].found.error)
              << policy << " " << kLong[i] << " " << steps;
        }
        // These never give up.
        EXPECT_EQ(found.first[i].found.has_value(), whole.first[i].found.has_value());
        EXPECT_EQ(found.first[i].not_up_to, whole.first[i].not_up_to) << policy << " " << steps;
      }
    }
  }
  EXPECT_TRUE(gave_up);
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

// The largest of float64 errors are at 10^13 and beyond, where no search looks at all.
TEST(FirstPositions, AreFoundCertifiedOrBracketed) {
  constexpr std::array<std::int64_t, 0> kNone = {};
  SearchOptions options;
  options.exhaustive = 4096;
  options.last = 1'000'000'000'000'000;
  const auto first = [&](const char* policy, Against against, double tolerance = 1e-3) {
    const Pipeline pipeline(*find_policy(policy), default_embedding(128, 10000));
    return search_errors(pipeline, against, std::span(&tolerance, 1), kNone, options).first[0];
  };
  EXPECT_EQ(first("tf32", Against::identity).known(), Known::found) << "2049";
  const FirstPosition certified = first("float64", Against::identity);
  EXPECT_EQ(certified.known(), Known::certified);
  EXPECT_GT(certified.not_up_to, 1'000'000'000'000);
  EXPECT_EQ(first("float64", Against::exact).known(), Known::bracketed);
  EXPECT_EQ(first("exact", Against::identity).known(), std::nullopt);
  // Position 2051 is the first with an error of 1, and the bound says nothing from 2050 on.
  for (const auto& [looked_at, known] :
       {std::pair(2049, Known::bracketed), {2050, Known::found}, {2051, Known::found}}) {
    options.exhaustive = looked_at;
    options.last = 10000;
    EXPECT_EQ(first("tf32", Against::identity, 1).known(), known) << looked_at;
  }
}

/// Its bits depend on no standard library's complex numbers: libc++ divides them in other steps.
TEST(FirstPositions, HaveErrorsOfProductsAndSumsInOneOrder) {
  constexpr std::int64_t kLast = 400;
  std::size_t found = 0;
  for (const char* policy : {"float32", "bfloat16-table", "bfloat16-positions"}) {
    const Pipeline pipeline(*find_policy(policy), default_embedding(8, 10000));
    TableByPairs columns(pipeline, kLast);
    EntryErrors errors(pipeline, Against::exact, kLast);
    ExactSearch search(errors);
    std::int64_t steps = 0;
    for (std::size_t k = 0; k < pipeline.theta().size(); ++k, columns.next_pair()) {
      errors.take(columns, kLast);
      search.start();
      search.scan(0, 0, kLast, steps, [&](const FoundError& error) {
        const std::complex<double> m = errors[error.m], n = errors[error.n];
        const double real = (1 + n.real()) * m.real() + n.imag() * m.imag() + n.real();
        const double imag = n.imag() * m.real() - (1 + n.real()) * m.imag() + n.imag();
        EXPECT_EQ(error.error, std::sqrt(real * real + imag * imag))
            << policy << " " << error.m << " " << error.n;
        ++found;
        return error.error;
      });
    }
  }
  EXPECT_GT(found, 50);
}

TEST(SampledErrors, OfFewPositionsAreTheLargestOfEveryPair) {
  constexpr std::array<std::int64_t, 3> kFew = {4, 13, 22};  // all m, n are taken up to 22
  RotaryEmbedding embedding = default_embedding(16, 100);
  for (const double factor : {1.0, 1.1386294361119891}) {
    embedding.attention_factor = factor;
    for (const Policy& policy : policies())
      for (const Against against : {Against::identity, Against::exact}) {
        const Pipeline pipeline(policy, embedding);
        const std::vector<PositionError> sampled = sample_errors(pipeline, against, kFew);
        for (std::size_t i = 0; i < kFew.size(); ++i)
          for (std::size_t k = 0; k < pipeline.theta().size(); ++k) {
            double largest = 0;
            for (std::int64_t n = 0; n <= kFew[i]; ++n)
              for (std::int64_t m = 0; m <= n; ++m)
                largest = std::max(largest, position_error(pipeline, against, m, n, k));
            EXPECT_EQ(sampled[i].per_pair[k], largest) << policy.name << " " << kFew[i];
          }
      }
  }
}

}  // namespace
}  // namespace rope
