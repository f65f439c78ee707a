// What turns.hpp promises for every fraction of a turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <boost/multiprecision/mpfr.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "rope/random/random.hpp"
#include "rope/rotary/turns.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

constexpr std::uint64_t kSeed = 20240917;

constexpr std::size_t kRandomFractions = 1000000;

TurnFraction random_fraction(RandomStream& random) {
  const std::uint64_t high = random.bits();
  return {high, random.bits()};
}

/// cos and sin at 200 bits, and the largest error seen against them.
//
// Why kCosSinError = 1.1e-16 holds for every fraction, with u = 2^-53 and |x| ≤ π/4. x + e is the
// reduced angle, |e| ≤ 2^-54 (its own error is below 1e-23), and all terms are largest at |x| =
// π/4:
//
//   cosine, in 1e-18                                sine, in 1e-18
//   final rounding, c in [1/2, 1]      2^-54 55.5   final rounding, s in [1/2, 1)      2^-54 55.5
//   z = x² rounded, enters as z/2      2^-55 27.8   z rounded, enters as xS·2^-54             7.1
//   z·z, C, z²C, two inner sums              7.8    S (2^-56 and below) times x³              7.9
//   x·e in place of sin x · e                4.4    z·S (2^-57) times x                       5.5
//   polynomial                               0.9    x·zS and the inner sum      2·2^-57      13.9
//   fraction cut to 64 bits                  0.3    e(1 − z/2) in place of e·cos x            0.9
//                                                   polynomial                                7.7
//                                                   fraction cut to 64 bits                   0.3
//   sum                                     96.7    sum                                      98.8
//
// Both stay below 1.0e-16.
class Reference {
 public:
  Reference() {
    mpfr_inits2(200, two_pi_, angle_, cosine_, sine_, static_cast<mpfr_ptr>(nullptr));
    mpfr_const_pi(two_pi_, MPFR_RNDN);
    mpfr_mul_2ui(two_pi_, two_pi_, 1, MPFR_RNDN);
  }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  ~Reference() { mpfr_clears(two_pi_, angle_, cosine_, sine_, static_cast<mpfr_ptr>(nullptr)); }

  /// Compares cos_sin(fraction) with the exact values.
  void check(TurnFraction fraction) {
    mpfr_set_ui(angle_, fraction.high, MPFR_RNDN);
    mpfr_mul_2ui(angle_, angle_, 64, MPFR_RNDN);
    mpfr_add_ui(angle_, angle_, fraction.low, MPFR_RNDN);
    mpfr_div_2ui(angle_, angle_, 128, MPFR_RNDN);
    mpfr_mul(angle_, angle_, two_pi_, MPFR_RNDN);
    mpfr_sin_cos(sine_, cosine_, angle_, MPFR_RNDN);
    const CosSin got = cos_sin(fraction);
    note(fraction, got.cos, cosine_);
    note(fraction, got.sin, sine_);
    ++checked_;
  }

  /// Fails the test if any error exceeded the bound.
  void expect_all_within_bound() const {
    ::testing::Test::RecordProperty("largest_error", test::show(largest_));
    EXPECT_EQ(violations_, 0U) << "of " << checked_ << " fractions, bound "
                               << test::show(kCosSinError) << "; worst " << test::show(largest_)
                               << " at high " << worst_.high << " low " << worst_.low;
  }
  double largest() const { return largest_; }

 private:
  void note(TurnFraction fraction, double got, mpfr_t exact) {
    mpfr_sub_d(exact, exact, got, MPFR_RNDN);
    const double error = std::abs(mpfr_get_d(exact, MPFR_RNDA));
    if (!(error <= kCosSinError)) ++violations_;
    if (!(error <= largest_)) {
      largest_ = error;
      worst_ = fraction;
    }
  }

  mpfr_t two_pi_, angle_, cosine_, sine_;
  std::size_t checked_ = 0;
  std::size_t violations_ = 0;
  double largest_ = 0;
  TurnFraction worst_;
};

TEST(Turns, CosAndSinOfRandomFractionsAreWithinTheBound) {
  SCOPED_TRACE(kSeed);
  Reference reference;
  RandomStream random(kSeed, 0);
  for (std::size_t i = 0; i < kRandomFractions; ++i) reference.check(random_fraction(random));
  reference.expect_all_within_bound();
  // The comparison can see rounding errors at all.
  EXPECT_GT(reference.largest(), 0.7 * kCosSinError);
}

TEST(Turns, CosAndSinNearEveryOctantBorderAreWithinTheBound) {
  SCOPED_TRACE(kSeed);
  Reference reference;
  RandomStream random(kSeed, 1);
  for (std::uint64_t octant = 0; octant < 8; ++octant) {
    const std::uint64_t border = octant << 61;
    for (std::uint64_t near = 0; near < 200; ++near) {
      reference.check({border + near, random.bits()});
      reference.check({border - near, random.bits()});
      reference.check({border - near, 0});
      reference.check({border - near, ~std::uint64_t{0}});
    }
    for (int bit = 0; bit < 64; ++bit) {
      reference.check({border + (std::uint64_t{1} << bit), random.bits()});
      reference.check({border - (std::uint64_t{1} << bit), random.bits()});
    }
  }
  reference.expect_all_within_bound();
}

TEST(Turns, CosAndSinOfFractionsBelowEveryPowerOfTwoAreWithinTheBound) {
  SCOPED_TRACE(kSeed);
  Reference reference;
  RandomStream random(kSeed, 2);
  for (int shift = 0; shift < 64; ++shift)
    for (int i = 0; i < 100; ++i) {
      const std::uint64_t tiny = random.bits() >> shift;
      reference.check({tiny, random.bits()});
      reference.check({std::uint64_t{0} - tiny, random.bits()});
    }
  reference.check({0, 1});
  reference.check({~std::uint64_t{0}, ~std::uint64_t{0}});
  reference.expect_all_within_bound();
}

std::vector<CpuLevel> levels_of_this_machine() {
  std::vector<CpuLevel> levels = {CpuLevel::baseline};
  for (const CpuLevel level : {CpuLevel::v3, CpuLevel::v4})
    if (level <= best_cpu_level()) levels.push_back(level);
  return levels;
}

TEST(Turns, TheVectorLoopGivesTheBitsOfTheScalarFormAtEveryCpuLevelLengthAndAlignment) {
  SCOPED_TRACE(kSeed);
  RandomStream random(kSeed, 3);
  std::vector<std::uint64_t> turns(80);
  for (const CpuLevel level : levels_of_this_machine())
    for (std::size_t length = 0; length <= 70; ++length)
      for (std::size_t offset = 0; offset < 3; ++offset) {
        for (std::uint64_t& turn : turns) turn = random.bits();
        std::vector<double> cos(80, 7.0), sin(80, 7.0);
        cos_sin(std::span(turns).subspan(offset, length), std::span(cos).subspan(offset, length),
                std::span(sin).subspan(offset, length), level);
        for (std::size_t i = 0; i < turns.size(); ++i) {
          const bool inside = i >= offset && i < offset + length;
          const CosSin expected = inside ? cos_sin(TurnFraction{turns[i], 0}) : CosSin{7.0, 7.0};
          const CosSin got = {cos[i], sin[i]};
          ASSERT_EQ(std::memcmp(&got, &expected, sizeof got), 0)
              << name(level) << ", length " << length << ", element " << i << ": "
              << test::show(got.cos) << ", " << test::show(got.sin) << ", expected "
              << test::show(expected.cos) << ", " << test::show(expected.sin);
        }
      }
}

using Integer = boost::multiprecision::int256_t;

/// position·fraction mod 1, in steps of 2^-128, by integers that cannot overflow.
TurnFraction wide_product(std::int64_t position, TurnFraction fraction) {
  const Integer one = Integer(1) << 128;
  const Integer steps = (Integer(fraction.high) << 64) + Integer(fraction.low);
  Integer product = (Integer(position) * steps) % one;
  if (product < 0) product += one;
  return {static_cast<std::uint64_t>(product >> 64),
          static_cast<std::uint64_t>(product & Integer(~std::uint64_t{0}))};
}

TEST(Turns, ThePositionTimesAFractionIsTheExactProductModuloOneTurn) {
  SCOPED_TRACE(kSeed);
  RandomStream random(kSeed, 4);
  const std::int64_t extremes[] = {0,
                                   1,
                                   -1,
                                   std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::min() + 1,
                                   std::numeric_limits<std::int64_t>::max()};
  for (int i = 0; i < 10000; ++i) {
    const TurnFraction fraction = random_fraction(random);
    const auto any = static_cast<std::int64_t>(random.bits() >> (i % 64));
    for (const std::int64_t position : {any, -any, extremes[i % 6]})
      ASSERT_EQ(position * fraction, wide_product(position, fraction))
          << position << " times high " << fraction.high << " low " << fraction.low;
  }
}

TEST(Turns, TheProductDistributesOverSumsOfPositions) {
  SCOPED_TRACE(kSeed);
  __extension__ using Wide = unsigned __int128;
  const auto steps = [](TurnFraction f) { return (static_cast<Wide>(f.high) << 64) | f.low; };
  RandomStream random(kSeed, 5);
  for (int i = 0; i < 10000; ++i) {
    const TurnFraction fraction = random_fraction(random);
    const std::int64_t a = random.integer(-(1LL << 62), (1LL << 62) - 1);
    const std::int64_t b = random.integer(-(1LL << 62), (1LL << 62) - 1);
    ASSERT_TRUE(steps((a + b) * fraction) == steps(a * fraction) + steps(b * fraction))
        << a << " and " << b;
    ASSERT_TRUE(steps(-fraction) + steps(fraction) == 0);
  }
}

}  // namespace
}  // namespace rope
