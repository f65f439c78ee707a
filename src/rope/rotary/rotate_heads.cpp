#include "rope/rotary/rotate_heads.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
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
  for (std::size_t i = 0; i < head.pairs; ++i) {
    const double x = first[i], y = second[i];
    new_first[i] = x * head.cos[i] - y * head.sin[i];
    new_second[i] = x * head.sin[i] + y * head.cos[i];
  }
}

[[gnu::always_inline]] inline void rotate_interleaved(const Head& head) {
  for (std::size_t i = 0; i < head.pairs; ++i) {
    const double x = head.x[2 * i], y = head.x[2 * i + 1];
    head.result[2 * i] = x * head.cos[i] - y * head.sin[i];
    head.result[2 * i + 1] = x * head.sin[i] + y * head.cos[i];
  }
}

[[gnu::always_inline]] inline void rotate_one(PairLayout layout, const Head& head) {
  if (layout == PairLayout::half)
    rotate_half(head);
  else
    rotate_interleaved(head);
}

void rotate_baseline(PairLayout layout, const Head& head) { rotate_one(layout, head); }
ROPE_TARGET_V3 void rotate_v3(PairLayout layout, const Head& head) { rotate_one(layout, head); }
ROPE_TARGET_V4 void rotate_v4(PairLayout layout, const Head& head) { rotate_one(layout, head); }

/// Asks for a head that is needed soon. The half layout reads two places of a head in turns, which
/// processors do not foresee: without this it takes twice the time from memory. No number depends
/// on it, and nothing is read: it may lie behind the last head, where callers often go on.
void fetch(const double* head, std::size_t numbers) {
  constexpr std::size_t kAhead = 8192, kCacheLine = 64;  // bytes
  const auto begin = std::bit_cast<std::uintptr_t>(head) + kAhead;
  for (std::size_t i = 0; i < numbers * sizeof(double); i += kCacheLine)
    __builtin_prefetch(std::bit_cast<const void*>(begin + i), 1);
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
                     std::to_string(x.size()) + " numbers and room for " +
                     std::to_string(result.size()));
  if (embedding.axes.own_block) {
    for (std::size_t start = 0; start < x.size(); start += d)
      rotate_elementwise(embedding, row, x.subspan(start, d), result.subspan(start, d));
    return;
  }
  const auto kernel = for_level(level, rotate_baseline, rotate_v3, rotate_v4);
  for (std::size_t start = 0; start < x.size(); start += d) {
    const double* const head = x.data() + start;
    double* const to = result.data() + start;
    fetch(head, d);
    kernel(embedding.layout, {head, to, row.cos.data(), row.sin.data(), pairs});
    std::copy(head + 2 * pairs, head + d, to + 2 * pairs);
  }
}

}  // namespace rope
