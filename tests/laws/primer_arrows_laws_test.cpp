// What complex numbers and angles promise, against MPFR.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "rope/error.hpp"
#include "rope/primer/angle.hpp"
#include "rope/primer/complex_number.hpp"
#include "rope/random/random.hpp"
#include "support/exact.hpp"
#include "support/show.hpp"

namespace rope::primer {
namespace {

using test::Exact;

constexpr std::uint64_t kSeed = 20261123;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr TurnFraction kHalf{std::uint64_t{1} << 63, 0};
constexpr TurnFraction kQuarter{std::uint64_t{1} << 62, 0};

Exact exact_modulus(Complex z) { return sqrt(Exact(z.re) * z.re + Exact(z.im) * z.im); }

/// Arrows of every direction and size, near the axes and the diagonals, and where the arctangent
/// changes from one eighth to the next.
std::vector<Complex> many_arrows() {
  std::vector<Complex> arrows;
  RandomStream random(kSeed, 0);
  for (int i = 0; i < 40000; ++i) {
    std::array<double, 2> parts{};
    random.fill_normal(parts);
    const int scale = static_cast<int>(random.integer(-300, 300));
    const int tilt = i % 4 == 0 ? static_cast<int>(random.integer(-60, 0)) : 0;
    arrows.push_back({std::ldexp(parts[0], scale), std::ldexp(parts[1], scale + tilt)});
    arrows.push_back({arrows.back().im, arrows.back().re});
  }
  for (int sixteenths = 0; sixteenths <= 16; ++sixteenths)
    for (int step = -3; step <= 3; ++step)
      for (const double x : {1.0, -1.0, 3.0, -0.1}) {
        const double y = std::abs(x) * (sixteenths / 16.0) * (1 + step * 0x1p-52);
        for (const Complex z : {Complex{x, y}, Complex{x, -y}, Complex{y, x}, Complex{-y, x}})
          arrows.push_back(z);
      }
  return arrows;
}

TEST(PrimerArrows, TheArgumentIsWithinItsBound) {
  double largest = 0;
  for (const Complex z : many_arrows()) {
    const Exact exact = atan2(z.im == 0 ? Exact(0) : Exact(z.im), Exact(z.re));
    const auto error = static_cast<double>(abs(Exact(argument(z)) - exact));
    ASSERT_LE(error, kArgumentError) << test::show(z.re) << ", " << test::show(z.im);
    largest = std::max(largest, error);
  }
  EXPECT_GT(largest, 0.5 * kArgumentError) << "the bound is no wish: " << test::show(largest);
}

TEST(PrimerArrows, TheArgumentOfASmallAngleIsRightToItsOwnSize) {
  for (const double b : {1e-300, 3e-20, -1e-9, 5e-324}) {
    EXPECT_EQ(argument({1, b}), b);
  }
}

TEST(PrimerArrows, TheArgumentKnowsItsEdges) {
  EXPECT_EQ(argument({1, 0}), 0);
  EXPECT_EQ(argument({-1, 0}), std::numbers::pi);
  EXPECT_EQ(argument({-1, -0.0}), std::numbers::pi) << "in (−π, π], whatever the sign of a zero";
  EXPECT_EQ(argument({0, 2}), std::numbers::pi / 2);
  EXPECT_EQ(argument({0, -2}), -std::numbers::pi / 2);
  EXPECT_EQ(argument({1e300, 1e300}), std::numbers::pi / 4);
  for (const Complex z : {Complex{0, 0}, Complex{kInfinity, 1}, Complex{1, kInfinity},
                          Complex{std::nan(""), 1}, Complex{1, std::nan("")}}) {
    EXPECT_TRUE(std::isnan(argument(z)));
    EXPECT_TRUE(std::isnan(slope_angle(z)));
  }
}

TEST(PrimerArrows, TheSlopeAngleIsOffByHalfATurnToTheLeftAndNowhereElse) {
  for (const Complex z : many_arrows()) {
    if (z.re == 0) continue;
    const double apart = angle_between(slope_angle(z), argument(z));
    if (z.re > 0) {
      EXPECT_EQ(apart, 0) << test::show(z.re) << ", " << test::show(z.im);
    } else {
      EXPECT_NEAR(apart, std::numbers::pi, 2 * kArgumentError + gamma(12));
    }
    const Exact exact = atan(Exact(z.im) / Exact(z.re));
    EXPECT_LE(static_cast<double>(abs(Exact(slope_angle(z)) - exact)), kArgumentError);
  }
  EXPECT_EQ(slope_angle({0, 3}), std::numbers::pi / 2);
  EXPECT_EQ(slope_angle({0, -3}), -std::numbers::pi / 2);
  EXPECT_EQ(slope_angle({-1, 1}), -std::numbers::pi / 4);
}

TEST(PrimerArrows, TheModulusIsWithinItsBound) {
  for (const Complex z : many_arrows()) {
    const Exact exact = exact_modulus(z);
    ASSERT_LE(static_cast<double>(abs(Exact(modulus(z)) - exact) / exact), kModulusError);
  }
  EXPECT_EQ(modulus({3, 4}), 5);
  EXPECT_EQ(modulus({-3e300, 4e300}), 5e300);
  EXPECT_EQ(modulus({0, 0}), 0);
  EXPECT_EQ(modulus({0, -5e-324}), 5e-324);
  EXPECT_EQ(modulus({kInfinity, 1}), kInfinity);
  EXPECT_TRUE(std::isnan(modulus({1, std::nan("")})));
  EXPECT_TRUE(std::isnan(modulus({std::nan(""), 1})));
  EXPECT_TRUE(std::isnan(modulus({0, std::nan("")})));
}

TEST(PrimerArrows, AProductIsWithinItsBound) {
  RandomStream random(kSeed, 1);
  double largest = 0;
  for (int i = 0; i < 20000; ++i) {
    std::array<double, 4> parts{};
    random.fill_normal(parts);
    const Complex z{parts[0], parts[1]}, w{parts[2], parts[3]};
    const Complex got = product(z, w);
    const Exact re = Exact(z.re) * w.re - Exact(z.im) * w.im;
    const Exact im = Exact(z.re) * w.im + Exact(z.im) * w.re;
    const Exact error = sqrt((re - got.re) * (re - got.re) + (im - got.im) * (im - got.im));
    const auto relative = static_cast<double>(error / (exact_modulus(z) * exact_modulus(w)));
    ASSERT_LE(relative, kProductError);
    largest = std::max(largest, relative);
  }
  EXPECT_GT(largest, 0.5 * kProductError);
  EXPECT_EQ(product({3, 4}, {0, 1}), (Complex{-4, 3})) << "(3 + 4i)i = −4 + 3i";
  EXPECT_EQ(product({3, 4}, {1, 2}), (Complex{-5, 10}));
}

TEST(PrimerArrows, FourTurnsByIAreNone) {
  const Complex z{3, 4};
  EXPECT_EQ(times_i(z), (Complex{-4, 3}));
  EXPECT_EQ(times_i(times_i(z)), -z);
  EXPECT_EQ(times_i(times_i(times_i(times_i(z)))), z);
}

TEST(PrimerArrows, AnAngleInRadiansIsItsFractionOfATurn) {
  RandomStream random(kSeed, 2);
  for (int i = 0; i < 2000; ++i) {
    std::array<double, 1> part{};
    random.fill_normal(part);
    const double radians = std::ldexp(part[0], static_cast<int>(random.integer(-140, 61)));
    const Exact turns = Exact(radians) / test::two_pi();
    const Exact apart = turns - test::turns(turn_of(radians));
    EXPECT_LE(static_cast<double>(abs(apart - round(apart))), 0x1p-128) << test::show(radians);
  }
  EXPECT_EQ(turn_of(0), TurnFraction{});
  EXPECT_EQ(turn_of(5e-324), TurnFraction{});
  EXPECT_EQ(turn_of(-1), -turn_of(1));
  for (const double wrong : {0x1.0000000000001p64, -kInfinity, std::nan("")})
    EXPECT_THROW(turn_of(wrong), DomainError);
  EXPECT_NO_THROW(turn_of(-kLargestAngle));
}

TEST(PrimerArrows, DegreesAreExactFractionsOfATurn) {
  EXPECT_EQ(from_degrees(90).turn, kQuarter);
  EXPECT_EQ(from_degrees(-90).turn, -kQuarter);
  EXPECT_EQ(from_degrees(180).turn, kHalf);
  EXPECT_EQ(from_degrees(360).turn, TurnFraction{});
  EXPECT_EQ(from_degrees(810).turn, kQuarter);
  EXPECT_EQ(from_degrees(90).radians, std::numbers::pi / 2);
  EXPECT_EQ(from_degrees(-720).radians, -4 * std::numbers::pi);
  EXPECT_THROW(from_degrees(kInfinity), DomainError);
  EXPECT_EQ(unit(from_degrees(90).turn), (Complex{0, 1}));
}

TEST(PrimerArrows, WholeTurnsAreTakenOff) {
  EXPECT_EQ(principal(kHalf), std::numbers::pi) << "the largest, not the smallest";
  EXPECT_EQ(principal(kQuarter), std::numbers::pi / 2);
  EXPECT_EQ(principal(-kQuarter), -std::numbers::pi / 2);
  EXPECT_EQ(principal({}), 0);
  RandomStream random(kSeed, 3);
  for (int i = 0; i < 2000; ++i) {
    const TurnFraction turn{random.bits() >> random.integer(0, 63), random.bits()};
    Exact turns = test::turns(turn);
    if (turns > 0.5) turns -= 1;
    const Exact exact = turns * test::two_pi();
    EXPECT_LE(static_cast<double>(abs((Exact(principal(turn)) - exact) / exact)), gamma(3));
    const TurnFraction other{random.bits(), random.bits()};
    EXPECT_EQ(difference(sum(turn, other), other), turn);
    EXPECT_LE(static_cast<double>(abs(test::turns(half(turn)) - turns / 2 - (turns < 0 ? 1 : 0))),
              0x1p-128);
  }
  EXPECT_EQ(half(kHalf), kQuarter);
  EXPECT_EQ(half(-kQuarter), (TurnFraction{0xe000000000000000U, 0})) << "−45°, not 135°";
}

TEST(PrimerArrows, TheUnitArrowIsWithinItsBoundAtEveryAngle) {
  RandomStream random(kSeed, 4);
  double largest = 0;
  for (int i = 0; i < 5000; ++i) {
    std::array<double, 1> part{};
    random.fill_normal(part);
    const double radians = std::ldexp(part[0], static_cast<int>(random.integer(-20, 55)));
    const Complex got = unit(radians);
    const Exact x = cos(Exact(radians)) - got.re, y = sin(Exact(radians)) - got.im;
    const auto error = static_cast<double>(sqrt(x * x + y * y));
    ASSERT_LE(error, kUnitError) << test::show(radians);
    largest = std::max(largest, error);
  }
  EXPECT_GT(largest, 0.5 * kUnitError);
}

TEST(PrimerArrows, LengthAndAngleMakeTheNumberAgain) {
  for (const Complex z : many_arrows()) {
    if (std::abs(z.re) < 1e-80 || std::abs(z.re) > 1e80) continue;
    const Complex back = from_polar(polar(z));
    const double r = modulus(z);
    EXPECT_LE(modulus(back - z), r * (kArgumentError + kUnitError + kModulusError + gamma(4)));
  }
}

TEST(PrimerArrows, TheAngleBetweenTwoIsTheShortWay) {
  EXPECT_EQ(angle_between(1, 1), 0);
  EXPECT_NEAR(angle_between(3, -3), 2 * std::numbers::pi - 6, gamma(20));
  EXPECT_NEAR(angle_between(-0.25, 0.5), 0.75, gamma(8));
}

}  // namespace
}  // namespace rope::primer
