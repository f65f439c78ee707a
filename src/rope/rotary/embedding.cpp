#include "rope/rotary/embedding.hpp"

#include "rope/error.hpp"

namespace rope {

RotaryEmbedding default_embedding(std::size_t head_dim, double base, PairLayout layout) {
  RotaryEmbedding embedding;
  embedding.head_dim = head_dim;
  embedding.layout = layout;
  embedding.frequencies = geometric_frequencies(base, head_dim);
  embedding.base = base;
  return embedding;
}

}  // namespace rope
