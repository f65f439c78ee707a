// Arrays of any order of axes: where their vectors stand, and what is no array.

#include "rope/rotary/arrays.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "rope/error.hpp"
#include "rope/rotary/rotation.hpp"
#include "support/outcome.hpp"

namespace rope {
namespace {

constexpr std::size_t kRows = 2, kHeads = 3, kTokens = 5, kDim = 4;

/// The number that stands at [b, h, t, i] of an array, whatever its order.
double number(std::size_t b, std::size_t h, std::size_t t, std::size_t i) {
  return static_cast<double>(((b * kHeads + h) * kTokens + t) * kDim + i) * 0.25 - 7;
}

std::size_t length_of(char letter) {
  return letter == 'B' ? kRows : letter == 'H' ? kHeads : letter == 'T' ? kTokens : kDim;
}

/// An array in some order, its numbers by `of(b, h, t, i)`, axes that are not there at 0.
struct Array {
  std::vector<std::size_t> lengths;
  std::vector<double> numbers;
};

template <typename Of>
Array array_of(const std::string& order, Of of) {
  Array array;
  std::size_t count = 1;
  for (const char letter : order) array.lengths.push_back(length_of(letter));
  for (const std::size_t length : array.lengths) count *= length;
  for (std::size_t n = 0; n < count; ++n) {
    std::size_t rest = n, b = 0, h = 0, t = 0, i = 0;
    for (std::size_t axis = order.size(); axis-- > 0;) {
      const std::size_t index = rest % array.lengths[axis];
      rest /= array.lengths[axis];
      (order[axis] == 'B' ? b : order[axis] == 'H' ? h : order[axis] == 'T' ? t : i) = index;
    }
    array.numbers.push_back(of(b, h, t, i));
  }
  return array;
}

/// R_m x of the vector [b, h, t], m = `position`, by the definition.
std::vector<double> turned(const RotaryEmbedding& embedding, std::size_t b, std::size_t h,
                           std::size_t t, std::int64_t position) {
  std::vector<double> x, y(kDim);
  for (std::size_t i = 0; i < kDim; ++i) x.push_back(number(b, h, t, i));
  rotate_elementwise(embedding, rotation_row(embedding, position), x, y);
  return y;
}

TEST(Arrays, EveryOrderIsRotatedAlike) {
  const RotaryEmbedding embedding = default_embedding(kDim, 100);
  const std::vector<std::int64_t> positions = {3, 0, -2, 17, 100};
  std::string order = "BDHT";
  do {
    const Array x = array_of(order, number);
    const Array y = array_of(order, [&](auto b, auto h, auto t, auto i) {
      return turned(embedding, b, h, t, positions[t])[i];
    });
    EXPECT_EQ(rotate_array(embedding, ArrayAxes(order, x.lengths), x.numbers, positions), y.numbers)
        << order;
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Arrays, RowsMayHavePositionsOfTheirOwn) {
  const RotaryEmbedding embedding = default_embedding(kDim, 100);
  std::vector<std::int64_t> positions;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(kRows * kTokens); ++i)
    positions.push_back(7 * i - 11);
  for (const std::string order : {"BHTD", "TBHD"}) {
    const Array x = array_of(order, number);
    const Array y = array_of(order, [&](auto b, auto h, auto t, auto i) {
      return turned(embedding, b, h, t, positions[b * kTokens + t])[i];
    });
    EXPECT_EQ(rotate_array(embedding, ArrayAxes(order, x.lengths), x.numbers, positions), y.numbers)
        << order;
  }
}

TEST(Arrays, HeadsMayStandOneBehindTheOther) {
  const RotaryEmbedding embedding = default_embedding(kDim, 100, PairLayout::half);
  const std::vector<std::int64_t> positions = {3, 0, -2, 17, 100};
  const Array apart = array_of("THD", number);
  const std::vector<double> expected =
      rotate_array(embedding, ArrayAxes("THD", apart.lengths), apart.numbers, positions);
  const ArrayAxes packed("T(HD)", {kTokens, kHeads * kDim});
  EXPECT_TRUE(packed.packed());
  EXPECT_EQ(rotate_array(embedding, packed, apart.numbers, positions), expected);
  const std::vector<float> floats(apart.numbers.begin(), apart.numbers.end());
  const std::vector<float> turned_floats = rotate_array(embedding, packed, floats, positions);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(turned_floats[i], static_cast<float>(expected[i])) << i;
}

TEST(Arrays, VectorsAreCountedInTheOrderOfTheArray) {
  const std::vector<ArrayVector> vectors =
      ArrayAxes("BHTD", {kRows, kHeads, kTokens, kDim}).vectors(kDim, kTokens);
  ASSERT_EQ(vectors.size(), kRows * kHeads * kTokens);
  for (std::size_t v = 0; v < vectors.size(); ++v) {
    EXPECT_EQ(vectors[v].start, v * kDim);
    EXPECT_EQ(vectors[v].step, 1U);
    EXPECT_EQ(vectors[v].position, v % kTokens);
  }
  const std::vector<ArrayVector> last =
      ArrayAxes("BHDT", {kRows, kHeads, kDim, kTokens}).vectors(kDim, kTokens);
  EXPECT_EQ(last[1].start, 1U);
  EXPECT_EQ(last[1].step, kTokens);
}

/// The message and what to do of an array that is refused.
template <typename Action>
std::string refused(const Action& action) {
  const test::Outcome result = test::outcome(action);
  return result.what + ". " + result.remedy;
}

TEST(Arrays, WhatIsNoArrayIsRefusedWithWhatToDo) {
  const auto axes = [](const char* order, std::vector<std::size_t> lengths) {
    return refused([&] { ArrayAxes(order, std::move(lengths)); });
  };
  for (const char* const order : {"", "BHD", "THX", "TTD", "bhtd", "(TH)D", "T(HD)D", "HT(HD)"})
    EXPECT_TRUE(axes(order, {2, 2})
                    .starts_with("axes: expected each of T and D once, and B and H "
                                 "at most once, got \"" +
                                 std::string(order) + "\". Write \"BHTD\""))
        << axes(order, {2, 2});
  EXPECT_EQ(axes("THD", {2, 3}),
            "axes: expected 3 lengths for \"THD\", got 2. Give the length of each axis, outermost "
            "first.");
  EXPECT_EQ(axes("TD", {0, 3}).find("axes: expected lengths of at least 1"), 0);
  EXPECT_EQ(axes("TD", {std::size_t{1} << 40, std::size_t{1} << 40}).find("axes: expected"), 0);
  const ArrayAxes good("BTHD", {kRows, kTokens, kHeads, kDim});
  EXPECT_EQ(
      refused([&] { good.vectors(8, kTokens); }),
      "axes: expected D = head_dim = 8, got 4. Is this the right embedding for these vectors?");
  EXPECT_EQ(refused([&] {
              ArrayAxes("T(HD)", {5, 12}).vectors(8, 5);
            }),
            "axes: expected an axis (HD) of whole heads of 8, got 12. Is this the right embedding "
            "for these vectors?");
  EXPECT_EQ(refused([&] { good.vectors(kDim, 6); }),
            "positions: expected one for each of 5 tokens, or one for each token of 2 rows, got 6. "
            "The length of axis T is the number of tokens.");
  EXPECT_EQ(refused([&] { good.check("x", 119); }),
            "x: expected 2·5·3·4 = 120 numbers for \"BTHD\", got 119. Give the lengths of the "
            "array as it is in memory, row-major.");
}

}  // namespace
}  // namespace rope
