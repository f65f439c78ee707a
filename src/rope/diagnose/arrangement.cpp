#include "rope/diagnose/arrangement.hpp"

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
  return {a.offset + permuted(exponent, 2 * pair, a.rotary_dim),
          a.offset + permuted(exponent, 2 * pair + 1, a.rotary_dim)};
}

}  // namespace

PairDimensions Arrangement::in_dimensions(std::size_t pair) const {
  return pair_at(*this, in, pair);
}

PairDimensions Arrangement::out_dimensions(std::size_t pair) const {
  return pair_at(*this, out, pair);
}

std::string name(const Arrangement& arrangement) {
  const auto layout = [](int exponent) -> std::string {
    if (exponent == 0) return "interleaved";
    if (exponent == -1) return "half";
    return exponent > 0 ? "interleaved-permuted" : "half-permuted";
  };
  if (arrangement.in == arrangement.out) return layout(arrangement.in);
  return layout(arrangement.in) + "-to-" + layout(arrangement.out);
}

}  // namespace rope
