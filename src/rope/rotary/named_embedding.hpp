#pragma once

// An embedding with a name, as listed by known_embeddings().

#include <string>

#include "rope/rotary/embedding.hpp"

namespace rope {

/// An embedding with a name, like those of published models.
struct NamedEmbedding {
  std::string name;
  RotaryEmbedding embedding;
};

}  // namespace rope
