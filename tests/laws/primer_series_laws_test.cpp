// What the series of e^{iθ}, its steps and its half turn promise, against MPFR.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rope/error.hpp"
#include "rope/primer/euler.hpp"
#include "rope/primer/taylor.hpp"
#include "support/exact.hpp"
#include "support/show.hpp"

namespace rope::primer {
namespace {

using test::Exact;

constexpr double kPi = std::numbers::pi;

/// |z − e^{iθ}|
double off_the_circle(Complex z, double angle) {
  const Exact x = cos(Exact(angle)) - z.re, y = sin(Exact(angle)) - z.im;
  return static_cast<double>(sqrt(x * x + y * y));
}

/// |θ|^{n+1}/(n+1)!
Exact next_term(double angle, std::size_t n) {
  Exact term = 1;
  for (std::size_t j = 1; j <= n + 1; ++j) term *= abs(Exact(angle)) / j;
  return term;
}

TEST(PrimerSeries, EverySumIsWithinItsRemainderAndItsRounding) {
  for (const double angle :
       {0.0, 1e-12, -0.3, 1.0, -kPi, 2 * kPi, 10.0, -25.0, 40.0, 100.0, 700.0}) {
    const std::size_t last = degree_needed(angle, 0x1p-70) + 5;
    const std::vector<Complex> sums = taylor_sums(angle, last);
    ASSERT_EQ(sums.size(), last + 1);
    for (std::size_t n = 0; n <= last; n += n < 60 ? 1 : 53) {
      const double bound = taylor_remainder(angle, n) + taylor_rounding(angle, n);
      EXPECT_LE(off_the_circle(sums[n], angle), bound) << "θ " << angle << ", n " << n;
    }
  }
}

TEST(PrimerSeries, TheRemainderIsThePrintedFormulaAndNotBelow) {
  for (const double angle : {-0.5, 1.0, 2 * kPi, 40.0, 700.0})
    for (const std::size_t n : {0U, 1U, 8U, 60U, 500U}) {
      const Exact exact = next_term(angle, n);
      const double bound = taylor_remainder(angle, n);
      if (bound < 1e-290) continue;  // where terms underflow
      EXPECT_GE(Exact(bound), exact);
      EXPECT_LE(static_cast<double>(Exact(bound) / exact),
                1 + 8 * gamma(static_cast<double>(n) + 2));
    }
  EXPECT_EQ(taylor_remainder(0, 0), 0);
}

TEST(PrimerSeries, TheRemainderIsReachedBySmallAngles) {
  // So it is the right power over the right factorial, and not a larger one.
  for (std::size_t n = 0; n < 12; ++n) {
    const double error = off_the_circle(taylor_sums(0.5, n).back(), 0.5);
    if (error > 1e-9) {
      EXPECT_GT(error, 0.9 * taylor_remainder(0.5, n)) << n;
    }
  }
}

TEST(PrimerSeries, TheSumsOfTheTextsComeToTheirErrors) {
  const auto error = [](double angle, std::size_t degree) {
    return off_the_circle(taylor_sums(angle, degree).back(), angle);
  };
  EXPECT_NEAR(error(1, 8), 2.7e-6, 0.05e-6);
  EXPECT_NEAR(error(kPi, 8), 0.079, 0.0005);
  EXPECT_NEAR(error(2 * kPi, 8), 36, 0.5);
  EXPECT_NEAR(error(10, 8), 1.96e3, 5);
  EXPECT_NEAR(error(kPi, 20), 5.3e-10, 0.05e-10);
  EXPECT_NEAR(error(2 * kPi, 20), 1.1e-3, 0.05e-3);
  EXPECT_NEAR(error(10, 20), 17.9, 0.05);
  EXPECT_NEAR(error(40, degree_needed(40, kUnitRoundoff)), 2.94, 0.005);
}

TEST(PrimerSeries, TheRoundingBoundGrowsAsTheLargestTerm) {
  // Some rounding is seen at all, and the bound is below γ of all roundings times Σ|θ|ⁿ/n!.
  for (const double angle : {10.0, 40.0, 100.0}) {
    const std::size_t degree = degree_needed(angle, 0x1p-60);
    const double error = off_the_circle(taylor_sums(angle, degree).back(), angle);
    EXPECT_GT(error, kUnitRoundoff * largest_term(angle) / 8);
    EXPECT_LT(taylor_rounding(angle, degree),
              1.01 * gamma(2 * static_cast<double>(degree) + 2) * std::exp(angle));
  }
  EXPECT_EQ(largest_term(0.3), 1);
  EXPECT_DOUBLE_EQ(largest_term(2.5), 2.5 * 2.5 / 2);
  EXPECT_DOUBLE_EQ(largest_term(-3), 4.5);
}

TEST(PrimerSeries, TheDegreeNeededIsTheSmallest) {
  for (const double angle : {0.001, 1.0, kPi, -10.0, 40.0, 700.0})
    for (const double error : {1e-3, 0x1p-53}) {
      const std::size_t degree = degree_needed(angle, error);
      EXPECT_LE(taylor_remainder(angle, degree), error);
      if (degree > 0) {
        EXPECT_GT(taylor_remainder(angle, degree - 1), error) << angle;
      }
    }
  EXPECT_EQ(degree_needed(0, 1e-300), 0U);
}

TEST(PrimerSeries, WhatCannotBeSummedIsRefused) {
  EXPECT_THROW(taylor_sums(700.1, 3), DomainError);
  EXPECT_THROW(taylor_sums(std::nan(""), 3), DomainError);
  EXPECT_THROW(taylor_sums(1, kMostTerms + 1), DomainError);
  EXPECT_THROW(degree_needed(-701, 1), DomainError);
  EXPECT_EQ(taylor_sums(5, 0), std::vector<Complex>({{1, 0}}));
}

TEST(PrimerSeries, StepsAtARightAngleComeWithinTheirBound) {
  for (const double angle : {0.0, 0.001, 1.0, -kPi, 2 * kPi, 30.0})
    for (const std::size_t steps : {1U, 2U, 7U, 64U, 1000U, 30000U}) {
      const std::vector<Complex> path = compound_path(angle, steps);
      ASSERT_EQ(path.size(), steps + 1);
      EXPECT_LE(off_the_circle(path.back(), angle), compound_error(angle, steps))
          << angle << " in " << steps;
    }
  for (std::size_t k = 0; k < 8; ++k) {
    const std::vector<Complex> path = compound_path(1, 8);
    const Complex step = path[k + 1] - path[k];
    EXPECT_NEAR(step.re * path[k].re + step.im * path[k].im, 0, gamma(10)) << "no longer, but on";
  }
}

TEST(PrimerSeries, TheBoundOfStepsIsReached) {
  for (const std::size_t steps : {10U, 1000U, 100000U}) {
    const double error = off_the_circle(compound_path(1, steps).back(), 1);
    EXPECT_GT(error, 0.9 * compound_error(1, steps));
    EXPECT_NEAR(error * static_cast<double>(steps), 0.5, 0.06) << "θ²/2n";
  }
  EXPECT_THROW(compound_path(1, 0), DomainError);
  EXPECT_THROW(compound_path(1, kMostSteps + 1), DomainError);
  EXPECT_THROW(compound_path(701, 10), DomainError);
}

TEST(PrimerSeries, HalfATurnByARoundedPiStopsWhereMpfrSays) {
  for (int bits = 2; bits <= 53; ++bits) {
    const double pi = pi_in_bits(bits);
    const HalfTurn got = half_turn(pi);
    const Exact gap = test::two_pi() / 2 - pi;
    EXPECT_LE(static_cast<double>(abs(Exact(got.gap) - gap) / abs(gap)), gamma(1));
    const Exact distance = 2 * sin(abs(gap) / 2);
    EXPECT_LE(static_cast<double>(abs(Exact(got.distance) - distance) / distance), gamma(40))
        << bits;
    EXPECT_LE(std::abs(got.gap), std::ldexp(1, 1 - bits)) << "to nearest";
  }
  EXPECT_EQ(pi_in_bits(53), kPi);
  EXPECT_EQ(pi_in_bits(24), static_cast<double>(std::numbers::pi_v<float>));
  EXPECT_EQ(pi_in_bits(8), 3.140625);
  EXPECT_EQ(pi_in_bits(2), 3);
  EXPECT_EQ(half_turn(kPi).distance, 0x1.1a62633145c07p-53);
  EXPECT_EQ(half_turn(kPi).gap, 0x1.1a62633145c07p-53) << "a double of π is too small";
  EXPECT_LT(half_turn(static_cast<double>(std::numbers::pi_v<float>)).gap, 0)
      << "a float is too large";
  EXPECT_LE(std::abs(half_turn(kPi + 1).distance - 2 * std::sin(0.5)), 1e-15);
  EXPECT_THROW(pi_in_bits(1), DomainError);
  EXPECT_THROW(pi_in_bits(54), DomainError);
  EXPECT_THROW(half_turn(2), DomainError);
  EXPECT_THROW(half_turn(std::nan("")), DomainError);
}

}  // namespace
}  // namespace rope::primer
