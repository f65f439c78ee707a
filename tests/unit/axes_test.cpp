// Positions on several axes: what pair turns by which, against formulas written out here.

#include "rope/rotary/axes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "rope/error.hpp"
#include "rope/rotary/axial.hpp"
#include "rope/rotary/rotate_heads.hpp"
#include "rope/rotary/rotation.hpp"

namespace rope {
namespace {

Position at(std::vector<std::int64_t> numbers) { return Position(numbers); }

/// The pair (x, y) turned by an angle, in extended precision.
std::array<double, 2> turned(long double angle, double x, double y) {
  const long double c = std::cos(angle), s = std::sin(angle);
  const auto first = static_cast<long double>(x), second = static_cast<long double>(y);
  return {static_cast<double>(first * c - second * s), static_cast<double>(first * s + second * c)};
}

/// Compares R_p x, of x = 1, 2, 3, …, with angles and dimensions that `pair_of(k)` says.
struct ExpectedPair {
  std::size_t first, second;
  long double angle;
};
template <typename PairOf>
void expect_rotation(const RotaryEmbedding& embedding, const Position& position, PairOf pair_of) {
  std::vector<double> x(embedding.head_dim), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i + 1);
  rotate_heads(embedding, rotation_row(embedding, position), x, y);
  for (std::size_t k = 0; k < embedding.pairs(); ++k) {
    const ExpectedPair pair = pair_of(k);
    const auto [first, second] = turned(pair.angle, x[pair.first], x[pair.second]);
    // Entries are off by 1.1e-16, products and sums by 2.3e-16 more, long double angles of up to
    // 1000 rad by 6e-17.
    const double bound = 5e-16 * (std::abs(x[pair.first]) + std::abs(x[pair.second]));
    EXPECT_NEAR(y[pair.first], first, bound) << "pair " << k;
    EXPECT_NEAR(y[pair.second], second, bound) << "pair " << k;
  }
}

RotaryEmbedding with_sections(std::vector<std::size_t> sections, SectionOrder order, double base,
                              PairLayout layout) {
  std::size_t pairs = 0;
  for (const std::size_t section : sections) pairs += section;
  RotaryEmbedding embedding = default_embedding(2 * pairs, base, layout);
  embedding.axes = section_axes(sections, pairs, order);
  return embedding;
}

TEST(Axes, OnePositionForAllIsTheOrdinaryRotationBitForBit) {
  RotaryEmbedding several =
      with_sections({16, 24, 24}, SectionOrder::contiguous, 1e6, PairLayout::half);
  several.attention_factor = 1.25;
  RotaryEmbedding one = several;
  one.axes = {};
  for (const std::int64_t position : {0, 1, -1, 5, 131071, -131072}) {
    const RotationRow row = rotation_row(several, Position(position));
    EXPECT_EQ(row.cos, rotation_row(one, position).cos) << position;
    EXPECT_EQ(row.sin, rotation_row(one, position).sin) << position;
  }
}

TEST(Axes, ContiguousSectionsAreThoseOfQwen2Vl) {
  const std::array<std::int64_t, 3> position = {7, -30, 211};
  expect_rotation(
      with_sections({16, 24, 24}, SectionOrder::contiguous, 1e6, PairLayout::half),
      Position(position), [&](std::size_t k) -> ExpectedPair {
        const std::int64_t p = k < 16 ? 7 : k < 40 ? -30 : 211;
        return {k, k + 64,
                static_cast<long double>(p) * std::pow(1e6L, -static_cast<long double>(k) / 64)};
      });
}

TEST(Axes, InterleavedSectionsAreThoseOfQwen3Vl) {
  const std::array<std::int64_t, 3> position = {7, -30, 211};
  expect_rotation(
      with_sections({24, 20, 20}, SectionOrder::interleaved, 5e6, PairLayout::half),
      Position(position), [&](std::size_t k) -> ExpectedPair {
        // h takes pairs 1, 4, … below 3·20, w 2, 5, … below 3·20, t the rest.
        std::int64_t p = 7;
        if (k % 3 == 1 && k < 60) p = -30;
        if (k % 3 == 2 && k < 60) p = 211;
        return {k, k + 64,
                static_cast<long double>(p) * std::pow(5e6L, -static_cast<long double>(k) / 64)};
      });
}

TEST(Axes, TimeLastIsErniesOrder) {
  const Axes axes = section_axes(std::vector<std::size_t>{2, 3, 3}, 8, SectionOrder::time_last);
  EXPECT_EQ(axes.of_pair, (std::vector<std::uint8_t>{1, 2, 1, 2, 1, 2, 0, 0}));
}

TEST(Axes, DealtSeriesAreThoseOfPixtral) {
  const std::array<std::size_t, 2> dims = {32, 32};
  expect_rotation(
      axial_embedding(64, 10000, dims, PairLayout::half, AxisSeries::dealt), at({13, 40}),
      [&](std::size_t k) -> ExpectedPair {
        const std::size_t exponent = k < 16 ? 2 * k : 2 * (k - 16) + 1;
        return {k, k + 32,
                (k < 16 ? 13 : 40) * std::pow(1e4L, -static_cast<long double>(exponent) / 32)};
      });
}

TEST(Axes, RestartedSeriesAreThoseOfFlux) {
  const std::array<std::size_t, 3> dims = {16, 56, 56};
  expect_rotation(axial_embedding(128, 10000, dims), at({3, 40, -41}),
                  [&](std::size_t k) -> ExpectedPair {
                    const std::size_t j = k < 8 ? k : k < 36 ? k - 8 : k - 36;
                    const int p = k < 8 ? 3 : k < 36 ? 40 : -41;
                    return {2 * k, 2 * k + 1,
                            p * std::pow(1e4L, -static_cast<long double>(j) / (k < 8 ? 8 : 28))};
                  });
}

TEST(Axes, OwnBlocksAreThoseOfGemma4sVision) {
  const std::array<std::size_t, 2> dims = {36, 36};
  expect_rotation(axial_embedding(72, 100, dims, PairLayout::half, AxisSeries::restarted, true),
                  at({5, 9}), [&](std::size_t k) -> ExpectedPair {
                    const std::size_t block = k / 18, j = k % 18;
                    return {
                        36 * block + j, 36 * block + j + 18,
                        (block == 0 ? 5 : 9) * std::pow(100.0L, -static_cast<long double>(j) / 18)};
                  });
}

TEST(Axes, NormalizedPositionsAreThoseOfDinov3) {
  const std::array<std::size_t, 2> dims = {32, 32}, patches = {14, 20};
  const RotaryEmbedding embedding =
      normalized_axial_embedding(64, 100, dims, patches, PairLayout::half);
  // Patch (3, 17) of 14 × 20: coordinates (2i + 1)/n − 1.
  expect_rotation(embedding, at({2 * 3 + 1 - 14, 2 * 17 + 1 - 20}),
                  [&](std::size_t k) -> ExpectedPair {
                    const long double c = k < 16 ? 2 * 3.5L / 14 - 1 : 2 * 17.5L / 20 - 1;
                    return {k, k + 32,
                            2 * 3.14159265358979323846264338L * c *
                                std::pow(100.0L, -static_cast<long double>(k % 16) / 16)};
                  });
}

TEST(Axes, AShiftOfBothLeavesTheScoreOnEveryAxis) {
  const RotaryEmbedding embedding =
      with_sections({3, 3, 2}, SectionOrder::interleaved, 10000, PairLayout::half);
  EXPECT_EQ(at({5, 6, 7}) - at({1, 2, 9}), at({4, 4, -2}));
  const RotationRow one = rotation_row(embedding, at({4, 4, -2}));
  const RotationRow p = rotation_row(embedding, at({1, 2, 9}));
  const RotationRow s = rotation_row(embedding, at({5, 6, 7}));
  for (std::size_t k = 0; k < embedding.pairs(); ++k)
    EXPECT_NEAR(p.cos[k] * s.cos[k] + p.sin[k] * s.sin[k], one.cos[k], 1e-15);
}

TEST(Axes, WhatCannotBeIsRefused) {
  const std::vector<std::size_t> sections = {16, 24, 25};
  EXPECT_THROW(section_axes(sections, 64), ShapeError);
  EXPECT_THROW(section_axes(std::vector<std::size_t>{64}, 64), ShapeError);
  EXPECT_THROW(section_axes(std::vector<std::size_t>{1, 1, 1, 1, 1}, 5), ShapeError);
  const std::array<std::size_t, 2> odd = {31, 33}, uneven = {16, 48}, large = {64, 66};
  EXPECT_THROW(axial_embedding(64, 10000, odd), ShapeError);
  EXPECT_THROW(axial_embedding(64, 10000, uneven, PairLayout::half, AxisSeries::dealt), ShapeError);
  EXPECT_THROW(axial_embedding(128, 10000, large), ShapeError);
  EXPECT_THROW(Position(std::vector<std::int64_t>{}), ShapeError);
  RotaryEmbedding embedding = axial_embedding(64, 10000, std::array<std::size_t, 2>{32, 32});
  EXPECT_FALSE(embedding.geometric_base().has_value());
  embedding.axes.of_pair.pop_back();
  EXPECT_THROW(rotation_row(embedding, at({1, 2})), ShapeError);
}

}  // namespace
}  // namespace rope
