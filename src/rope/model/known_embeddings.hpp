#pragma once

// The embeddings of all published models at once, which diagnose() recognises by name.

#include <vector>

#include "rope/rotary/named_embedding.hpp"

namespace rope {

/// The embeddings of every preset, each kind of layer separately, at the length they were trained
/// for; and at the longest one too if the rule depends on the length.
std::vector<NamedEmbedding> known_embeddings();

}  // namespace rope
