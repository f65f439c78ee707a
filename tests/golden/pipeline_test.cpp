// Emulated float32 against what public implementations compute in float32. Their angles are the
// same floats, at every position: what is left is libm and the rounding of the rotation.
#include "rope/precision/pipeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "golden/rotation_case.hpp"
#include "rope/precision/bounds.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

/// What data/reference/rotation has in float32.
using Case = test::RotationCase;

std::vector<Case> cases() {
  return {
      {"llama2_d128",
       128,
       10000,
       {"gptneox", "hf"},
       {"gptj_hf", "lucidrains", "meta", "torchtune"}},
      {"tiny_d6_contiguous",
       6,
       10000,
       {"gptneox", "hf"},
       {"gptj_hf", "lucidrains", "meta", "torchtune"}},
      {"partial_phi2_d80_r32", 32, 10000, {"gptneox", "hf"}, {"gptj_hf", "lucidrains"}},
      {"glm_like_d64_r32", 32, 25000, {"gptneox", "hf"}, {"glm_hf", "lucidrains"}},
  };
}

/// Two computations that take cos and sin of the same floats: each table entry is within E of the
/// true one there, each rotation within sqrt(2)(2u + u^2) of its table's.
double largest_difference(const ErrorBounds& bounds, std::int64_t position, double length) {
  constexpr double u = 0x1p-24;
  const double e = bounds.table_error(position);
  const double rotation = std::numbers::sqrt2 * (2 * u + u * u) * (1 + e);
  return 2 * (e + rotation) * length * kBoundInflation;
}

/// Compares every number of one file. Returns how many there are.
std::size_t expect_agreement(const Case& one, PairLayout layout, const std::string& policy,
                             const std::string& implementation, double per_token) {
  const test::RotationVectors vectors(one, layout);
  const std::string file = "y_" + std::string(name(layout)) + "_" + implementation + "_f32";
  const std::vector<float> other = test::floats(one, file);
  const Pipeline pipeline(*find_policy(policy), vectors.embedding);
  const ErrorBounds bounds(pipeline, {.libm_ulp = 2});  // libraries that are not glibc
  const std::size_t d = vectors.head_dim();
  RotationRow row;
  std::vector<double> x(d), y(d);
  for (std::size_t t = 0; t < vectors.positions.size(); ++t) {
    const std::int64_t position = vectors.positions[t];
    for (std::size_t i = 0; i < d; ++i)
      x[i] = vectors.x(static_cast<Eigen::Index>(t), static_cast<Eigen::Index>(i));
    pipeline.table_row(position, row);
    pipeline.rotate(RotationForm::elementwise, row, x, y);
    const auto difference = [&](std::size_t i) {
      return std::abs(y[i] - static_cast<double>(other[t * d + i]));
    };
    for (std::size_t k = 0; k < vectors.embedding.pairs(); ++k) {
      const auto [i, j] = vectors.embedding.dimensions(k);
      const double derived = largest_difference(bounds, position, std::hypot(x[i], x[j]));
      for (const std::size_t at : {i, j}) {
        const double off = difference(at);
        EXPECT_LE(off, derived) << one.folder << ", " << file << ", position " << position
                                << ", pair " << k;
        EXPECT_LE(off, per_token * static_cast<double>(2 + position))
            << one.folder << ", " << file << ", position " << position << ", pair " << k;
      }
    }
    for (std::size_t i = vectors.embedding.rotary_dim(); i < d; ++i)
      EXPECT_EQ(difference(i), 0) << one.folder << ", " << file << ", dimension " << i;
  }
  return other.size();
}

TEST(Pipeline, Float32StaysWithin3e7TimesThePositionOfEveryImplementationInFloat32) {
  std::size_t compared = 0;
  for (const Case& one : cases()) {
    for (const std::string& implementation : one.half)
      compared += expect_agreement(one, PairLayout::half, "float32", implementation, 3e-7);
    for (const std::string& implementation : one.interleaved)
      compared += expect_agreement(one, PairLayout::interleaved, "float32", implementation, 3e-7);
  }
  EXPECT_EQ(compared, 18484U);
}

TEST(Pipeline, GgmlsRecurrenceIsThatOfGgml) {
  std::size_t compared = 0;
  for (const Case& one : cases()) {
    compared += expect_agreement(one, PairLayout::half, "ggml", "ggml_neox", 6e-7);
    compared += expect_agreement(one, PairLayout::interleaved, "ggml", "ggml_normal", 6e-7);
  }
  EXPECT_EQ(compared, 7420U);
}

}  // namespace
}  // namespace rope
