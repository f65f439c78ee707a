// Positions of tokens, rotation and conversion of tensors block by block, roles of weights.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

#include "rope/apply/convert_checkpoint.hpp"
#include "rope/apply/rotate_tensor.hpp"
#include "rope/error.hpp"
#include "rope/io/npy.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/layout_permutation.hpp"
#include "rope/rotary/rotate_heads.hpp"
#include "support/outcome.hpp"

namespace rope {
namespace {

constexpr PairLayout kInterleaved = PairLayout::interleaved, kHalf = PairLayout::half;
using Integers = std::vector<std::int64_t>;

using test::refusal;

std::vector<double> random_numbers(std::size_t count, std::uint64_t stream = 0) {
  std::vector<double> values(count);
  RandomStream(7, stream).fill_normal(values);
  return values;
}

// ---- where tokens stand

TEST(TokenAxes, TakeAShapeApart) {
  const auto expect = [](const io::Shape& shape, std::int64_t axis, std::uint64_t outer,
                         std::uint64_t tokens, std::uint64_t inner, std::size_t d) {
    const TokenAxes axes = token_axes(shape, axis, "x");
    EXPECT_EQ(axes.outer, outer);
    EXPECT_EQ(axes.tokens, tokens);
    EXPECT_EQ(axes.inner, inner);
    EXPECT_EQ(axes.head_dim, d);
  };
  expect({8}, 0, 1, 1, 1, 8);
  expect({5, 8}, 0, 1, 5, 1, 8);
  expect({5, 3, 8}, 0, 1, 5, 3, 8);
  expect({2, 3, 5, 8}, 2, 6, 5, 1, 8);
  expect({2, 3, 5, 8}, -2, 6, 5, 1, 8);
  expect({2, 5, 3, 8}, 1, 2, 5, 3, 8);
  expect({0, 3, 8}, 0, 1, 0, 3, 8);
}

TEST(TokenAxes, RefuseAxesThatAreNone) {
  EXPECT_EQ(refusal([] {
              token_axes({5, 8}, 1, "x");
            }),
            "x: expected a token axis before the last axis of shape (5, 8), found axis 1");
  for (const std::int64_t axis : {-1, -3, 2, 99})
    EXPECT_NE(refusal([&] { token_axes({5, 8}, axis, "x"); }), "accepted") << axis;
  EXPECT_EQ(refusal([] { token_axes({}, 0, "x"); }),
            "x: expected vectors along the last axis, found shape ()");
  EXPECT_NE(refusal([] { token_axes({3, 0}, 0, "x"); }), "accepted");
}

TEST(TokenPositions, CountFromTheStart) {
  const TokenPositions positions = TokenPositions::counted(-3, 5);
  for (std::uint64_t t = 0; t < 5; ++t)
    EXPECT_EQ(positions.at(0, t), static_cast<std::int64_t>(t) - 3);
  EXPECT_EQ(positions.smallest(), -3);
  EXPECT_EQ(positions.largest(), 1);
  EXPECT_EQ(TokenPositions::counted(9, 0).largest(), 0);
  EXPECT_EQ(TokenPositions::counted(INT64_MAX, 1).largest(), INT64_MAX);
  EXPECT_NE(refusal([] { TokenPositions::counted(INT64_MAX, 2); }), "accepted");
}

TEST(TokenPositions, StartAgainInEachPackedSequence) {
  const TokenPositions positions = TokenPositions::packed({5, 0, 3, 1}, 10, 9);
  Integers found;
  for (std::uint64_t t = 0; t < 9; ++t) found.push_back(positions.at(1, t)[0]);
  EXPECT_EQ(found, (Integers{10, 11, 12, 13, 14, 10, 11, 12, 10}));
  EXPECT_EQ(positions.smallest(), 10);
  EXPECT_EQ(positions.largest(), 14);
  EXPECT_EQ(refusal([] {
              TokenPositions::packed({5, 3}, 0, 9);
            }),
            "lengths: expected a sum of 9, the number of tokens, got 8");
  EXPECT_EQ(refusal([] {
              TokenPositions::packed({5, 5}, 0, 9);
            }),
            "lengths: expected a sum of 9, the number of tokens, got more");
  EXPECT_NE(refusal([] { TokenPositions::packed({10, -1}, 0, 9); }), "accepted");
  EXPECT_NE(refusal([] { TokenPositions::packed({INT64_MAX, INT64_MAX}, 0, 9); }), "accepted");
}

TEST(TokenPositions, StandOnSeveralAxesInEitherOrder) {
  const TokenAxes axes = token_axes({2, 4, 3, 8}, 1, "x");  // 2 batches of 4 tokens
  const auto given = [](io::Shape shape, std::optional<AxisOrder> order = std::nullopt) {
    AxisPositions positions{std::move(shape), {}, order, "p.npy"};
    for (std::uint64_t i = 0; i < *io::element_count(positions.shape); ++i)
      positions.values.push_back(static_cast<std::int64_t>(i));
    return positions;
  };
  const auto expected = [](std::vector<std::int64_t> numbers) { return Position(numbers); };
  EXPECT_EQ(TokenPositions::on_axes(given({4, 3}), axes).at(1, 2), expected({6, 7, 8}));
  EXPECT_EQ(TokenPositions::on_axes(given({3, 4}), axes).at(1, 2), expected({2, 6, 10}));
  EXPECT_EQ(TokenPositions::on_axes(given({3, 2, 4}), axes).at(1, 2), expected({6, 14, 22}));
  EXPECT_EQ(TokenPositions::on_axes(given({3, 1, 4}), axes).at(1, 2), expected({2, 6, 10}));
  EXPECT_EQ(TokenPositions::on_axes(given({2, 4, 3}), axes).at(1, 2), expected({18, 19, 20}));
  EXPECT_EQ(TokenPositions::on_axes(given({3, 4}), axes).axes(), 3U);
  EXPECT_EQ(TokenPositions::on_axes(given({3, 4}), axes).largest(), 11);
  // As many tokens as axes: only a word can tell.
  EXPECT_EQ(refusal([&] {
              TokenPositions::on_axes(given({4, 4}), axes);
            }),
            "p.npy: expected --axis-order for positions that fit 4 tokens in either order, found "
            "shape (4, 4)");
  EXPECT_EQ(TokenPositions::on_axes(given({4, 4}, AxisOrder::axes_first), axes).at(0, 1),
            expected({1, 5, 9, 13}));
  EXPECT_EQ(TokenPositions::on_axes(given({4, 4}, AxisOrder::tokens_first), axes).at(0, 1),
            expected({4, 5, 6, 7}));
  for (const io::Shape& wrong : {io::Shape{12}, io::Shape{5, 3}, io::Shape{3, 3, 4},
                                 io::Shape{5, 4}, io::Shape{1, 4}, io::Shape{3, 2, 2, 2}})
    EXPECT_NE(refusal([&] { TokenPositions::on_axes(given(wrong), axes); }), "accepted");
}

TEST(TokenPositions, AreGivenOneATokenOrOneATokenOfEachBatch) {
  const TokenAxes axes = token_axes({2, 3, 4}, 1, "x");
  EXPECT_EQ(TokenPositions::listed({7, -8, 9}, axes).at(1, 1), -8);
  EXPECT_EQ(TokenPositions::listed({1, 2, 3, 4, 5, 6}, axes).at(1, 1), 5);
  EXPECT_EQ(TokenPositions::listed({7, -8, 9}, axes).smallest(), -8);
  const TokenAxes heads = token_axes({2, 5, 3, 4}, 2, "x");  // 2 batches of 5 heads before 3 tokens
  for (const std::uint64_t head : {0U, 1U, 4U}) {
    EXPECT_EQ(TokenPositions::listed({1, 2, 3, 4, 5, 6}, heads).at(head, 1), 2);
    EXPECT_EQ(TokenPositions::listed({1, 2, 3, 4, 5, 6}, heads).at(5 + head, 1), 5);
    const AxisPositions two{
        {2, 2, 3}, {1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6}, AxisOrder::axes_first, "p"};
    EXPECT_EQ(TokenPositions::on_axes(two, heads).at(5 + head, 1),
              Position(std::vector<std::int64_t>{5, -5}));
  }
  EXPECT_EQ(refusal([&] {
              TokenPositions::listed({1, 2}, axes);
            }),
            "positions: expected 3, one per token, or 6, one per token of each batch, got 2");
  EXPECT_EQ(refusal([&] {
              TokenPositions::listed({1, 2}, token_axes({3, 4}, 0, "x"));
            }),
            "positions: expected 3, one per token, got 2");
}

// ---- rotation

TEST(RotateHeads, IsTheElementwiseFormBitForBitAtEveryLevel) {
  for (const PairLayout layout : {kInterleaved, kHalf}) {
    for (const std::size_t r : {2U, 6U, 16U, 20U}) {
      RotaryEmbedding embedding = default_embedding(r, 10000, layout);
      embedding.head_dim = 20;
      embedding.attention_factor = 1.2;
      const std::vector<double> x = random_numbers(3 * 20, r);
      const RotationRow row = rotation_row(embedding, 12345);
      std::vector<double> expected(x.size()), found(x.size());
      for (std::size_t start = 0; start < x.size(); start += 20)
        rotate_elementwise(embedding, row, std::span(x).subspan(start, 20),
                           std::span(expected).subspan(start, 20));
      for (int level = 0; level <= static_cast<int>(best_cpu_level()); ++level) {
        rotate_heads(embedding, row, x, found, static_cast<CpuLevel>(level));
        EXPECT_EQ(std::memcmp(found.data(), expected.data(), sizeof(double) * x.size()), 0)
            << name(layout) << " " << r;
      }
    }
  }
}

TEST(RotateHeads, RefusesSizesThatDoNotFit) {
  const RotaryEmbedding embedding = default_embedding(4, 10000);
  const RotationRow row = rotation_row(embedding, 1);
  std::vector<double> x(8), y(8), odd(7);
  EXPECT_NO_THROW(rotate_heads(embedding, row, {}, {}));
  EXPECT_THROW(rotate_heads(embedding, row, odd, odd), ShapeError);
  EXPECT_THROW(rotate_heads(embedding, row, x, odd), ShapeError);
  EXPECT_THROW(rotate_heads(embedding, {{1}, {0}}, x, y), ShapeError);
}

TEST(VectorRotation, ItsInverseGivesTheVectorBack) {
  for (const double factor : {1.0, 1.5}) {
    for (const RotationForm form :
         {RotationForm::elementwise, RotationForm::matrix, RotationForm::complex}) {
      RotaryEmbedding embedding = default_embedding(8, 10000, kHalf);
      embedding.attention_factor = factor;
      const Policy exact = *find_policy("exact");
      VectorRotation there(exact, embedding, form);
      VectorRotation back(exact, embedding, form, Direction::inverse);
      EXPECT_EQ(back.embedding().attention_factor, 1 / factor);
      const std::vector<double> x = random_numbers(16);
      std::vector<double> y(16), z(16);
      for (const std::int64_t m : {std::int64_t{0}, std::int64_t{5}, std::int64_t{-131071},
                                   std::numeric_limits<std::int64_t>::min()}) {
        there.rotate(m, x, y);
        back.rotate(m, y, z);
        for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(z[i], x[i], 4e-15) << m;
        EXPECT_TRUE(m == 0 || std::abs(y[0] - x[0]) > 1e-3) << m;
      }
      // Without a factor it is R_−m, bit for bit.
      VectorRotation opposite(exact, embedding, form);
      there.rotate(-5, x, y);
      back.rotate(5, x, z);
      EXPECT_TRUE(factor != 1 || y == z);
    }
  }
}

TEST(VectorRotation, EmulatesAPolicyAndRoundsWhatItIsGiven) {
  const RotaryEmbedding embedding = default_embedding(4, 10000);
  const Policy policy = *find_policy("bfloat16-table");
  VectorRotation rotation(policy, embedding);
  const std::vector<double> x{1, 0.1, -3, 1 + 0x1p-20};
  std::vector<double> y(4), expected(4), rounded(4);
  rotation.rotate(7, x, y);
  EXPECT_EQ(rotation.rounded_inputs(), 2U);
  for (std::size_t i = 0; i < 4; ++i) rounded[i] = round_to(Format::bfloat16, x[i]);
  const Pipeline pipeline(policy, embedding);
  RotationRow row;
  pipeline.table_row(7, row);
  pipeline.rotate(RotationForm::elementwise, row, rounded, expected);
  EXPECT_EQ(y, expected);
}

/// A float64 tensor of this shape with random numbers.
io::Tensor tensor_of(const io::Shape& shape) {
  return io::npy_tensor(io::to_npy(shape, random_numbers(*io::element_count(shape))), "x.npy");
}

/// Every vector rotated alone, without blocks, runs or kernels.
std::vector<double> rotated_one_by_one(const io::Tensor& x, const RotaryEmbedding& embedding,
                                       const std::function<std::int64_t(std::uint64_t)>& position) {
  const std::vector<double> values = x.doubles();
  std::vector<double> result(values.size());
  const std::size_t d = embedding.head_dim;
  for (std::size_t v = 0; v * d < values.size(); ++v)
    rotate_elementwise(embedding, rotation_row(embedding, position(v)),
                       std::span(values).subspan(v * d, d), std::span(result).subspan(v * d, d));
  return result;
}

std::vector<double> rotated(const io::Tensor& x, const TokenAxes& axes,
                            const TokenPositions& positions, const RotaryEmbedding& embedding) {
  VectorRotation rotation(*find_policy("exact"), embedding);
  std::vector<double> result;
  rotate_tensor(x, axes, positions, rotation, [&](std::span<const double> y) {
    EXPECT_LE(y.size(), std::size_t{1} << 16);  // never more than a block is held
    result.insert(result.end(), y.begin(), y.end());
  });
  return result;
}

TEST(RotateTensor, GivesEveryVectorThePositionOfItsToken) {
  const RotaryEmbedding embedding = default_embedding(4, 10000, kHalf);
  for (const std::int64_t axis : {0, 1, 2}) {
    const io::Tensor x = tensor_of({3, 5, 7, 4});
    const TokenAxes axes = token_axes(x.shape(), axis, "x");
    const std::array<std::uint64_t, 3> behind = {35, 7, 1};
    const std::array<std::uint64_t, 3> sizes = {3, 5, 7};
    const auto a = static_cast<std::size_t>(axis);
    EXPECT_EQ(rotated(x, axes, TokenPositions::counted(100, axes.tokens), embedding),
              rotated_one_by_one(x, embedding,
                                 [&](std::uint64_t v) {
                                   return 100 +
                                          static_cast<std::int64_t>(v / behind.at(a) % sizes.at(a));
                                 }))
        << axis;
  }
}

TEST(RotateTensor, BlocksDoNotShow) {
  // Heads of a token fall into two blocks: 65536/6 is no whole number, and 7 heads are no divisor.
  const RotaryEmbedding embedding = default_embedding(6, 10000, kInterleaved);
  const io::Tensor x = tensor_of({4001, 7, 6});
  const TokenAxes axes = token_axes(x.shape(), 0, "x");
  const std::vector<std::int64_t> lengths{1000, 0, 3000, 1};
  EXPECT_EQ(rotated(x, axes, TokenPositions::packed(lengths, 0, 4001), embedding),
            rotated_one_by_one(x, embedding, [](std::uint64_t v) {
              const auto token = static_cast<std::int64_t>(v / 7);
              return token < 1000 ? token : token < 4000 ? token - 1000 : token - 4000;
            }));
}

TEST(RotateTensor, HeadsLargerThanABlockAndTensorsWithoutVectors) {
  const RotaryEmbedding embedding = default_embedding(65536, 10000, kHalf);
  const io::Tensor x = tensor_of({2, 65536});
  const TokenAxes axes = token_axes(x.shape(), 0, "x");
  EXPECT_EQ(rotated(x, axes, TokenPositions::counted(0, 2), embedding),
            rotated_one_by_one(x, embedding, [](std::uint64_t v) { return std::int64_t(v); }));
  const io::Tensor none = tensor_of({0, 3, 4});
  EXPECT_TRUE(rotated(none, token_axes(none.shape(), 0, "x"), TokenPositions::counted(0, 0),
                      default_embedding(4, 10000))
                  .empty());
}

TEST(RotateTensor, RefusesAnotherHeadSize) {
  const io::Tensor x = tensor_of({2, 6});
  EXPECT_EQ(refusal([&] {
              rotated(x, token_axes(x.shape(), 0, "x"), TokenPositions::counted(0, 2),
                      default_embedding(4, 10000));
            }),
            "x.npy: expected a last axis of 4, the head size, found shape (2, 6)");
}

// ---- layouts

TEST(LayoutPermutation, MovesPairsAndKeepsTheirOrder) {
  EXPECT_EQ(layout_permutation(kInterleaved, kHalf, 8, 6),
            (std::vector<std::size_t>{0, 2, 4, 1, 3, 5, 6, 7}));
  EXPECT_EQ(layout_permutation(kHalf, kInterleaved, 8, 6),
            (std::vector<std::size_t>{0, 3, 1, 4, 2, 5, 6, 7}));
  EXPECT_EQ(layout_permutation(kHalf, kHalf, 4, 4), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(layout_permutation(kInterleaved, kHalf, 2, 2), (std::vector<std::size_t>{0, 1}));
  for (const std::size_t r : {0U, 3U, 10U})
    EXPECT_THROW(layout_permutation(kHalf, kInterleaved, 8, r), ShapeError) << r;
}

TEST(LayoutPermutation, CommutesWithRotation) {
  for (const std::size_t r : {2U, 8U, 12U}) {
    RotaryEmbedding from = default_embedding(r, 10000, kInterleaved);
    RotaryEmbedding to = default_embedding(r, 10000, kHalf);
    from.head_dim = to.head_dim = 12;
    const std::vector<std::size_t> source = layout_permutation(kInterleaved, kHalf, 12, r);
    const std::vector<double> x = random_numbers(12);
    std::vector<double> y(12), moved(12), found(12);
    rotate_elementwise(from, rotation_row(from, 999), x, y);
    for (std::size_t i = 0; i < 12; ++i) moved[i] = x[source[i]];
    rotate_elementwise(to, rotation_row(to, 999), moved, found);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(found[i], y[source[i]]) << r << " " << i;
  }
}

std::string converted(const io::Tensor& x, const HeadAxis& heads, const LayoutChange& change) {
  std::string bytes;
  convert_tensor(x, heads, change,
                 [&](std::span<const char> part) { bytes.append(part.begin(), part.end()); });
  return bytes;
}

/// A tensor of bytes: its elements are any bits at all, NaN of every kind among them.
io::Tensor random_bits(io::ElementType type, const io::Shape& shape, std::uint64_t stream) {
  std::string bytes = io::npy_header(type, shape);
  RandomStream random(11, stream);
  for (std::size_t i = 0; i < *io::element_count(shape) * size_of(type); ++i)
    bytes += static_cast<char>(random.bits() & 0xFFU);
  return io::npy_tensor(bytes, "w.npy");
}

io::Tensor with_bytes(const io::Tensor& like, const std::string& bytes) {
  return io::npy_tensor(io::npy_header(like.type(), like.shape()) + bytes, "w.npy");
}

std::string bytes_of(const io::Tensor& x) {
  std::string bytes(x.count() * size_of(x.type()), '\0');
  x.read_bytes(0, bytes);
  return bytes;
}

TEST(ConvertTensor, ThereAndBackAgainIsTheSameBits) {
  for (const io::ElementType type : {io::ElementType::float32, io::ElementType::bfloat16,
                                     io::ElementType::float64, io::ElementType::uint8}) {
    const io::Tensor x = random_bits(type, {3, 40, 5}, static_cast<std::uint64_t>(type));
    for (const HeadAxis& heads : {HeadAxis{1, 4, 10}, HeadAxis{1, 3, 10}, HeadAxis{1, 1, 40},
                                  HeadAxis{0, 1, 2}, HeadAxis{2, 1, 4}}) {
      const std::string there = converted(x, heads, {kInterleaved, kHalf, heads.head_dim});
      EXPECT_EQ(there.size(), bytes_of(x).size());
      EXPECT_TRUE(heads.head_dim == 2 || there != bytes_of(x));
      EXPECT_EQ(converted(with_bytes(x, there), heads, {kHalf, kInterleaved, heads.head_dim}),
                bytes_of(x));
    }
  }
}

TEST(ConvertTensor, MovesWholeRowsOfTheHeadsAndLeavesTheRest) {
  // Rows 0 … 7 are two heads of four, rows 8 and 9 are none; a row is three numbers.
  std::vector<double> values(30);
  std::iota(values.begin(), values.end(), 0.0);
  const io::Tensor x = io::npy_tensor(io::to_npy({10, 3}, values), "w.npy");
  const std::string bytes = converted(x, {0, 2, 4}, {kInterleaved, kHalf, 4});
  std::vector<double> found(30);
  std::memcpy(found.data(), bytes.data(), bytes.size());
  Integers rows;
  for (std::size_t row = 0; row < 10; ++row) {
    rows.push_back(static_cast<std::int64_t>(found[3 * row]) / 3);
    EXPECT_EQ(found[3 * row + 2], found[3 * row] + 2);
  }
  EXPECT_EQ(rows, (Integers{0, 2, 1, 3, 4, 6, 5, 7, 8, 9}));
}

TEST(ConvertTensor, LargeHeadsAreMovedRowByRowAlike) {
  // A head of 16 rows of 20000 doubles is more than the buffer; one of 20000/20 is not.
  const io::Tensor large = tensor_of({32, 20000});
  const io::Tensor small = tensor_of({32, 20000});
  const LayoutChange change{kInterleaved, kHalf, 16};
  const std::string bytes = converted(large, {0, 2, 16}, change);
  const std::vector<std::size_t> source = layout_permutation(kInterleaved, kHalf, 16, 16);
  const std::vector<double> values = large.doubles();
  std::vector<double> found(values.size());
  std::memcpy(found.data(), bytes.data(), bytes.size());
  for (std::size_t row = 0; row < 32; ++row)
    for (const std::size_t column : {0U, 19999U})
      EXPECT_EQ(found[row * 20000 + column],
                values[(row / 16 * 16 + source[row % 16]) * 20000 + column]);
}

TEST(ConvertTensor, RefusesAxesAndHeadsThatAreNotThere) {
  const io::Tensor x = tensor_of({8, 3});
  const LayoutChange change{kInterleaved, kHalf, 4};
  EXPECT_EQ(refusal([&] {
              converted(x, {2, 1, 4}, change);
            }),
            "x.npy: expected heads along axis 2, found shape (8, 3)");
  EXPECT_EQ(refusal([&] {
              converted(x, {0, 3, 4}, change);
            }),
            "x.npy: expected at least 3 heads of 4 along axis 0, found shape (8, 3)");
  EXPECT_NE(refusal([&] { converted(x, {0, SIZE_MAX, 4}, change); }), "accepted");
  EXPECT_NE(refusal([&] { converted(x, {0, 1, 4}, {kInterleaved, kHalf, 6}); }), "accepted");
}

// ---- weights

TEST(WeightRole, FollowsTheNames) {
  EXPECT_EQ(weight_role("model.layers.0.self_attn.q_proj.weight"), WeightRole::query);
  EXPECT_EQ(weight_role("model.layers.0.self_attn.k_proj.bias"), WeightRole::key);
  EXPECT_EQ(weight_role("layers.31.attention.wq.weight"), WeightRole::query);
  EXPECT_EQ(weight_role("layers.31.attention.wk.weight"), WeightRole::key);
  EXPECT_EQ(weight_role("q_proj"), WeightRole::query);
  EXPECT_EQ(weight_role("m.layers.0.self_attn.q_norm.weight"), WeightRole::norm);
  EXPECT_EQ(weight_role("m.self_attn.k_layernorm.weight"), WeightRole::norm);
  EXPECT_EQ(weight_role("m.self_attn.query_layernorm.weight"), WeightRole::norm);  // of HunYuan
  EXPECT_EQ(weight_role("model.layers.0.self_attn.qkv_proj.weight"), WeightRole::fused);
  EXPECT_EQ(weight_role("h.0.attn.c_attn.weight"), WeightRole::fused);
  for (const char* name : {"W_pack", "q_b_proj", "wq_b", "kv_a_proj_with_mqa", "wkv_a"})
    EXPECT_EQ(weight_role(std::string("layers.0.attn.") + name + ".weight"), WeightRole::fused);
  EXPECT_EQ(weight_role("m.self_attn.q_proj.qweight"), WeightRole::packed);
  EXPECT_EQ(weight_role("m.self_attn.q_proj.weight_scale_inv"), WeightRole::packed);
  EXPECT_EQ(weight_role("m.self_attn.q_proj.lora_A.weight"), WeightRole::other);
  EXPECT_EQ(weight_role("m.self_attn.q_proj.lora_B.weight"), WeightRole::query);
  for (const char* other : {"m.self_attn.v_proj.weight", "m.self_attn.o_proj.weight", "wo.weight",
                            "norm.weight", "my_q_proj.weight", ""})
    EXPECT_EQ(weight_role(other), WeightRole::other) << other;
}

struct NamedTensor {
  std::string name;
  io::Shape shape;
};

/// A .safetensors file of float32 tensors with random bits.
std::string checkpoint(const std::vector<NamedTensor>& tensors, std::uint64_t stream = 5) {
  io::SafetensorsHeader header;
  header.metadata = {{"format", "pt"}};
  std::string data;
  RandomStream random(13, stream);
  for (const NamedTensor& tensor : tensors) {
    io::SafetensorsEntry entry;
    entry.name = tensor.name;
    entry.dtype = "F32";
    entry.shape = tensor.shape;
    header.tensors.push_back(entry);
    for (std::size_t i = 0; i < 4 * *io::element_count(tensor.shape); ++i)
      data += static_cast<char>(random.bits() & 0xFFU);
  }
  return io::safetensors_header(header) + data;
}

std::string convert_whole(const std::string& bytes, PairLayout from, PairLayout to,
                          const HeadCounts& counts) {
  const CheckpointPlan plan =
      plan_checkpoint(io::input_from_bytes(bytes, "m.safetensors"), from, to, counts);
  std::string result;
  convert_checkpoint(plan,
                     [&](std::span<const char> part) { result.append(part.begin(), part.end()); });
  return result;
}

io::Tensor in_checkpoint(const std::string& bytes, const std::string& name) {
  auto file = io::input_from_bytes(bytes, "m");
  for (const io::SafetensorsEntry& entry : io::read_safetensors_header(*file).tensors)
    if (entry.name == name) return {name, io::place_of(entry, "m"), file};
  throw std::logic_error("no tensor " + name);
}

TEST(ConvertCheckpoint, MetaToHuggingFaceAndBackIsTheSameBits) {
  const std::string meta = checkpoint({{"tok_embeddings.weight", {11, 64}},
                                       {"layers.0.attention.wq.weight", {32 * 16, 64}},
                                       {"layers.0.attention.wk.weight", {8 * 16, 64}},
                                       {"layers.0.attention.wv.weight", {8 * 16, 64}},
                                       {"layers.0.attention.wq.bias", {32 * 16}},
                                       {"layers.0.attention.q_norm.weight", {16}}});
  const HeadCounts counts{32, 8, 0, 0};
  const std::string hf = convert_whole(meta, kInterleaved, kHalf, counts);
  EXPECT_EQ(hf.size(), meta.size());
  for (const char* moved : {"layers.0.attention.wq.weight", "layers.0.attention.wk.weight",
                            "layers.0.attention.wq.bias", "layers.0.attention.q_norm.weight"})
    EXPECT_NE(bytes_of(in_checkpoint(hf, moved)), bytes_of(in_checkpoint(meta, moved))) << moved;
  for (const char* kept : {"tok_embeddings.weight", "layers.0.attention.wv.weight"})
    EXPECT_EQ(bytes_of(in_checkpoint(hf, kept)), bytes_of(in_checkpoint(meta, kept))) << kept;
  EXPECT_EQ(convert_whole(hf, kHalf, kInterleaved, counts), meta);
}

/// W h for every row of W, in the order of its columns.
std::vector<double> product(const std::vector<double>& weight, const std::vector<double>& hidden) {
  std::vector<double> result(weight.size() / hidden.size());
  for (std::size_t row = 0; row < result.size(); ++row)
    for (std::size_t i = 0; i < hidden.size(); ++i)
      result[row] += weight[row * hidden.size() + i] * hidden[i];
  return result;
}

TEST(ConvertCheckpoint, ScoresOfGroupedQueryAttentionStayWhatTheyWere) {
  constexpr std::size_t kQueryHeads = 32, kKeyHeads = 8, kHead = 16, kHidden = 24;
  // Partly rotated: 12 of 16 dimensions.
  const auto weights = [&](std::size_t heads, std::uint64_t stream) {
    return io::npy_tensor(
        io::to_npy({heads * kHead, kHidden}, random_numbers(heads * kHead * kHidden, stream)), "w");
  };
  const io::Tensor wq = weights(kQueryHeads, 1), wk = weights(kKeyHeads, 2);
  const LayoutChange change{kInterleaved, kHalf, 12};
  const io::Tensor hf_q = with_bytes(wq, converted(wq, {0, kQueryHeads, kHead}, change));
  const io::Tensor hf_k = with_bytes(wk, converted(wk, {0, kKeyHeads, kHead}, change));

  const auto heads_of = [&](const io::Tensor& w, PairLayout layout, std::int64_t position,
                            std::uint64_t stream) {
    RotaryEmbedding embedding = default_embedding(12, 10000, layout);
    embedding.head_dim = kHead;
    const std::vector<double> x = product(w.doubles(), random_numbers(kHidden, stream));
    std::vector<double> y(x.size());
    rotate_heads(embedding, rotation_row(embedding, position), x, y);
    return y;
  };
  const std::vector<double> meta_q = heads_of(wq, kInterleaved, 77, 3);
  const std::vector<double> meta_k = heads_of(wk, kInterleaved, 12, 4);
  const std::vector<double> new_q = heads_of(hf_q, kHalf, 77, 3);
  const std::vector<double> new_k = heads_of(hf_k, kHalf, 12, 4);
  const std::vector<std::size_t> source = layout_permutation(kInterleaved, kHalf, kHead, 12);
  for (std::size_t head = 0; head < kQueryHeads; ++head) {
    const std::size_t q = head * kHead, k = head / (kQueryHeads / kKeyHeads) * kHead;
    double before = 0, after = 0;
    for (std::size_t i = 0; i < kHead; ++i) {
      // The same products, bit for bit; summed here in the same order, so the same score.
      EXPECT_EQ(new_q[q + i], meta_q[q + source[i]]);
      before += meta_q[q + source[i]] * meta_k[k + source[i]];
      after += new_q[q + i] * new_k[k + i];
    }
    EXPECT_EQ(before, after) << head;
    EXPECT_NE(before, 0);
  }
  // Rotated in the layout they no longer have, the scores are others.
  const std::vector<double> wrong_q = heads_of(wq, kHalf, 77, 3);
  EXPECT_NE(wrong_q[1], meta_q[1]);
}

TEST(ConvertCheckpoint, RefusesWhatItCannotConvert) {
  const auto plan = [&](const std::vector<NamedTensor>& tensors, const HeadCounts& counts) {
    return refusal([&] { convert_whole(checkpoint(tensors), kInterleaved, kHalf, counts); });
  };
  EXPECT_EQ(
      plan({{"a.weight", {4}}}, {2, 2, 0, 0}),
      "m.safetensors: expected query and key projections (q_proj, k_proj, wq, wk), found none "
      "among 1 tensors");
  EXPECT_EQ(plan({{"wq.weight", {12, 2}}}, {5, 5, 0, 0}),
            "m.safetensors: expected a multiple of 5 rows in 'wq.weight', found shape (12, 2)");
  EXPECT_EQ(plan({{"wq.weight", {12, 2}}, {"wk.weight", {10, 2}}}, {3, 3, 0, 0}),
            "m.safetensors: expected 12 rows in 'wk.weight', 3 heads of 4, found shape (10, 2)");
  EXPECT_EQ(plan({{"wq.weight", {12, 2}}, {"q_norm.weight", {6}}}, {3, 3, 0, 0}),
            "m.safetensors: expected 4 rows in 'q_norm.weight', 1 heads of 4, found shape (6,)");
  EXPECT_NE(plan({{"q_norm.weight", {6}}}, {3, 3, 0, 0}), "accepted");
  EXPECT_EQ(
      plan({{"qkv_proj.weight", {12, 2}}}, {3, 3, 0, 0}),
      "m.safetensors: expected queries and keys in separate tensors, found 'qkv_proj.weight'");
  EXPECT_EQ(plan({{"q_proj.qweight", {12, 2}}}, {3, 3, 0, 0}),
            "m.safetensors: expected weights whose rows can be moved, found 'q_proj.qweight'");
  EXPECT_NE(plan({{"wq.weight", {9, 2}}}, {3, 3, 0, 0}), "accepted") << "an odd head size";
  EXPECT_NE(plan({{"wq.weight", {}}}, {1, 1, 0, 0}), "accepted");
}

}  // namespace
}  // namespace rope
