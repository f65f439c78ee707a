// What largest.hpp and measured.hpp promise: a NaN is never lost, wherever it stands, and meets no
// bound.

#include "rope/rotary/measured.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "rope/precision/bounds.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kOrdinary = {-kInfinity, -1.0, -0.0,     0.0,      0x1p-1074,
                                  1.0,        3.0,  0x1p1023, kInfinity};

TEST(Measured, ComparesOrdinaryNumbersAsTheStandardDoes) {
  for (const double a : kOrdinary)
    for (const double b : kOrdinary) {
      EXPECT_EQ(larger(a, b), std::max(a, b));
      EXPECT_EQ(smaller(a, b), std::min(a, b));
      EXPECT_EQ(exceeds(a, b), a > b);
      EXPECT_EQ((Measured{a, b}.violated()), a > b || std::isinf(a)) << a << " " << b;
    }
}

TEST(Measured, ANanIsTheLargestTheSmallestAndTheWorstWhereverItStands) {
  for (const double x : kOrdinary) {
    EXPECT_TRUE(std::isnan(larger(x, kNan)) && std::isnan(larger(kNan, x))) << x;
    EXPECT_TRUE(std::isnan(smaller(x, kNan)) && std::isnan(smaller(kNan, x))) << x;
    EXPECT_TRUE(exceeds(kNan, x));
    EXPECT_FALSE(exceeds(x, kNan));
    EXPECT_TRUE((Measured{kNan, x}.violated()));
    EXPECT_TRUE((Measured{x, kNan}.violated()));
    EXPECT_TRUE(std::isnan(pair_length(x, kNan)) && std::isnan(pair_length(kNan, x))) << x;
  }
  for (std::size_t at = 0; at < 5; ++at) {
    std::vector<double> numbers = {2, 0, 7, 1, 7};
    EXPECT_EQ(largest_of(numbers), 7);
    numbers[at] = kNan;
    EXPECT_TRUE(std::isnan(largest_of(numbers))) << at;
    EXPECT_FALSE(std::isnan(median_of(numbers))) << at;
  }
  EXPECT_TRUE(std::isnan(median_of(std::vector<float>{NAN, 1, NAN, 2, NAN})));
  EXPECT_EQ(median_of(std::vector<float>{5, 1, NAN, 2, 4}), 4);
}

TEST(Measured, TheWorstIsTheOneThatUsesMostOfItsBound) {
  std::vector<std::pair<double, double>> cases = {{3, 10}, {2, 4}, {0, 1}, {1, 3}};
  std::ranges::sort(cases);
  do {
    Measured worst;
    for (const auto& [error, bound] : cases) worst.keep_worse({error, bound});
    EXPECT_EQ(worst.error, 2);
    EXPECT_EQ(worst.bound, 4);
  } while (std::ranges::next_permutation(cases).found);
  Measured lost;
  for (const double error : {1.0, kNan, 5.0}) lost.keep_worse({error, 4});
  EXPECT_TRUE(std::isnan(lost.error));
  Measured none;
  none.keep_worse({0, 4});
  EXPECT_EQ(none.bound, 4) << "a first error of 0 has its bound, too";
}

TEST(Measured, NothingButAFiniteErrorMeetsABound) {
  EXPECT_FALSE((Measured{1, 1}.violated()));
  EXPECT_FALSE((Measured{0, 0}.violated()));
  EXPECT_TRUE((Measured{2, 1}.violated()));
  EXPECT_TRUE((Measured{kInfinity, kInfinity}.violated()));
  // Met, and nothing is proven.
  EXPECT_FALSE((Measured{1, kInfinity}.violated()));
  EXPECT_TRUE((Measured{1, kInfinity}.unbounded()));
  EXPECT_FALSE((Measured{1, 1}.unbounded()));
  EXPECT_FALSE((Measured{kInfinity, kInfinity}.unbounded()));
}

TEST(Measured, TheWorstIsAViolationBeforeALargerRatio) {
  EXPECT_TRUE((Measured{2, 4}.worse_than({1, 4})));
  EXPECT_TRUE((Measured{kNan, 4}.worse_than({9, 4})));
  EXPECT_FALSE((Measured{9, 4}.worse_than({kNan, 4})));
  EXPECT_TRUE((Measured{0, kNan}.worse_than({1, 1})));
  EXPECT_TRUE((Measured{kInfinity, kInfinity}.worse_than({1, 1})));
  EXPECT_FALSE((Measured{1, 1}.worse_than({kInfinity, kInfinity})));
}

}  // namespace
}  // namespace rope
