#pragma once

#include <cstddef>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

/// The vectors that the rotation did not write. None if all vectors are alike: then y is zero, or y
/// is x.
///
/// Shapes    tensors: every number finite.
Unwritten unwritten_vectors(const RotatedTensors& tensors);

/// The other lanes and tokens, ascending.
struct WrittenVectors {
  std::vector<std::size_t> lanes, tokens;
};
WrittenVectors written_vectors(const RotatedTensors& tensors, const Unwritten& unwritten);

}  // namespace rope
