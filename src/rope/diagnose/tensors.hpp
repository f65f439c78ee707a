#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rope/precision/format.hpp"

namespace rope {

/// Vectors before and after a rotation, in the order that the search uses. Lanes are the vectors of
/// one token (heads and batches), which share its position.
struct RotatedTensors {
  std::size_t tokens = 0;
  std::size_t lanes = 0;
  std::size_t dim = 0;    ///< d
  std::vector<double> x;  ///< before: tokens × lanes × dim
  std::vector<double> y;  ///< after, alike
  /// Which axis of the arrays held the tokens, for messages.
  std::size_t token_axis = 0;

  std::size_t row(std::size_t token, std::size_t lane) const {
    return (token * lanes + lane) * dim;
  }
};

/// Reads two arrays of one shape: the last axis is the head dimension, `token_axis` counts the
/// tokens, and all other axes count vectors that share a position.
///
/// Throws    ShapeError unless the shape has at least two axes, none of length 0, and as many
///           numbers
/// as given, and token_axis is not the last axis.
RotatedTensors rotated_tensors(std::span<const std::size_t> shape, std::size_t token_axis,
                               std::span<const double> x, std::span<const double> y);

/// The same with the rows of a batch one behind the other, so that each has positions of its own:
/// token t of row b is token b·T + t of the result.
///
/// Throws    as rotated_tensors; ShapeError unless row_axis stands before token_axis.
RotatedTensors rotated_rows(std::span<const std::size_t> shape, std::size_t row_axis,
                            std::size_t token_axis, std::span<const double> x,
                            std::span<const double> y);

/// Removes the tokens that hold a non-finite number in x or y; returns the indices of those that
/// remain, ascending.
std::vector<std::size_t> drop_nonfinite_tokens(RotatedTensors& tensors);

/// The tokens with a vector that is finite in x and not in y, which no rotation produces.
/// Ascending.
std::vector<std::size_t> overflowed_tokens(const RotatedTensors& tensors);

/// Whether the format holds every one of the values.
bool holds(Format format, std::span<const double> values);

/// The narrowest of bfloat16, float16, float32 and float64 that holds every value.
Format narrowest_format(std::span<const double> values);

}  // namespace rope
