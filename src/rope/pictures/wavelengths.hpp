#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rope/plot/figure.hpp"
#include "rope/studies/inspection.hpp"
#include "rope/words/embedding_text.hpp"

namespace rope {

/// The reach that all of them share; empty if they differ or have none.
std::optional<std::int64_t> common_reach(std::span<const RotaryVariant> variants);

/// λ_i of every pair of several embeddings, and the length in tokens within which pairs complete a
/// turn or not.
plot::Figure wavelengths_figure(std::span<const RotaryVariant> variants);

/// A model with the word that named it.
struct NamedInspection : Inspection {
  std::string label;
};

/// "layers of full attention", preceded by the model's name if there are several: the label for
/// what is shown of a layer.
std::string layer_label(const NamedInspection& inspection, const LayerRope& layer, bool several);

/// The layers of all models that rotate.
std::vector<const LayerRope*> rotating_layers(const std::vector<NamedInspection>& inspections);

/// The wavelengths of a model, coloured by what scaling did to each; or of two models.
plot::Figure inspect_figure(const std::vector<NamedInspection>& inspections);

}  // namespace rope
