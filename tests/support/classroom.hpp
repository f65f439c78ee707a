#pragma once

#include <array>

#include "rope/studies/score.hpp"

namespace rope {

/// The vectors that are small enough for a blackboard: q = (1, 2), k = (3, −1), θ = 0.5.
inline ScoreVectors classroom() {
  RotaryEmbedding embedding;
  embedding.head_dim = 2;
  embedding.frequencies = given_frequencies(std::array{0.5});
  return {embedding, {1, 2}, {3, -1}};
}

}  // namespace rope
