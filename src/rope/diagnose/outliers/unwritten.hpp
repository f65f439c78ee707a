#pragma once

#include <cstddef>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

/// The vectors that the rotation did not write. There are none if all vectors are of the same kind,
/// that is, if all of y is zero or all of y is x.
///
/// Shapes    tensors: every number finite.
Unwritten unwritten_vectors(const RotatedTensors& tensors);

/// The lanes and tokens that the rotation wrote, ascending.
struct WrittenVectors {
  std::vector<std::size_t> lanes, tokens;
};
WrittenVectors written_vectors(const RotatedTensors& tensors, const Unwritten& unwritten);

}  // namespace rope
