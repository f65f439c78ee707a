// Where violations stand, which vectors were never rotated, and what a difference is like.

#include "rope/verify/output_places.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <vector>

#include "rope/random/random.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/verify/fitting_policies.hpp"
#include "rope/verify/output_check.hpp"
#include "rope/verify/output_residual.hpp"

namespace rope {
namespace {

using Numbers = std::vector<std::size_t>;
using Along = std::vector<Numbers>;

constexpr std::size_t kRows = 2, kHeads = 3, kTokens = 5, kDim = 8;

RotaryEmbedding half_embedding(std::size_t dim = kDim) {
  return default_embedding(dim, 10000, PairLayout::half);
}

/// Where a vector of [rows, heads, tokens, dim] stands.
struct Place {
  std::size_t row, head, token;
};

struct Judged {
  OutputPlaces places;
  OutputResidual residual;
  OutputReport report;
};

using Change =
    std::function<void(const Place&, const std::vector<double>& x, std::vector<double>& y)>;

/// Right vectors in float64 at positions `start` …, changed and judged.
Judged judged(const std::array<std::size_t, 3>& lengths, std::size_t dim, std::int64_t start,
              const Change& change) {
  const RotaryEmbedding embedding = half_embedding(dim);
  const auto [rows, heads, tokens] = lengths;
  OutputCheck check(*find_policy("float64"), embedding);
  check.keep_last();
  PlaceRecorder places({rows, heads, tokens, dim}, embedding);
  ResidualRecorder residual({rows, heads, tokens, dim}, 2);
  std::vector<double> x(dim), y(dim);
  std::uint64_t vector = 0;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t head = 0; head < heads; ++head)
      for (std::size_t token = 0; token < tokens; ++token) {
        const std::int64_t position = start + static_cast<std::int64_t>(token);
        RandomStream(5, vector).fill_normal(x);
        const RotationRow at = rotation_row(embedding, position);
        for (std::size_t k = 0; k < embedding.pairs(); ++k) {
          const auto [i, j] = embedding.dimensions(k);
          y[i] = x[i] * at.cos[k] - x[j] * at.sin[k];
          y[j] = x[i] * at.sin[k] + x[j] * at.cos[k];
        }
        change({row, head, token}, x, y);
        check.add_vector(vector++, position, x, y);
        places.add(x, y, check.last());
        residual.add(check.last());
      }
  return {places.places(), residual.residual(), check.report()};
}

OutputPlaces places_of(const Change& change, std::int64_t start = 0) {
  return judged({kRows, kHeads, kTokens}, kDim, start, change).places;
}

TEST(OutputPlaces, NameTheRowsHeadsTokensAndDimensionsOfAViolation) {
  const OutputPlaces places = places_of([](const Place& at, const auto&, auto& y) {
    if (at.row == 1 && at.head != 1 && at.token >= 3) y[6] += 1;
  });
  EXPECT_EQ(places.lengths, (Numbers{2, 3, 5, 8}));
  EXPECT_EQ(places.failing, (Along{{1}, {0, 2}, {3, 4}, {6}}));
  EXPECT_EQ(places.right(1), Numbers{1});
  EXPECT_EQ(places.right(3), (Numbers{0, 1, 2, 3, 4, 5, 7}));
  EXPECT_TRUE(places.unrotated.empty());
  EXPECT_FALSE(places.all_unrotated);
}

TEST(OutputPlaces, APairBeyondItsBoundByNeitherNumberAloneFailsInBoth) {
  const OutputBounds granted(*find_policy("float64"), half_embedding());
  const OutputPlaces places = places_of(
      [&](const Place& at, const auto& x, auto& y) {
        if (at.row + at.head != 0 || at.token != 1) return;
        std::vector<double> bounds;
        granted.bounds.rotated(1001, x, bounds);
        y[1] += 0.8 * bounds[1];  // 1.13 of it together
        y[5] += 0.8 * bounds[1];
      },
      1000);
  EXPECT_EQ(places.failing.back(), (Numbers{1, 5}));
}

TEST(OutputPlaces, NothingIsNamedWhereNothingFails) {
  const OutputPlaces places = places_of([](const Place&, const auto&, auto&) {});
  EXPECT_EQ(places.failing, (Along{{}, {}, {}, {}}));
  EXPECT_TRUE(places.unrotated.empty());
  EXPECT_FALSE(places.all_unrotated);
}

TEST(OutputPlaces, NameARowThatWasNeverWritten) {
  const OutputPlaces places = places_of([](const Place& at, const auto&, auto& y) {
    if (at.row == 1) y.assign(kDim, 0);
  });
  ASSERT_EQ(places.unrotated.size(), 1U);
  EXPECT_EQ(places.unrotated[0].kind, Unrotated::zero);
  EXPECT_EQ(places.unrotated[0].vectors, kHeads * kTokens);
  EXPECT_EQ(places.unrotated[0].first, kHeads * kTokens);
  EXPECT_EQ(places.unrotated[0].along, (Along{{1}, {0, 1, 2}, {0, 1, 2, 3, 4}}));
  EXPECT_EQ(places.unrotated[0].dimensions.size(), kDim);
  EXPECT_TRUE(places.all_unrotated);
}

TEST(OutputPlaces, HeadsThatAreUnchangedAreUnchangedAtPosition0Too) {
  // There every head is: that is no violation, and no reason to leave token 0 out.
  const OutputPlaces places = places_of([](const Place& at, const auto& x, auto& y) {
    if (at.head > 0) y = x;
  });
  EXPECT_EQ(places.failing[2], (Numbers{1, 2, 3, 4}));
  ASSERT_EQ(places.unrotated.size(), 1U);
  EXPECT_EQ(places.unrotated[0].kind, Unrotated::unchanged);
  EXPECT_EQ(places.unrotated[0].along, (Along{{0, 1}, {1, 2}, {0, 1, 2, 3, 4}}));
  EXPECT_EQ(places.unrotated[0].vectors, kRows * 2 * (kTokens - 1));
  EXPECT_TRUE(places.all_unrotated);
}

TEST(OutputPlaces, ScatteredVectorsAreCounted) {
  const OutputPlaces places = places_of([](const Place& at, const auto&, auto& y) {
    if (at.row == 0 && at.head == at.token) y.assign(kDim, 0);
  });
  ASSERT_EQ(places.unrotated.size(), 1U);
  EXPECT_EQ(places.unrotated[0].vectors, 3U);
  EXPECT_TRUE(places.unrotated[0].along.empty());
}

TEST(OutputPlaces, NameHalfAHeadThatWasNeverWritten) {
  const OutputPlaces places = places_of(
      [](const Place& at, const auto& x, auto& y) {
        for (std::size_t i = 4; i < kDim && at.head == 2; ++i) y[i] = 0;
        for (std::size_t i = 0; i < 4 && at.head == 2; ++i) y[i] = x[i];
      },
      7);
  ASSERT_EQ(places.unrotated.size(), 2U);
  EXPECT_EQ(places.unrotated[0].kind, Unrotated::zero);
  EXPECT_EQ(places.unrotated[0].dimensions, (Numbers{4, 5, 6, 7}));
  EXPECT_EQ(places.unrotated[0].along[1], Numbers{2});
  EXPECT_EQ(places.unrotated[1].kind, Unrotated::unchanged);
  EXPECT_EQ(places.unrotated[1].dimensions, (Numbers{0, 1, 2, 3}));
  EXPECT_TRUE(places.all_unrotated);
}

TEST(OutputPlaces, ZerosAreNotAllThatIsWrong) {
  const OutputPlaces places = places_of([](const Place& at, const auto&, auto& y) {
    if (at.head == 0) y.assign(kDim, 0);
    if (at.head == 2 && at.token == 4) y[1] += 1;
    if (at.head == 1 && at.token == 4) y[2] = std::numeric_limits<double>::quiet_NaN();
  });
  ASSERT_EQ(places.unrotated.size(), 2U);
  EXPECT_EQ(places.unrotated[0].kind, Unrotated::zero);
  EXPECT_EQ(places.unrotated[1].kind, Unrotated::not_finite);
  EXPECT_EQ(places.unrotated[1].along, (Along{{0, 1}, {1}, {4}}));
  EXPECT_FALSE(places.all_unrotated);
}

// ---- what a difference is like

constexpr std::array<std::size_t, 3> kMany = {1, 8, 64};
constexpr std::size_t kHead = 64;

OutputResidual residual_of(const Change& change, std::int64_t start = 0,
                           const std::array<std::size_t, 3>& lengths = kMany) {
  const Judged result = judged(lengths, kHead, start, change);
  EXPECT_GT(result.report.violations, 0U);
  return result.residual;
}

/// y turned on by an angle of each place.
Change turned(const std::function<double(const Place&, std::size_t pair)>& angle) {
  return [angle](const Place& at, const auto&, auto& y) {
    for (std::size_t k = 0; k < kHead / 2; ++k) {
      const std::complex<double> z =
          std::complex<double>(y[k], y[k + kHead / 2]) * std::polar(1.0, angle(at, k));
      y[k] = z.real();
      y[k + kHead / 2] = z.imag();
    }
  };
}

/// Noise of a size, relative to every number or to all of them.
Change noisy(double size, bool relative) {
  return [size, relative](const Place& at, const auto&, auto& y) {
    std::vector<double> noise(y.size());
    RandomStream(11, (at.row * 64 + at.head) * 4096 + at.token).fill_normal(noise);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += size * noise[i] * (relative ? y[i] : 1);
  };
}

TEST(OutputResidual, NoiseOfTwoRunsIsNoise) {
  for (const bool relative : {false, true})
    for (const double size : {1e-9, 1e-3, 1e-2}) {
      const OutputResidual residual = residual_of(noisy(size, relative));
      EXPECT_TRUE(residual.noise) << size;
      EXPECT_NEAR(residual.relative, size, 0.3 * size);
    }
  EXPECT_TRUE(residual_of(noisy(1e-3, false), 100, {1, 1, 1}).noise);
  EXPECT_TRUE(residual_of(noisy(1e-3, true), 100, {3, 1, 200}).noise);
  EXPECT_FALSE(residual_of(noisy(0.05, false)).noise) << "more than any rounding in between";
}

TEST(OutputResidual, WrongRotationsAreNoNoise) {
  const auto jumble = [](std::size_t a, std::size_t b) {
    return std::sin(12.9898 * static_cast<double>(a) + 78.233 * static_cast<double>(b)) > 0 ? 1e-3
                                                                                            : -1e-3;
  };
  // An angle that is off alike, of one pair, of one token, of one head, of each place its own.
  EXPECT_FALSE(residual_of(turned([](const Place&, std::size_t) { return 1e-3; }), 50).noise);
  EXPECT_FALSE(
      residual_of(turned([](const Place&, std::size_t k) { return k == 7 ? 1e-3 : 0; }), 50).noise);
  EXPECT_FALSE(
      residual_of(turned([](const Place& at, std::size_t) { return at.token == 7 ? 1e-3 : 0; }), 50)
          .noise);
  EXPECT_FALSE(
      residual_of(turned([](const Place& at, std::size_t) { return at.head == 7 ? 1e-3 : 0; }), 50)
          .noise);
  EXPECT_FALSE(
      residual_of(turned([&](const Place&, std::size_t k) { return jumble(k, 1); }), 50).noise);
  EXPECT_FALSE(
      residual_of(turned([&](const Place& at, std::size_t) { return jumble(at.token, 1); }), 50)
          .noise);
  EXPECT_FALSE(
      residual_of(turned([&](const Place& at, std::size_t) { return jumble(at.head, 1); }), 50)
          .noise);
  // Rounded angles: of every token and pair another, which its heads share.
  EXPECT_FALSE(
      residual_of(turned([&](const Place& at, std::size_t k) { return jumble(at.token, k); }), 50)
          .noise);
  // A factor, and every number moved.
  EXPECT_FALSE(residual_of(
                   [](const Place&, const auto&, auto& y) {
                     for (double& value : y) value *= 1.001;
                   },
                   50)
                   .noise);
}

TEST(OutputResidual, WhatIsRightAtPosition0IsNoNoise) {
  EXPECT_FALSE(residual_of([](const Place& at, const auto& x, auto& y) {
                 if (at.token > 0) noisy(1e-3, false)(at, x, y);
               }).noise);
}

TEST(OutputResidual, AWrongBaseInNoiseOfFewTokensIsNoNoise) {
  // Of 4 tokens the base turns few pairs by enough for a direction: but token 0 not at all.
  const RotaryEmbedding right = half_embedding(kHead);
  const RotaryEmbedding wrong = default_embedding(kHead, 10300, PairLayout::half);
  const auto change = [&](const Place& at, const auto& x, auto& y) {
    turned([&](const Place& place, std::size_t k) {
      return static_cast<double>(place.token) *
             (wrong.frequencies.theta[k] - right.frequencies.theta[k]);
    })(at, x, y);
    noisy(1e-4, true)(at, x, y);
  };
  EXPECT_FALSE(residual_of(change, 0, {1, 2, 4}).noise);
}

TEST(OutputResidual, NoiseOfOneHeadIsNoNoise) {
  EXPECT_FALSE(residual_of([](const Place& at, const auto& x, auto& y) {
                 if (at.head == 5) noisy(1e-3, false)(at, x, y);
               }).noise);
}

// Of one vector there is one error of each pair, which no other token or head bears out.
TEST(OutputResidual, OnePairOfFewVectorsIsNoNoise) {
  for (const std::array<std::size_t, 3>& lengths : {std::array<std::size_t, 3>{1, 1, 1}, {1, 3, 1}})
    for (const double angle : {1e-4, 1e-3, 3e-2}) {
      const Change change = turned([&](const Place&, std::size_t k) { return k == 7 ? angle : 0; });
      EXPECT_FALSE(residual_of(change, 50, lengths).noise) << angle;
      const auto in_noise = [&](const Place& at, const auto& x, auto& y) {
        change(at, x, y);
        noisy(angle / 30, true)(at, x, y);
      };
      EXPECT_FALSE(residual_of(in_noise, 50, lengths).noise) << angle;
    }
  for (std::uint64_t seed = 0; seed < 400; ++seed)  // noise has no such pair
    EXPECT_TRUE(residual_of(
                    [&](const Place&, const auto&, auto& y) {
                      std::vector<double> noise(y.size());
                      RandomStream(seed, 0).fill_normal(noise);
                      for (std::size_t i = 0; i < y.size(); ++i)
                        y[i] += 1e-3 * noise[i] * (seed % 2 == 0 ? y[i] : 1);
                    },
                    50, {1, 1, 1})
                    .noise)
        << seed;
}

/// The pairs of an axis whose positions are up to 5 too low, below the bounds of 16 bits in most.
TEST(OutputResidual, AnglesThatErrToOneSideBelowTheirRoundingAreNoNoise) {
  constexpr std::size_t kPlaces = 70, kLanes = 4, kPairs = 64;
  constexpr double kRounding = 2e-3, kBound = 8e-3;
  const auto residual = [&](double wrong) {
    ResidualRecorder recorder({kPlaces, kLanes, 2 * kPairs}, 0);
    RandomStream random(3, 0);
    std::vector<double> x(2 * kPairs), errors(2 * kPairs);
    for (std::size_t t = 0; t < kPlaces; ++t)
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        random.fill_normal(x);
        random.fill_normal(errors);
        std::vector<OutputError> vector(kPairs);
        for (std::size_t k = 0; k < kPairs; ++k) {
          OutputError& one = vector[k];
          const std::complex<double> w(x[2 * k], x[2 * k + 1]);
          const double theta = std::pow(1e4, -static_cast<double>(k) / kPairs);
          const double turn =
              k >= 32 && k < 48 ? wrong * theta * static_cast<double>(t / 8 % 6) : 0;
          const std::complex<double> found =
              w * std::complex(1.0, turn) +
              kRounding * std::abs(w) * std::complex(errors[2 * k], errors[2 * k + 1]);
          one.pair = k;
          one.bound = kBound * std::abs(w);
          one.expected = {w.real(), w.imag()};
          one.found = {found.real(), found.imag()};
        }
        recorder.add(vector);
      }
    return recorder.residual();
  };
  EXPECT_TRUE(residual(0).noise);
  EXPECT_FALSE(residual(1).noise);
  EXPECT_FALSE(residual(-1).noise);
}

TEST(OutputResidual, AFactorAccountsForWhatItMakesAndNotForNoise) {
  const auto larger_by = [](double share) {
    return [share](const Place&, const auto&, auto& y) {
      for (double& value : y) value *= 1 + share;
    };
  };
  for (const double share : {1e-6, 1e-3, 1e-2})
    EXPECT_GT(residual_of(larger_by(share), 50, {1, 1, 1}).by_factor, 0.99) << share;
  EXPECT_LT(residual_of(noisy(1e-3, true), 50, {1, 1, 1}).by_factor, 0.3);
}

// ---- policies that fit

TEST(FittingPolicies, AreThoseOfTheFormatThatHoldsTheOutputs) {
  const auto names = [](Format x, Format y, bool fits = true) {
    std::vector<std::string> all;
    for (const FittingPolicy& one : fitting_policies(x, y, fits))
      all.push_back(one.policy.name + (one.casts_input ? " of x cast" : ""));
    return all;
  };
  using Names = std::vector<std::string>;
  using enum Format;
  EXPECT_EQ(names(float64, float64), (Names{"float64", "angle=f32,table=f32,apply=f64"}));
  EXPECT_EQ(names(float32, float32), (Names{"float32", "ggml-cuda", "ggml"}));
  EXPECT_EQ(names(bfloat16, float32), names(float32, float32));
  EXPECT_EQ(names(bfloat16, bfloat16),
            (Names{"bfloat16-store", "bfloat16-table", "ggml,store=bf16"}));
  EXPECT_EQ(names(float16, float16),
            (Names{"float32,store=f16", "float16-table", "ggml,store=f16"}));
  const Names wider = names(float32, bfloat16);
  EXPECT_EQ(wider.front(), "bfloat16-store of x cast");
  EXPECT_EQ(wider.back(), "ggml");
  EXPECT_EQ(names(bfloat16, float16, false), names(float32, float32)) << "65504 is the largest";
  for (const FittingPolicy& one : fitting_policies(float32, bfloat16))
    EXPECT_EQ(one.result, bfloat16);
}

}  // namespace
}  // namespace rope
