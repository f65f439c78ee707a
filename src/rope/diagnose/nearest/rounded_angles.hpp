#pragma once

#include <span>

#include "rope/diagnose/nearest/least_squares.hpp"
#include "rope/diagnose/nearest/remains.hpp"

namespace rope {

/// Whether a convention that explains most of y explains clearly more if its angles are rounded: by
/// a cast to 16 bits, by repeated products from pair to pair, or by repeated sums or products from
/// token to token.
///
/// `tensors`: a sample. `fit`: a convention with one position per token of the sample.
Remains rounded_angles(const RotatedTensors& tensors, const LeastSquares& fit);

}  // namespace rope
