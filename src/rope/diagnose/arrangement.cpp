#include "rope/diagnose/arrangement.hpp"

#include "rope/error.hpp"

namespace rope {
namespace {

/// σ^e(i) for a block of r dimensions.
std::size_t permuted(int exponent, std::size_t i, std::size_t r) {
  const std::size_t half = r / 2;
  for (; exponent > 0; --exponent) i = i < half ? 2 * i : 2 * (i - half) + 1;
  for (; exponent < 0; ++exponent) i = i % 2 == 0 ? i / 2 : half + i / 2;
  return i;
}

PairDimensions pair_at(const Arrangement& a, int exponent, std::size_t pair) {
  const std::size_t size = a.rotary_dim / a.blocks, block = 2 * pair / size * size;
  return {a.offset + block + permuted(exponent, 2 * pair - block, size),
          a.offset + block + permuted(exponent, 2 * pair - block + 1, size)};
}

}  // namespace

PairDimensions Arrangement::in_dimensions(std::size_t pair) const {
  return pair_at(*this, in, pair);
}

PairDimensions Arrangement::out_dimensions(std::size_t pair) const {
  return pair_at(*this, out, pair);
}

std::size_t blocks_of(const RotaryEmbedding& embedding) {
  const Axes& axes = embedding.axes;
  if (!axes.own_block || embedding.layout == PairLayout::interleaved) return 1;
  for (std::size_t axis = 1; axis < axes.count(); ++axis)
    if (axes.pairs_of(axis) != axes.pairs_of(0))
      throw ShapeError("axes: expected blocks of equal size, got " + sections_text(axes),
                       "The search does not cover blocks of different sizes.");
  return axes.count();
}

std::string name(const Arrangement& arrangement) {
  const auto layout = [](int exponent) -> std::string {
    if (exponent == 0) return "interleaved";
    if (exponent == -1) return "half";
    return exponent > 0 ? "interleaved-permuted" : "half-permuted";
  };
  const std::string blocks =
      arrangement.blocks > 1 ? "-in-" + std::to_string(arrangement.blocks) + "-blocks" : "";
  if (arrangement.in == arrangement.out) return layout(arrangement.in) + blocks;
  return layout(arrangement.in) + "-to-" + layout(arrangement.out) + blocks;
}

}  // namespace rope
