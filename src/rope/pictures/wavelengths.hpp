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

/// The reach that all variants share; empty if their reaches differ or they have none.
std::optional<std::int64_t> common_reach(std::span<const RotaryVariant> variants);

/// A chart of λ_i for every pair of several embeddings, with the length in tokens within which some
/// pairs complete a turn and others do not.
plot::Figure wavelengths_figure(std::span<const RotaryVariant> variants);

/// A model, labelled with the word that the user typed for it.
struct NamedInspection : Inspection {
  std::string label;
};

/// The label for the results of a layer: "layers of full attention", preceded by the model's name
/// if there are several models.
std::string layer_label(const NamedInspection& inspection, const LayerRope& layer, bool several);

/// The rotating layers of all models.
std::vector<const LayerRope*> rotating_layers(const std::vector<NamedInspection>& inspections);

/// The wavelengths of a model, coloured by what scaling did to each pair, or the wavelengths of two
/// models.
plot::Figure inspect_figure(const std::vector<NamedInspection>& inspections);

}  // namespace rope
