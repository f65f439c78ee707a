#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rope/model/fields.hpp"
#include "rope/model/rule_reader.hpp"

namespace rope {

/// The largest number of kinds of layers in one file; a file with more is refused.
inline constexpr std::size_t kMostLayerTypes = 64;

/// Layers that rotate in the same way.
struct LayerGroup {
  double base;     ///< 0: the layers rotate nothing
  double partial;  ///< the rotated fraction of a head
  bool scaled;     ///< whether the rule in the file applies to these layers
  std::vector<std::size_t> layers;

  std::string label() const;  ///< "layers 0, 2 … 30"
};

/// The values that a file lists layer by layer, in layer_rope_theta or in lists under rope_theta
/// and partial_rotary_factors.
struct ListedLayers {
  bool bases, partials;  ///< whether the file has a list of each kind
  std::vector<LayerGroup> groups;
};

/// The groups of layers that rotate in the same way; nothing if the file has no such list. Warns
/// about lists whose length is not num_hidden_layers.
///
/// `scales_full_attention`  for Step 3.5: if the file has no yarn_only_types, the rule applies to
/// the full-attention layers.
std::optional<ListedLayers> listed_layers(const Fields& root, const LayerFacts& facts,
                                          bool scales_full_attention);

}  // namespace rope
