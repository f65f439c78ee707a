#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rope/attention/softmax.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// One attention layer of one head, untrained: h ← h + W_O Σ_j a_ij W_V h_j. No norm and no
/// feed-forward part: they treat every token alike and could not tell positions anyway.
struct AttentionLayer {
  RowMatrix w_q, w_k, w_v, w_o;                      ///< (d, d) each
  std::shared_ptr<const PositionEncoding> encoding;  ///< of its scores
  std::optional<RotaryEmbedding> rotated_values;     ///< what no model does: v_n becomes R_n v_n
};

/// Random layers, all with the same encoding. The matrices have deviation 1/√d, W_O half of it.
std::vector<AttentionLayer> random_layers(std::size_t layers, std::size_t head_dim,
                                          const std::shared_ptr<const PositionEncoding>& encoding,
                                          std::uint64_t seed);

/// The hidden states after all layers.
///
/// Shapes    hidden.vectors: (T, d).
/// Throws    ShapeError if sizes disagree; what the encodings throw.
RowMatrix run_layers(std::span<const AttentionLayer> layers, const Tokens& hidden, Mask mask);

/// The queries and keys of a layer, at the positions of its tokens.
Tokens project(const RowMatrix& w, const Tokens& hidden);

}  // namespace rope
