#pragma once

// An embedding with a name: what known_embeddings() lists.

#include <string>

#include "rope/rotary/embedding.hpp"

namespace rope {

/// An embedding that has a name, as those of published models have.
struct NamedEmbedding {
  std::string name;
  RotaryEmbedding embedding;
};

}  // namespace rope
