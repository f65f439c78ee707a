// The random streams: the published answers of the generator underneath, and what is made of it.
#include "rope/random/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace rope {
namespace {

constexpr std::uint64_t kSeed = 99;
using Words = std::array<std::uint64_t, 4>;

/// Philox4x64-10 from its definition: ten rounds of two multiplications, the key bumped between.
Words philox(Words counter, std::array<std::uint64_t, 2> key) {
  __extension__ using Wide = unsigned __int128;
  for (int round = 0; round < 10; ++round) {
    const Wide a = static_cast<Wide>(0xD2E7470EE14C6C93U) * counter[0];
    const Wide b = static_cast<Wide>(0xCA5A826395121157U) * counter[2];
    counter = {
        static_cast<std::uint64_t>(b >> 64) ^ counter[1] ^ key[0], static_cast<std::uint64_t>(b),
        static_cast<std::uint64_t>(a >> 64) ^ counter[3] ^ key[1], static_cast<std::uint64_t>(a)};
    key[0] += 0x9E3779B97F4A7C15U;
    key[1] += 0xBB67AE8584CAA73BU;
  }
  return counter;
}

TEST(Random, TheGeneratorGivesThePublishedAnswers) {
  const Words zeros = {0x16554d9eca36314cU, 0xdb20fe9d672d0fdcU, 0xd7e772cee186176bU,
                       0x7e68b68aec7ba23bU};
  const Words ones = {0x87b092c3013fe90bU, 0x438c3c67be8d0224U, 0x9cc7d7c69cd777b6U,
                      0xa09caebf594f0ba0U};
  constexpr std::uint64_t kOnes = ~std::uint64_t{0};
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), zeros);
  EXPECT_EQ(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}), ones);
  RandomStream random(0, 0);
  for (const std::uint64_t word : zeros) EXPECT_EQ(random.bits(), word);
}

TEST(Random, AStreamIsTheGeneratorAtItsSeedNumberAndBlock) {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{42}, ~std::uint64_t{0}})
    for (const std::uint64_t stream : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
      RandomStream random(seed, stream);
      for (std::uint64_t block = 0; block < 3; ++block)
        for (const std::uint64_t word : philox({block, stream, 0, 0}, {seed, 0}))
          EXPECT_EQ(random.bits(), word) << seed << ", " << stream << ", block " << block;
    }
}

TEST(Random, StreamsDoNotDependOnTheOrderTheyAreReadIn) {
  RandomStream a(kSeed, 1), b(kSeed, 2);
  std::vector<std::uint64_t> mixed_a, mixed_b;
  for (int i = 0; i < 20; ++i) {
    mixed_a.push_back(a.bits());
    for (int j = 0; j < i % 3; ++j) mixed_b.push_back(b.bits());
  }
  RandomStream again_b(kSeed, 2), again_a(kSeed, 1);
  for (const std::uint64_t word : mixed_b) EXPECT_EQ(again_b.bits(), word);
  for (const std::uint64_t word : mixed_a) EXPECT_EQ(again_a.bits(), word);
  EXPECT_NE(mixed_a[0], mixed_b[0]);
}

TEST(Random, IntegersReachBothEndsOfTheirRangeAndNothingBeyond) {
  SCOPED_TRACE(kSeed);
  RandomStream random(kSeed, 3);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.integer(-3, 4));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-3, -2, -1, 0, 1, 2, 3, 4}));
  EXPECT_EQ(random.integer(5, 5), 5);
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(random.integer(kMin, kMin), kMin);
  EXPECT_EQ(random.integer(kMax, kMax), kMax);
}

TEST(Random, IntegersOfTheFullRangeAreTheBitsThemselvesShifted) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  RandomStream random(kSeed, 4), bits(kSeed, 4);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(random.integer(kMin, kMax),
              static_cast<std::int64_t>(bits.bits() + (std::uint64_t{1} << 63)));
}

TEST(Random, IntegersAreEquallyLikely) {
  SCOPED_TRACE(kSeed);
  constexpr int kDraws = 60000;
  RandomStream random(kSeed, 5);
  std::array<int, 6> counts{};
  for (int i = 0; i < kDraws; ++i) ++counts[static_cast<std::size_t>(random.integer(0, 5))];
  // A count is binomial: standard error √(n·1/6·5/6).
  const double error = std::sqrt(kDraws * 5.0 / 36);
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 6.0, 5 * error);
}

TEST(Random, NormalNumbersHaveTheMomentsTheyShould) {
  SCOPED_TRACE(kSeed);
  constexpr std::size_t kDraws = 2000000;
  std::vector<double> values(kDraws);
  RandomStream(kSeed, 6).fill_normal(values);
  double mean = 0, second = 0, third = 0, fourth = 0, largest = 0;
  for (const double value : values) {
    mean += value / kDraws;
    second += value * value / kDraws;
    third += value * value * value / kDraws;
    fourth += value * value * value * value / kDraws;
    largest = std::max(largest, std::abs(value));
  }
  // Fourth cumulants: −4 of the binomial, −1/120 of the uniform number, over (8 + 1/12)².
  const double kurtosis = 3 - (4 + 1.0 / 120) / std::pow(8 + 1.0 / 12, 2);
  // Standard errors of the moments of nearly normal numbers: √(1, 2, 15, 96)/√n.
  const double unit = 5 / std::sqrt(static_cast<double>(kDraws));
  EXPECT_NEAR(mean, 0, unit);
  EXPECT_NEAR(second, 1, unit * std::sqrt(2.0));
  EXPECT_NEAR(third, 0, unit * std::sqrt(15.0));
  EXPECT_NEAR(fourth, kurtosis, unit * std::sqrt(96.0));
  EXPECT_LE(largest, 16.5 / std::sqrt(8 + 1.0 / 12));
}

TEST(Random, NormalNumbersFillWhateverIsAskedFor) {
  std::vector<double> five(5), three(3), none;
  RandomStream(kSeed, 7).fill_normal(five);
  RandomStream first(kSeed, 7);
  first.fill_normal(none);
  first.fill_normal(three);
  std::vector<double> rest(2);
  first.fill_normal(rest);
  EXPECT_EQ((std::vector<double>{three[0], three[1], three[2], rest[0], rest[1]}), five);
}

}  // namespace
}  // namespace rope
