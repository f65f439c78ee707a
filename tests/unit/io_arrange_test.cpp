// Axes of one tensor brought into those of another.

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "rope/io/arrange.hpp"
#include "rope/io/npy.hpp"

namespace rope::io {
namespace {

using Order = std::vector<std::size_t>;

/// The numbers 0, 1, 2 … in that shape.
Tensor counted(const Shape& shape) {
  std::vector<double> values(element_count(shape).value());
  std::iota(values.begin(), values.end(), 0.0);
  return npy_tensor(to_npy(shape, values), "y.npy");
}

TEST(Arranged, KeepsTheElementsWhereAxesAreMergedOrOfLength1) {
  for (const auto& [from, to] : std::vector<std::pair<Shape, Shape>>{{{5, 2, 8}, {5, 16}},
                                                                     {{5, 16}, {5, 2, 8}},
                                                                     {{5, 2, 8}, {1, 5, 1, 2, 8}},
                                                                     {{1, 80}, {80}},
                                                                     {{4, 4, 8}, {16, 8}},
                                                                     {{2, 3, 4, 5}, {6, 20}}}) {
    const std::optional<Arranged> found = arranged(counted(from), to);
    ASSERT_TRUE(found) << shape_text(from) << shape_text(to);
    EXPECT_EQ(found->order, Order{});
    EXPECT_EQ(found->tensor.shape(), to);
    EXPECT_EQ(found->tensor.doubles(), counted(from).doubles());
  }
}

TEST(Arranged, PermutesAxesOfDifferentLengths) {
  const Tensor tensor = counted({2, 1, 3, 4});
  const std::optional<Arranged> found = arranged(tensor, {3, 2, 4});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->order, (Order{2, 0, 3}));
  EXPECT_EQ(found->tensor.shape(), (Shape{3, 2, 4}));
  const std::vector<double> values = found->tensor.doubles();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t k = 0; k < 4; ++k)
        EXPECT_EQ(values[(i * 2 + j) * 4 + k], static_cast<double>((j * 3 + i) * 4 + k));
  EXPECT_EQ(arranged(counted({4, 3, 2}), {2, 3, 4})->order, (Order{2, 1, 0}));
}

TEST(Arranged, IsNothingWhereSeveralOrdersFitOrNone) {
  EXPECT_FALSE(arranged(counted({4, 4, 8}), {4, 8, 4})) << "two axes of 4";
  EXPECT_FALSE(arranged(counted({2, 3, 4}), {2, 3, 5})) << "other elements";
  EXPECT_FALSE(arranged(counted({2, 3, 4}), {4, 6})) << "merged and permuted";
  EXPECT_FALSE(arranged(counted({0, 3}), {3, 0})) << "no elements";
}

}  // namespace
}  // namespace rope::io
