#pragma once

// What a model's file says about its rotary embeddings, for one or several kinds of layers.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rope/rotary/embedding.hpp"
#include "rope/rotary/layout.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {

/// The rotary embedding of the layers of one type.
struct LayerRope {
  std::string name;  ///< the layer type, such as "full_attention"; empty if all layers are alike
  std::string rope_type = "default";  ///< the rule's name in the model's own library; "none": NoPE
  std::size_t head_dim = 0;           ///< d; for multi-head latent attention, only the rotated part
  std::size_t rotary_dim = 0;         ///< r; a partial factor may make it odd; 0 if nothing rotates
  PairLayout layout = PairLayout::half;
  double base = 10000;
  std::optional<std::int64_t> original_context;  ///< the length before extension, tokens
  /// The longest input, in tokens, for which these frequencies apply. Set only if longer inputs
  /// within the context get other frequencies, as in longrope when no length is given.
  std::optional<std::int64_t> serves;
  std::optional<std::int64_t> window;  ///< tokens that a query sees, itself included; empty: all
  std::vector<std::size_t> layers;     ///< their indices, from 0; empty: all, or not known
  ScalingSpec spec;
  Scaled scaled;                       ///< without frequencies if nothing rotates
  double softmax_factor = 1;           ///< multiplies the softmax scale, in addition to A²
  std::vector<std::int64_t> sections;  ///< of M-RoPE: numbers of pairs for time, height and width
  Axes axes;  ///< which axis turns each pair; for M-RoPE, set only if the sections add up to the
              ///< number of pairs
  std::vector<std::string> warnings;

  bool rotates() const { return rotary_dim > 0; }
};

/// What a model's file says about its rotary embeddings.
struct ModelRope {
  std::string name;        ///< of the file or preset
  std::string model_type;  ///< empty if the file does not say
  std::string schema;      ///< "rope_scaling", "rope_parameters", "GGUF keys", …
  /// The longest input, tokens, including any extension by the rule.
  std::optional<std::int64_t> context;
  std::vector<LayerRope> layers;    ///< one, or one per layer type; never empty
  std::optional<LayerRope> vision;  ///< the vision part, if its positions have several axes
  std::vector<std::string> others;  ///< parts of the file that rotate too: "talker_config"
  bool latent_attention = false;    ///< head_dim covers only the rotated part of a head
  std::vector<std::string> notes;   ///< facts; sentences without a full stop
  /// Each warning says what is surprising, what happens and what to write instead.
  std::vector<std::string> warnings;

  /// The number of tokens within which these layers compare positions: their window or the context,
  /// whichever is shorter. Empty if the file has neither.
  std::optional<std::int64_t> reach(const LayerRope& layer) const;

  /// The warnings of the file, then those of its layers, without repetitions.
  std::vector<std::string> all_warnings() const;
};

/// The embedding of these layers, in the form that all other code uses.
///
/// Throws    ShapeError if nothing rotates or the rotated size is odd: pairs need an even size.
RotaryEmbedding embedding_of(const LayerRope& layer);

}  // namespace rope
