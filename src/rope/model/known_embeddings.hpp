#pragma once

// The embeddings of all published models that diagnose() recognises by name.

#include <vector>

#include "rope/rotary/named_embedding.hpp"

namespace rope {

/// The embeddings of all presets, separately for each kind of layer, at the length they were
/// trained for; also at the longest length if the rule depends on the length.
std::vector<NamedEmbedding> known_embeddings();

}  // namespace rope
