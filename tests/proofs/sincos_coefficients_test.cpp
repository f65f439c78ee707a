// The polynomials of turns_kernel.hpp, made again from their definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "rope/rotary/turns_kernel.hpp"
#include "support/exact.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

using test::Exact;
using Function = std::function<Exact(const Exact&)>;

constexpr std::size_t kCoefficients = 6;
constexpr std::size_t kPoints = kCoefficients + 1;  // where the error alternates
constexpr int kGrid = 4000;                         // points of z on which it is the best one

Exact pi() { return boost::math::constants::pi<Exact>(); }
Exact end_of_range() { return pi() * pi() / 16; }  // of z = x², |x| ≤ π/4

/// What a polynomial in z = x² approximates, and how much an error of it weighs in the function.
struct Problem {
  Function target;
  Function weight;
};

/// Σ_j (−z)^j first/((d+1)(d+2) · (d+3)(d+4) ···), d = degree: the tail of a sine or cosine series.
Function series(const Exact& first, int degree) {
  return [=](const Exact& z) {
    Exact term = first, sum = 0;
    for (int d = degree; d < degree + 60; d += 2) {
      sum += term;
      term *= -z / ((d + 1) * (d + 2));
    }
    return sum;
  };
}

/// sin x = x + x³S(x²): an error of S weighs x³.
Problem sine() {
  return {series(Exact(-1) / 6, 3), [](const Exact& z) { return z * sqrt(z); }};
}

/// cos x = 1 − x²/2 + x⁴C(x²): an error of C weighs x⁴.
Problem cosine() {
  return {series(Exact(1) / 24, 4), [](const Exact& z) { return z * z; }};
}

Exact evaluate(std::span<const Exact> coefficients, const Exact& z) {
  Exact sum = 0;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) sum = sum * z + *c;
  return sum;
}

/// Solves a square system given as rows of (matrix | right side), by Gauss-Jordan with pivots.
std::vector<Exact> solve(std::vector<std::vector<Exact>> rows) {
  const std::size_t n = rows.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r)
      if (abs(rows[r][c]) > abs(rows[pivot][c])) pivot = r;
    std::swap(rows[pivot], rows[c]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const Exact factor = rows[r][c] / rows[c][c];
      for (std::size_t k = c; k <= n; ++k) rows[r][k] -= factor * rows[c][k];
    }
  }
  std::vector<Exact> solution;
  for (std::size_t r = 0; r < n; ++r) solution.push_back(rows[r][n] / rows[r][r]);
  return solution;
}

/// The coefficients whose weighted error is ±E in turn at the given points.
std::vector<Exact> levelled(const Problem& problem, std::span<const Exact> points) {
  std::vector<std::vector<Exact>> rows;
  for (std::size_t i = 0; i < kPoints; ++i) {
    std::vector<Exact> row;
    Exact power = 1;
    for (std::size_t j = 0; j < kCoefficients; ++j, power *= points[i]) row.push_back(power);
    row.push_back((i % 2 == 0 ? 1 : -1) / problem.weight(points[i]));
    row.push_back(problem.target(points[i]));
    rows.push_back(row);
  }
  std::vector<Exact> coefficients = solve(rows);
  coefficients.pop_back();
  return coefficients;
}

/// The point of largest |error| in each stretch of one sign.
std::vector<Exact> extrema(const Problem& problem, std::span<const Exact> coefficients) {
  std::vector<Exact> points;
  Exact largest = 0;
  bool positive = false;
  for (int g = 1; g <= kGrid; ++g) {
    const Exact z = end_of_range() * g / kGrid;
    const Exact error = problem.weight(z) * (problem.target(z) - evaluate(coefficients, z));
    if (points.empty() || (error > 0) != positive) {
      points.push_back(z);
      positive = error > 0;
      largest = 0;
    }
    if (abs(error) >= largest) {
      largest = abs(error);
      points.back() = z;
    }
  }
  return points;
}

/// The best approximation, by the exchange of Remez from the Chebyshev points.
std::vector<Exact> remez(const Problem& problem) {
  std::vector<Exact> points;
  for (std::size_t i = kPoints; i > 0; --i)
    points.push_back(end_of_range() * (1 + cos(pi() * (2 * i - 1) / (2 * kPoints))) / 2);
  std::vector<Exact> coefficients;
  // On a grid the exchange ends: the points stay what they were.
  std::vector<Exact> last;
  while (points != last && points.size() == kPoints) {
    last = points;
    coefficients = levelled(problem, points);
    points = extrema(problem, coefficients);
  }
  return coefficients;
}

void expect_coefficients(std::span<const double> stated, const Problem& problem) {
  const std::vector<Exact> best = remez(problem);
  ASSERT_EQ(best.size(), stated.size());
  for (std::size_t j = 0; j < stated.size(); ++j)
    EXPECT_EQ(stated[j], best[j].convert_to<double>())
        << "coefficient " << j << ": " << test::show(stated[j]) << ", computed "
        << test::show(best[j].convert_to<double>());
}

/// The largest weighted error of the stated coefficients, to two digits, on a dense grid.
double stated_error(std::span<const double> stated, const Problem& problem) {
  const std::vector<Exact> coefficients(stated.begin(), stated.end());
  Exact largest = 0;
  constexpr int kDenseGrid = 9999;
  for (int g = 1; g <= kDenseGrid; ++g) {
    const Exact z = end_of_range() * g / kDenseGrid;
    const Exact error = abs(problem.weight(z) * (problem.target(z) - evaluate(coefficients, z)));
    if (error > largest) largest = error;
  }
  return largest.convert_to<double>();
}

TEST(SinCosCoefficients, OfTheSineAreTheBestApproximation) {
  expect_coefficients(kernel::kSine, sine());
}

TEST(SinCosCoefficients, OfTheCosineAreTheBestApproximation) {
  expect_coefficients(kernel::kCosine, cosine());
}

TEST(SinCosCoefficients, HaveTheErrorsThatTheSourceStates) {
  const double sine_error = stated_error(kernel::kSine, sine());
  const double cosine_error = stated_error(kernel::kCosine, cosine());
  EXPECT_LE(sine_error, 7.75e-18) << test::show(sine_error);
  EXPECT_GE(sine_error, 7.65e-18) << test::show(sine_error);
  EXPECT_LE(cosine_error, 9.15e-19) << test::show(cosine_error);
  EXPECT_GE(cosine_error, 9.05e-19) << test::show(cosine_error);
}

TEST(SinCosCoefficients, TheHeadOfTwoPiHas23BitsAndTheTailTheRest) {
  // The head is an integer below 2^23 times a power of two.
  int exponent = 0;
  const double scaled = std::ldexp(std::frexp(kernel::kTwoPiHead, &exponent), 23);
  EXPECT_EQ(scaled, std::floor(scaled));
  // The head's product with a 30-bit integer needs 53 bits at most; the tail has its 53 bits.
  const Exact rest = 2 * pi() - Exact(kernel::kTwoPiHead) - Exact(kernel::kTwoPiTail);
  EXPECT_LE(abs(rest), ldexp(Exact(kernel::kTwoPiTail), -53));
  EXPECT_EQ(kernel::kTwoPi, (2 * pi()).convert_to<double>());
}

}  // namespace
}  // namespace rope
