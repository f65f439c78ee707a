#pragma once

#include <string>

#include "rope/diagnose/tensors.hpp"

namespace rope {

/// The quantisation that the numbers of y went through, by the grid on which they lie: "an int8
/// cache, one scale per vector"; empty if they lie on none.
std::string grid_of(const RotatedTensors& tensors);

}  // namespace rope
