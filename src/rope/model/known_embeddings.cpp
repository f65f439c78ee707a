#include "rope/model/known_embeddings.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "rope/model/presets.hpp"

namespace rope {
namespace {

void add_layers(const std::string& preset, const ReadOptions& options, const std::string& suffix,
                std::vector<NamedEmbedding>& known) {
  for (const LayerRope& layer : preset_model(preset, options).layers) {
    if (!layer.rotates() || layer.rotary_dim % 2 != 0) continue;
    std::string label = preset + suffix;
    if (!layer.name.empty()) label += " " + layer.name;
    known.push_back({std::move(label), embedding_of(layer)});
  }
}

}  // namespace

std::vector<NamedEmbedding> known_embeddings() {
  std::vector<NamedEmbedding> known;
  for (const std::string& preset : preset_names()) {
    add_layers(preset, {}, "", known);
    const ModelRope model = preset_model(preset);
    const bool by_length = std::ranges::any_of(model.layers, depends_on_length, &LayerRope::spec);
    if (!model.context || !by_length) continue;
    ReadOptions options;
    options.seq_len = model.context;
    add_layers(preset, options, " at " + std::to_string(*model.context) + " tokens", known);
  }
  return known;
}

}  // namespace rope
