#pragma once

#include <string>

#include "rope/plot/figure.hpp"
#include "rope/studies/decay_map.hpp"

namespace rope {

/// The mean cosine over distances on two axes, as colours. `setting`: the embedding in a line.
plot::Figure decay_map_figure(const DecayMap& map, const RotaryEmbedding& embedding,
                              const std::string& setting);

}  // namespace rope
