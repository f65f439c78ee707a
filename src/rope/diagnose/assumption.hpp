#pragma once

#include "rope/rotary/embedding.hpp"

namespace rope {

/// An embedding that somebody assumed, and what of it was meant. The rotated part, the direction,
/// the order of pairs and numbers and the factor are always compared: they are as usual unless the
/// embedding says otherwise.
struct Assumption {
  RotaryEmbedding embedding;
  bool layout = true;
  bool frequencies = true;
  bool positions = false;  ///< they were stated, not counted
};

}  // namespace rope
