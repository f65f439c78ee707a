#pragma once

// Rotating all heads of one token: a fast loop for contiguous vectors of doubles. For arrays in any
// order, see rope/rotary/arrays.hpp.

#include <span>

#include "rope/rotary/rotation.hpp"

namespace rope {

/// Rotates the vectors of several heads at one position, all with the same cosines and sines.
///
/// Shapes    x and result: (heads·d), head after head, in different memory; row: r/2 cosines and
///           sines.
/// Accuracy  bit for bit the result of rotate_elementwise, at every CPU level.
/// Edge      without heads, nothing happens. NaN and infinity stay in their pair.
/// Throws    ShapeError if the sizes disagree.
void rotate_heads(const RotaryEmbedding& embedding, const RotationRow& row,
                  std::span<const double> x, std::span<double> result,
                  CpuLevel level = best_cpu_level());

}  // namespace rope
