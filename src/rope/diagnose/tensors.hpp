#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rope/precision/format.hpp"

namespace rope {

/// Vectors before and after a rotation, as the search sees them: lanes are the vectors of one token
/// (heads, and batches), which share its position.
struct RotatedTensors {
  std::size_t tokens = 0;
  std::size_t lanes = 0;
  std::size_t dim = 0;    ///< d
  std::vector<double> x;  ///< before: tokens × lanes × dim
  std::vector<double> y;  ///< after, alike
  /// Axis of the arrays that held the tokens, for messages.
  std::size_t token_axis = 0;

  std::size_t row(std::size_t token, std::size_t lane) const {
    return (token * lanes + lane) * dim;
  }
};

/// Reads two arrays of one shape: the last axis is the head, `token_axis` counts the tokens, and
/// every other axis the vectors that share a position.
///
/// Throws    ShapeError unless the shape has at least two axes, as many numbers as given, no axis
///           of 0, and token_axis is none but a leading one.
RotatedTensors rotated_tensors(std::span<const std::size_t> shape, std::size_t token_axis,
                               std::span<const double> x, std::span<const double> y);

/// Takes out the tokens of which a number is not finite before or after; returns those that stay,
/// as numbers of the tokens of before, ascending.
std::vector<std::size_t> drop_unfinished_tokens(RotatedTensors& tensors);

/// The tokens of which y holds a number that is not finite where x's vector is: no rotation makes
/// that, whatever it leaves of the other tokens. Ascending.
std::vector<std::size_t> overflowed_tokens(const RotatedTensors& tensors);

/// Whether the format holds every one of the values.
bool holds(Format format, std::span<const double> values);

/// The narrowest of bfloat16, float16, float32 and float64 that holds every value.
Format narrowest_format(std::span<const double> values);

}  // namespace rope
