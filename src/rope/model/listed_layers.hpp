#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rope/model/fields.hpp"
#include "rope/model/rule_reader.hpp"

namespace rope {

/// No file has more kinds of layers than this; a file that seems to is refused.
inline constexpr std::size_t kMostLayerTypes = 64;

/// Layers that rotate alike.
struct LayerGroup {
  double base;     ///< 0: they rotate nothing
  double partial;  ///< the rotated fraction of a head
  bool scaled;     ///< the rule of the file applies to them
  std::vector<std::size_t> layers;

  std::string label() const;  ///< "layers 0, 2 … 30"
};

/// The contents of a file with one number per layer, in layer_rope_theta or in lists under
/// rope_theta and partial_rotary_factors.
struct ListedLayers {
  bool bases, partials;  ///< which of the two lists exist
  std::vector<LayerGroup> groups;
};

/// Groups of equal layers; nothing if the file has no such list. Warns about lists whose length is
/// not num_hidden_layers.
///
/// `scales_full_attention`  for Step 3.5: without yarn_only_types, the rule applies to the
/// full-attention layers.
std::optional<ListedLayers> listed_layers(const Fields& root, const LayerFacts& facts,
                                          bool scales_full_attention);

}  // namespace rope
