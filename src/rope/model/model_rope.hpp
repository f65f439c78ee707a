#pragma once

// What a model's file says about its rotary embeddings: one kind of layer, or several.

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
  std::string name;  ///< the layer type, "full_attention"; empty where all layers are alike
  std::string rope_type = "default";  ///< as the model's own library names the rule; "none": NoPE
  std::size_t head_dim = 0;           ///< d; for multi-head latent attention, only the rotated part
  std::size_t rotary_dim = 0;  ///< r; odd if a partial factor makes it so, 0 where nothing rotates
  PairLayout layout = PairLayout::half;
  double base = 10000;
  std::optional<std::int64_t> original_context;  ///< the length before extension, tokens
  /// The longest input, in tokens, that these frequencies serve, if longer inputs within the
  /// context get other frequencies, as in longrope without a length.
  std::optional<std::int64_t> serves;
  std::optional<std::int64_t> window;  ///< tokens that a query sees, itself included; empty: all
  std::vector<std::size_t> layers;     ///< their numbers, from 0; empty: all, or not known
  ScalingSpec spec;
  Scaled scaled;                       ///< no frequencies where nothing rotates
  double softmax_factor = 1;           ///< multiplies the softmax scale, in addition to A²
  std::vector<std::int64_t> sections;  ///< of M-RoPE: pairs of time, height and width
  Axes axes;  ///< which axis turns each pair; for M-RoPE, set only if its sections add up
  std::vector<std::string> warnings;

  bool rotates() const { return rotary_dim > 0; }
};

/// What a model's file says about its rotary embeddings.
struct ModelRope {
  std::string name;                     ///< of the file or preset
  std::string model_type;               ///< empty if the file does not say
  std::string schema;                   ///< "rope_scaling", "rope_parameters", "GGUF keys", …
  std::optional<std::int64_t> context;  ///< the longest input, tokens, as extended by the rule
  std::vector<LayerRope> layers;        ///< one, or one per layer type; never empty
  std::optional<LayerRope> vision;      ///< the vision part, if its positions have several axes
  std::vector<std::string> others;      ///< parts of the file that rotate too: "talker_config"
  bool latent_attention = false;        ///< head_dim covers only the rotated part of a head
  std::vector<std::string> notes;       ///< facts; sentences without a full stop
  std::vector<std::string> warnings;    ///< what is surprising, what happens, what to write instead

  /// The number of tokens within which such layers compare positions: their window or, if that is
  /// not shorter, the context. Empty if the file has neither.
  std::optional<std::int64_t> reach(const LayerRope& layer) const;

  /// The warnings of the file, then those of its layers, each once.
  std::vector<std::string> all_warnings() const;
};

/// The embedding of such layers, in the form that all other code uses.
///
/// Throws    ShapeError if nothing rotates or the rotated size is odd: pairs need an even one.
RotaryEmbedding embedding_of(const LayerRope& layer);

}  // namespace rope
