#pragma once

#include <cstdint>

#include "rope/apply/token_positions.hpp"
#include "rope/io/tensor.hpp"

namespace rope {

/// Vectors in a file, and the positions of their tokens.
struct TokenInput {
  io::Tensor tensor;
  std::int64_t token_axis = 0;  ///< as the user counts it, from 0
  TokenAxes axes;
  TokenPositions positions;
};

}  // namespace rope
