#include "rope/verify/test_vectors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rope/error.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/rotary/rotation.hpp"

namespace rope {
namespace {

TEST(TestVectors, AreTheExactRotationOfRoundedInputs) {
  RotaryEmbedding embedding = default_embedding(8, 10000, PairLayout::half);
  embedding.attention_factor = 1.25;
  TestVectorMaker maker(embedding, *find_policy("bfloat16-table"));
  const std::vector<double> x = {0.1, -0.2, 0.3, 1.7, 5, 0, -3.3, 0.01};
  maker.add(0, x);
  maker.add(4095, x);
  maker.add(4095, x);
  const TestVectors made = maker.take();
  EXPECT_EQ(made.positions, (std::vector<std::int64_t>{0, 4095, 4095}));
  ASSERT_EQ(made.x.size(), 24U);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(made.x[i], round_to(made.policy.input(), x[i]));
    EXPECT_EQ(made.y[i], 1.25 * made.x[i]);  // position 0 only scales, exactly so in double here
    EXPECT_EQ(made.y[8 + i], made.y[16 + i]);
    EXPECT_GT(made.bound[i], 0);
  }
  // In double, cos has its error, and A·cos, the product, the sum and y round once each.
  const RotationRow row = rotation_row(embedding, 4095);
  for (std::size_t k = 0; k < 4; ++k) {
    const double a = made.x[8 + k], b = made.x[12 + k];
    const double room = (kCosSinError + 4 * 0x1p-53) * 1.25 * (std::abs(a) + std::abs(b));
    EXPECT_NEAR(made.y[8 + k], row.cos[k] * a - row.sin[k] * b, room);
    EXPECT_NEAR(made.y[12 + k], row.sin[k] * a + row.cos[k] * b, room);
  }
  EXPECT_TRUE(maker.take().x.empty());
}

TEST(TestVectors, AreTheSameForTheSameSeed) {
  const RotaryEmbedding embedding = default_embedding(16, 10000);
  const auto made = [&](std::uint64_t seed) {
    return random_test_vectors(embedding, *find_policy("float32"), revealing_positions(), 2, seed);
  };
  const TestVectors first = made(42), again = made(42), other = made(43);
  EXPECT_EQ(first.x.size(), 2 * 16 * revealing_positions().size());
  EXPECT_EQ(first.positions[1], 0);
  EXPECT_EQ(first.positions[2], 1);
  EXPECT_EQ(first.x, again.x);
  EXPECT_EQ(first.y, again.y);
  EXPECT_EQ(first.bound, again.bound);
  EXPECT_NE(first.x, other.x);
}

TEST(TestVectors, OfAnotherSizeAreRefused) {
  TestVectorMaker maker(default_embedding(8, 10000), *find_policy("float32"));
  EXPECT_THROW(maker.add(0, std::vector<double>(6)), ShapeError);
}

}  // namespace
}  // namespace rope
