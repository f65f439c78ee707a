#include "rope/rotary/rotate_heads.hpp"

#include <algorithm>
#include <string>

#include "rope/error.hpp"

namespace rope {
namespace {

/// One head: where its numbers are, and the row that turns it.
struct Head {
  const double* __restrict x;
  double* __restrict result;
  const double* __restrict cos;
  const double* __restrict sin;
  std::size_t pairs;
};

[[gnu::always_inline]] inline void rotate_half(const Head& head) {
  const double* __restrict first = head.x;
  const double* __restrict second = head.x + head.pairs;
  double* __restrict new_first = head.result;
  double* __restrict new_second = head.result + head.pairs;
  for (std::size_t k = 0; k < head.pairs; ++k) {
    const double x = first[k], y = second[k];
    new_first[k] = x * head.cos[k] - y * head.sin[k];
    new_second[k] = x * head.sin[k] + y * head.cos[k];
  }
}

[[gnu::always_inline]] inline void rotate_interleaved(const Head& head) {
  for (std::size_t k = 0; k < head.pairs; ++k) {
    const double x = head.x[2 * k], y = head.x[2 * k + 1];
    head.result[2 * k] = x * head.cos[k] - y * head.sin[k];
    head.result[2 * k + 1] = x * head.sin[k] + y * head.cos[k];
  }
}

[[gnu::always_inline]] inline void rotate_one(PairLayout layout, const Head& head) {
  if (layout == PairLayout::half)
    rotate_half(head);
  else
    rotate_interleaved(head);
}

using Kernel = void (*)(PairLayout, const Head&);

void rotate_baseline(PairLayout layout, const Head& head) { rotate_one(layout, head); }
ROPE_TARGET_V3 void rotate_v3(PairLayout layout, const Head& head) { rotate_one(layout, head); }
ROPE_TARGET_V4 void rotate_v4(PairLayout layout, const Head& head) { rotate_one(layout, head); }

Kernel kernel_for(CpuLevel level) {
  switch (level) {
    case CpuLevel::v3:
      return rotate_v3;
    case CpuLevel::v4:
      return rotate_v4;
    case CpuLevel::baseline:
      break;
  }
  return rotate_baseline;
}

}  // namespace

void rotate_heads(const RotaryEmbedding& embedding, const RotationRow& row,
                  std::span<const double> x, std::span<double> result, CpuLevel level) {
  const std::size_t d = embedding.head_dim, pairs = embedding.pairs();
  if (2 * pairs > d || row.cos.size() != pairs || row.sin.size() != pairs)
    throw ShapeError("rotate_heads: expected " + std::to_string(pairs) +
                     " cosines and sines for heads of " + std::to_string(d) + ", got " +
                     std::to_string(row.cos.size()) + " and " + std::to_string(row.sin.size()));
  if (x.size() % d != 0 || result.size() != x.size())
    throw ShapeError("rotate_heads: expected whole heads of " + std::to_string(d) + ", got " +
                     std::to_string(x.size()) + " numbers into " + std::to_string(result.size()));
  if (embedding.axes.own_block) {
    for (std::size_t start = 0; start < x.size(); start += d)
      rotate_elementwise(embedding, row, x.subspan(start, d), result.subspan(start, d));
    return;
  }
  const Kernel kernel = kernel_for(level);
  for (std::size_t start = 0; start < x.size(); start += d) {
    const double* const head = x.data() + start;
    double* const to = result.data() + start;
    kernel(embedding.layout, {head, to, row.cos.data(), row.sin.data(), pairs});
    std::copy(head + 2 * pairs, head + d, to + 2 * pairs);
  }
}

}  // namespace rope
