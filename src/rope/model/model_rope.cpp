#include "rope/model/model_rope.hpp"

#include <algorithm>

#include "rope/error.hpp"

namespace rope {

std::vector<std::string> ModelRope::all_warnings() const {
  std::vector<std::string> all = warnings;
  for (const LayerRope& layer : layers)
    for (const std::string& warning : layer.warnings)
      if (std::ranges::find(all, warning) == all.end()) all.push_back(warning);
  return all;
}

std::optional<std::int64_t> ModelRope::reach(const LayerRope& layer) const {
  if (!layer.window) return context;
  return std::min(*layer.window, context.value_or(*layer.window));
}

RotaryEmbedding embedding_of(const LayerRope& layer) {
  const std::string who = layer.name.empty() ? std::string("the model") : layer.name;
  if (!layer.rotates())
    throw ShapeError(who + ": expected rotated dimensions, found none (NoPE)",
                     "Choose layers that rotate.");
  if (layer.rotary_dim % 2 != 0)
    throw ShapeError(
        who + ": expected an even rotary_dim, found " + std::to_string(layer.rotary_dim),
        "Only rope inspect can show an odd size; pairs need an even size.");
  RotaryEmbedding embedding;
  embedding.head_dim = layer.head_dim;
  embedding.layout = layer.layout;
  embedding.frequencies = layer.scaled.frequencies;
  embedding.attention_factor = layer.scaled.attention_factor;
  embedding.base = layer.base;
  embedding.scaling = layer.spec;
  embedding.bands = layer.scaled.bands;
  embedding.axes = layer.axes;
  return embedding;
}

}  // namespace rope
