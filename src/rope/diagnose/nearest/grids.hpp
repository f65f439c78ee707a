#pragma once

#include <string>

#include "rope/diagnose/tensors.hpp"

namespace rope {

/// The quantisation of y, recognised by the grid on which its numbers lie: "an int8 cache,
/// one scale per vector"; empty if there is no such grid.
std::string grid_of(const RotatedTensors& tensors);

}  // namespace rope
