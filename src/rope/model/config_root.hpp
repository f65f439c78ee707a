#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rope/model/engine.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/known_models.hpp"
#include "rope/model/rule_reader.hpp"

namespace rope {

/// What the root of a config.json says about all layers: sizes, layout, base and rotated fraction,
/// with the defaults of its model type.
struct ConfigRoot {
  LayerFacts facts;
  /// That of the full-attention layers, if they have their own.
  std::optional<std::size_t> global_head_dim;
  bool latent_attention = false;  ///< as in ModelRope
  std::vector<std::string> notes;
  /// Warnings to issue if a layer's own parameters do not contain the base or the fraction either;
  /// empty: none.
  std::string missing_base;
  std::string missing_partial;
};

/// Reads the root. `model_type` must outlive the facts; `known` may be nullptr. Missing sizes are
/// taken from the class of the model type.
///
/// Throws    rope::Error (invalid input) for sizes that are missing or contradict each other.
ConfigRoot read_config_root(const Fields& root, const std::string& model_type,
                            const KnownModel* known, const ReadOptions& options);

}  // namespace rope
