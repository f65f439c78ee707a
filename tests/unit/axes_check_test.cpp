#include "rope/verify/axes_check.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "rope/error.hpp"
#include "rope/precision/bounds.hpp"
#include "rope/rotary/axial.hpp"
#include "rope/verify/output_check.hpp"

namespace rope {
namespace {

RotaryEmbedding mrope(SectionOrder order) {
  RotaryEmbedding embedding = default_embedding(32, 10000, PairLayout::half);
  embedding.axes = section_axes(std::vector<std::size_t>{4, 6, 6}, 16, order);
  return embedding;
}

TEST(AxesCheck, TheIdentityHoldsOnSeveralAxesUnderEveryPolicy) {
  const std::array<std::size_t, 2> dims = {16, 16};
  for (const RotaryEmbedding& embedding :
       {mrope(SectionOrder::contiguous), mrope(SectionOrder::interleaved),
        axial_embedding(40, 10000, dims),
        axial_embedding(32, 100, dims, PairLayout::half, AxisSeries::restarted, true)})
    for (const char* policy : {"exact", "float64", "float32", "ggml"}) {
      const AxesReport report = check_axes(embedding, *find_policy(policy), 200, 7, 4096);
      EXPECT_TRUE(report.passed()) << policy;
      EXPECT_TRUE(report.trusted()) << policy;
      EXPECT_EQ(report.cases, 200U);
      EXPECT_EQ(report.shift.size(), embedding.axes.count());
      EXPECT_GT(report.identity.error, 0) << policy;
    }
}

TEST(AxesCheck, EveryMistakeInTheAxesIsCaught) {
  const AxesReport report =
      check_axes(mrope(SectionOrder::contiguous), *find_policy("exact"), 8, 1, 1000);
  EXPECT_EQ(report.mistakes.size(), 5U);
  for (const AxisMistake& mistake : report.mistakes) {
    EXPECT_TRUE(mistake.applies) << mistake.name;
    EXPECT_TRUE(mistake.caught) << mistake.name;
  }
  EXPECT_THROW(check_axes(default_embedding(8, 10000), *find_policy("exact"), 1, 1, 10),
               ShapeError);
}

TEST(AxesCheck, AnAxisWithoutPairsChangesNothing) {
  RotaryEmbedding embedding = default_embedding(32, 10000);
  embedding.axes = section_axes(std::vector<std::size_t>{8, 8, 0}, 16);
  const AxesReport report = check_axes(embedding, *find_policy("float32"), 100, 3, 4096);
  EXPECT_EQ(report.shift[2].error, 0);
  EXPECT_GT(report.shift[1].error, 0);
  const AxisMistake& reversed = report.mistakes.back();
  EXPECT_EQ(reversed.name, "axis-reversed");
  EXPECT_FALSE(reversed.applies);
  EXPECT_FALSE(reversed.caught);
}

TEST(ErrorBounds, OfEveryPairAreThoseAtThePositionOnItsAxis) {
  const RotaryEmbedding embedding = mrope(SectionOrder::interleaved);
  const Pipeline pipeline(*find_policy("float32"), embedding);
  const ErrorBounds bounds(pipeline);
  const std::array<std::int64_t, 3> m = {3, 5000, 70}, n = {900, -2, 8}, by = {1, 20, 300};
  std::vector<double> all, own;
  const auto same_on_each_axis = [&](const auto& several, const auto& one) {
    several();
    ASSERT_EQ(all.size(), embedding.pairs());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      one(axis);
      for (std::size_t k = 0; k < all.size(); ++k)
        if (embedding.axes.of_pair[k] == axis) {
          EXPECT_EQ(all[k], own[k]) << axis << " " << k;
        }
    }
  };
  same_on_each_axis([&] { bounds.faithfulness(Position(m), all); },
                    [&](std::size_t axis) { bounds.faithfulness(m[axis], own); });
  same_on_each_axis(
      [&] { bounds.identity(Position(m), Position(n), all); },
      [&](std::size_t axis) { bounds.identity(m[axis], n[axis], n[axis] - m[axis], own); });
  same_on_each_axis([&] { bounds.shift(Position(m), Position(n), Position(by), all); },
                    [&](std::size_t axis) { bounds.shift(m[axis], n[axis], by[axis], own); });
}

TEST(OutputCheck, TakesPositionsOnSeveralAxes) {
  const RotaryEmbedding embedding = mrope(SectionOrder::contiguous);
  const std::array<std::int64_t, 3> position = {3, 50, 7};
  std::vector<double> x(32), y(32);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + static_cast<double>(i) / 16;
  rotate_elementwise(embedding, rotation_row(embedding, Position(position)), x, y);
  OutputCheck right(*find_policy("float64"), embedding);
  right.add_vector(0, Position(position), x, y);
  EXPECT_TRUE(right.report().passed());
  OutputCheck text(*find_policy("float64"), embedding);
  text.add_vector(0, 3, x, y);
  EXPECT_EQ(text.report().violations, 12U);  // all pairs but those of time
  EXPECT_EQ(text.report().first->pair, 4U);
}

}  // namespace
}  // namespace rope
