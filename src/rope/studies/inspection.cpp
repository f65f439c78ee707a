#include "rope/studies/inspection.hpp"

#include <utility>

namespace rope {

Inspection inspect(const ModelReader& read, const ReadOptions& options) {
  Inspection inspection{read(options), {}, {}, options};
  const ModelRope& model = inspection.model;
  if (options.engine == Engine::hf) inspection.engines = engine_differences(read, options.seq_len);
  for (const LayerRope& layer : model.layers) {
    LayerNumbers numbers;
    if (layer.rotates()) {
      const Frequencies& frequencies = layer.scaled.frequencies;
      numbers.negative = negative_distance(frequencies);
      if (const std::optional<std::int64_t> reach = model.reach(layer)) {
        numbers.turns = turns_within(frequencies, *reach);
        numbers.incomplete = incomplete_pairs(frequencies, *reach);
      }
    }
    inspection.numbers.push_back(std::move(numbers));
  }
  return inspection;
}

}  // namespace rope
