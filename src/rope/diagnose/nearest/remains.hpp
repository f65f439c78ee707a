#pragma once

#include <span>
#include <string>

#include "rope/diagnose/arrangement.hpp"
#include "rope/diagnose/remedy.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

/// What y − R̂ x looks like, as a clause, and what to do about it; empty if it resembles nothing
/// known.
struct Remains {
  std::string looks_like;
  Remedy remedy;
};

/// What to do about noise, which arises if the engines were not given the same vectors.
Remedy remedy_of_noise();

/// Whether the residual `left` is spread like noise: evenly over all pairs, in absolute terms or
/// relative to their size. If a token has several vectors, they must not share the residual as they
/// would share an angle error.
///
/// Shapes    left: tokens × lanes × dim.
bool spread_as_noise(const RotatedTensors& tensors, std::span<const double> left,
                     const Arrangement& arrangement);

/// Recognises rounding to a format or in a cache, sums in another order, and cos and sin with few
/// digits. Tells these apart by size, by whether y lies on a grid, and by whether the vectors of a
/// token share the error of an angle.
///
/// Shapes    left: tokens × lanes × dim. `storage`: the narrowest format that holds y.
Remains remains_of(const RotatedTensors& tensors, std::span<const double> left,
                   const Arrangement& arrangement, Format storage);

}  // namespace rope
