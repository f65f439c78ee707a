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
  /// The head size of the full-attention layers, if they have one of their own.
  std::optional<std::size_t> global_head_dim;
  bool latent_attention = false;  ///< as in ModelRope
  std::vector<std::string> notes;
  /// Warnings to issue if a layer's own parameters also lack the base or the fraction; empty: none.
  std::string missing_base;
  std::string missing_partial;
};

/// Reads the root. `model_type` must outlive the returned facts; `known` may be nullptr. Missing
/// sizes are taken from the class of the model type.
///
/// Throws    rope::Error (invalid input) for sizes that are missing or contradict each other.
ConfigRoot read_config_root(const Fields& root, const std::string& model_type,
                            const KnownModel* known, const ReadOptions& options);

}  // namespace rope
