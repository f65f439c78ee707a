#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rope/attention/softmax.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// Values that turn with their positions: v_n becomes R_n v_n.
struct RotatedValues {
  RotaryEmbedding embedding;
  /// Whether the output of a query at m is then turned by R_−m, so that it contains R_{n−m} v_n.
  /// Source    DeepSeek-V4's inference code; Su, VO-RoPE, 2025.
  bool turned_back = false;
};

/// One attention layer of one head, untrained: h ← h + W_O Σ_j a_ij W_V h_j. It has neither a norm
/// nor a feed-forward part: these treat every token alike and could not tell positions apart
/// anyway.
struct AttentionLayer {
  RowMatrix w_q, w_k, w_v, w_o;                      ///< (d, d) each
  std::shared_ptr<const PositionEncoding> encoding;  ///< the encoding used in its scores
  std::optional<RotatedValues> rotated_values;       ///< empty in most models
};

/// Random layers, all with the same encoding. The entries of the matrices have standard deviation
/// 1/√d, except for those of W_O, which have half of that.
std::vector<AttentionLayer> random_layers(std::size_t layers, std::size_t head_dim,
                                          const std::shared_ptr<const PositionEncoding>& encoding,
                                          std::uint64_t seed);

/// The intermediate results of a layer.
struct LayerAttention {
  Tokens queries, keys;  ///< before an encoding acts on them
  RowMatrix scores;      ///< (T_q, T_k), −∞ where the mask hides a key
  RowMatrix weights;     ///< their softmax
  RowMatrix values;      ///< (T_k, d)
  RowMatrix outputs;     ///< (T_q, d), the averages to which W_O is applied
};

/// The attention that the tokens `asking` pay to the tokens `hidden`. For a whole layer, pass the
/// same tokens for both.
///
/// Throws    as run_layers does.
LayerAttention attend(const AttentionLayer& layer, Mask mask, const Tokens& asking,
                      const Tokens& hidden);

/// The hidden states after all layers.
///
/// Shapes    hidden.vectors: (T, d).
/// Throws    ShapeError if sizes disagree; whatever the encodings throw.
RowMatrix run_layers(std::span<const AttentionLayer> layers, const Tokens& hidden, Mask mask);

/// The queries or keys of a layer, at the positions of its tokens.
Tokens project(const RowMatrix& w, const Tokens& hidden);

}  // namespace rope
