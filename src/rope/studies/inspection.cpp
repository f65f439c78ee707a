#include "rope/studies/inspection.hpp"

#include <algorithm>
#include <utility>

#include "rope/scaling/scaling.hpp"

namespace rope {

std::optional<std::int64_t> Inspection::length(const LayerRope& layer) const {
  return depends_on_length(layer.spec) ? options.seq_len : std::nullopt;
}

std::optional<std::int64_t> Inspection::reach(const LayerRope& layer) const {
  const std::optional<std::int64_t> asked = length(layer);
  const std::optional<std::int64_t> tokens = asked ? asked : layer.serves;
  if (!tokens) return model.reach(layer);
  return std::min(*tokens, layer.window.value_or(*tokens));
}

Inspection inspect(const ModelReader& read, const ReadOptions& options) {
  Inspection inspection{read(options), {}, {}, options};
  const ModelRope& model = inspection.model;
  if (options.engine == Engine::hf) inspection.engines = engine_differences(read, options.seq_len);
  for (const LayerRope& layer : model.layers) {
    LayerNumbers numbers;
    if (layer.rotates()) {
      const Frequencies& frequencies = layer.scaled.frequencies;
      numbers.negative = negative_distance(frequencies);
      if (const std::optional<std::int64_t> reach = inspection.reach(layer)) {
        numbers.turns = turns_within(frequencies, *reach);
        numbers.incomplete = incomplete_pairs(frequencies, *reach);
      }
    }
    inspection.numbers.push_back(std::move(numbers));
  }
  return inspection;
}

}  // namespace rope
