#include "rope/rotary/embedding.hpp"

#include "rope/error.hpp"

namespace rope {

PairDimensions RotaryEmbedding::dimensions_in_block(std::size_t pair) const {
  std::size_t first = pair, last = pair;  // pairs of one axis stand one behind the other
  while (first > 0 && axes.of_pair[first - 1] == axes.of_pair[pair]) --first;
  while (last < pairs() && axes.of_pair[last] == axes.of_pair[pair]) ++last;
  const PairDimensions within = pair_dimensions(layout, pair - first, 2 * (last - first));
  return {2 * first + within.first, 2 * first + within.second};
}

void scale_rotated(const RotaryEmbedding& embedding, std::span<double> x) {
  if (x.size() != embedding.head_dim)
    throw ShapeError("scale_rotated: expected " + std::to_string(embedding.head_dim) +
                     " numbers, got " + std::to_string(x.size()));
  if (embedding.attention_factor == 1) return;
  for (std::size_t i = 0; i < embedding.pairs(); ++i) {
    const auto [first, second] = embedding.dimensions(i);
    x[first] *= embedding.attention_factor;
    x[second] *= embedding.attention_factor;
  }
}

RotaryEmbedding default_embedding(std::size_t head_dim, double base, PairLayout layout) {
  RotaryEmbedding embedding;
  embedding.head_dim = head_dim;
  embedding.layout = layout;
  embedding.frequencies = geometric_frequencies(base, head_dim);
  embedding.base = base;
  return embedding;
}

}  // namespace rope
