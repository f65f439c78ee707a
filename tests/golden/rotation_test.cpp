// Rotated vectors against 50 digits, and against what public implementations make of them.
#include "rope/rotary/rotation_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "golden/rotation_case.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

using test::doubles;
using Vectors = test::RotationVectors;

/// What data/reference/rotation has in double.
using Case = test::RotationCase;

std::vector<Case> cases() {
  return {
      {"llama2_d128",
       128,
       10000,
       {"gptneox", "hf"},
       {"gptj_hf", "lucidrains", "mesh_tf_jax", "meta", "torchtune"}},
      {"tiny_d6_contiguous",
       6,
       10000,
       {"gptneox", "hf"},
       {"gptj_hf", "lucidrains", "mesh_tf_jax", "meta", "roformer_hf", "torchtune"}},
      {"partial_phi2_d80_r32",
       32,
       10000,
       {"gptneox", "hf"},
       {"gptj_hf", "lucidrains", "mesh_tf_jax"}},
      {"glm_like_d64_r32", 32, 25000, {"gptneox", "hf"}, {"glm_hf", "lucidrains"}},
  };
}

/// The largest difference of two arrays in row t.
double row_error(const std::vector<double>& a, const std::vector<double>& b, std::size_t row,
                 std::size_t size) {
  double error = 0;
  for (std::size_t i = row * size; i < (row + 1) * size; ++i)
    error = std::max(error, std::abs(a[i] - b[i]));
  return error;
}

std::vector<double> rotated(const Vectors& vectors) {
  const RowMatrix y = rotate(vectors.embedding, vectors.x, vectors.positions);
  return {y.data(), y.data() + y.size()};
}

void expect_within_the_stated_bound(const Case& one, PairLayout layout) {
  // What rotation.hpp states, and the rounding of the reference itself to double.
  constexpr double kError = 1.1e-16 + 2.3e-16;
  constexpr double kReferenceError = 0x1p-53;
  const Vectors vectors(one, layout);
  const std::vector<double> got = rotated(vectors);
  const std::vector<double> exact = doubles(one, "y_" + std::string(name(layout)) + "_mp");
  ASSERT_EQ(got.size(), exact.size());
  for (std::size_t t = 0; t < vectors.positions.size(); ++t) {
    const auto row = static_cast<Eigen::Index>(t);
    const std::size_t begin = t * vectors.head_dim();
    for (std::size_t k = 0; k < vectors.embedding.pairs(); ++k) {
      const auto [first, second] = vectors.embedding.dimensions(k);
      const double scale = std::abs(vectors.x(row, static_cast<Eigen::Index>(first))) +
                           std::abs(vectors.x(row, static_cast<Eigen::Index>(second)));
      for (const std::size_t i : {begin + first, begin + second})
        EXPECT_LE(std::abs(got[i] - exact[i]),
                  scale * kError + std::abs(exact[i]) * kReferenceError)
            << one.folder << ", " << name(layout) << ", position " << vectors.positions[t]
            << ", pair " << k << ": " << test::show(got[i]) << ", expected "
            << test::show(exact[i]);
    }
    for (std::size_t i = vectors.embedding.rotary_dim(); i < vectors.head_dim(); ++i)
      EXPECT_EQ(got[begin + i], exact[begin + i]) << one.folder << ", dimension " << i;
  }
}

TEST(Rotation, OfRealShapesIsWithinTheStatedBoundOfFiftyDigits) {
  for (const Case& one : cases())
    for (const PairLayout layout : {PairLayout::half, PairLayout::interleaved})
      expect_within_the_stated_bound(one, layout);
}

/// Counts the rows at positions above 100, where other double-precision code has lost digits.
std::size_t expect_closer_than_others(const Case& one, PairLayout layout,
                                      const std::vector<std::string>& implementations) {
  const Vectors vectors(one, layout);
  const std::string prefix = "y_" + std::string(name(layout)) + "_";
  const std::vector<double> got = rotated(vectors);
  const std::vector<double> exact = doubles(one, prefix + "mp");
  std::size_t compared = 0;
  for (const std::string& implementation : implementations) {
    const std::vector<double> other = doubles(one, prefix + implementation + "_f64");
    for (std::size_t t = 0; t < vectors.positions.size(); ++t) {
      const double ours = row_error(got, exact, t, vectors.head_dim());
      const double theirs = row_error(other, exact, t, vectors.head_dim());
      // The same formula in the same layout: nobody is off by more than the angle's rounding.
      const auto tokens = static_cast<double>(2 + vectors.positions[t]);
      EXPECT_LE(theirs, 1e-15 * tokens) << one.folder << ", " << implementation;
      if (vectors.positions[t] <= 100) continue;
      ++compared;
      EXPECT_LT(ours, theirs) << one.folder << ", " << implementation << ", position "
                              << vectors.positions[t];
    }
  }
  return compared;
}

TEST(Rotation, IsCloserToTheTruthThanEveryImplementationInDoubleBeyondPosition100) {
  std::size_t compared = 0;
  for (const Case& one : cases()) {
    compared += expect_closer_than_others(one, PairLayout::half, one.half);
    compared += expect_closer_than_others(one, PairLayout::interleaved, one.interleaved);
  }
  EXPECT_EQ(compared, 2U * 2U * (7U + 5U + 4U));  // two tokens, two heads
}

}  // namespace
}  // namespace rope
