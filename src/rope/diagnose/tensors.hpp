#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "rope/diagnose/numbers.hpp"
#include "rope/precision/format.hpp"

namespace rope {

/// Vectors before and after a rotation, in the order that the search uses: a view of two arrays,
/// which copies none of their numbers. Lanes are the vectors of one token (heads and batches),
/// which share its position.
struct RotatedTensors {
  std::size_t tokens = 0;
  std::size_t lanes = 0;
  std::size_t dim = 0;  ///< d
  Numbers x;            ///< before
  Numbers y;            ///< after, in the same order
  /// The array axis that counted the tokens, for messages.
  std::size_t token_axis = 0;

  /// How far from the start of an array the vectors of each token and of each lane begin. If
  /// absent, the arrays are tokens × lanes × dim.
  using Starts = std::shared_ptr<const std::vector<std::size_t>>;
  Starts token_starts = nullptr;
  Starts lane_starts = nullptr;

  /// Where a vector begins in x and in y.
  std::size_t row(std::size_t token, std::size_t lane) const {
    return (token_starts ? (*token_starts)[token] : token * lanes * dim) +
           (lane_starts ? (*lane_starts)[lane] : lane * dim);
  }

  /// Where a vector begins in an array of tokens × lanes × dim.
  std::size_t dense_row(std::size_t token, std::size_t lane) const {
    return (token * lanes + lane) * dim;
  }

  std::size_t size() const { return tokens * lanes * dim; }
};

/// Calls visit(row) for the start of every vector, token by token.
template <typename Visit>
void for_each_vector(const RotatedTensors& tensors, Visit visit) {
  for (std::size_t t = 0; t < tensors.tokens; ++t)
    for (std::size_t lane = 0; lane < tensors.lanes; ++lane) visit(tensors.row(t, lane));
}

/// Views two arrays of the same shape: the last axis is the head dimension, `token_axis` counts the
/// tokens, and all other axes count vectors that share a position.
///
/// Throws    ShapeError if the shape has fewer than two axes, has an axis of length 0 or does not
///           match the count of numbers, or if token_axis is the last axis.
RotatedTensors rotated_tensors(std::span<const std::size_t> shape, std::size_t token_axis,
                               const Numbers& x, const Numbers& y);

/// The same, with the rows of a batch one after another, so that each row has positions of its own:
/// token t of row b is token b·T + t of the result.
///
/// Throws    what rotated_tensors throws, and ShapeError unless row_axis comes before token_axis.
RotatedTensors rotated_rows(std::span<const std::size_t> shape, std::size_t row_axis,
                            std::size_t token_axis, const Numbers& x, const Numbers& y);

/// Removes the tokens that hold a non-finite number in x or y; returns the indices of those that
/// remain, ascending.
std::vector<std::size_t> drop_nonfinite_tokens(RotatedTensors& tensors);

/// The tokens with a vector that is finite in x but not in y, which no rotation can cause; in
/// ascending order.
std::vector<std::size_t> overflowed_tokens(const RotatedTensors& tensors);

/// Which side of the tensors to use: &RotatedTensors::x or &RotatedTensors::y.
using Side = Numbers RotatedTensors::*;

/// Whether a condition holds for every number of one side.
template <typename Condition>
bool every_number(const RotatedTensors& tensors, Side side, Condition condition) {
  const Numbers& numbers = tensors.*side;
  for (std::size_t t = 0; t < tensors.tokens; ++t)
    for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
      const std::size_t row = tensors.row(t, lane);
      for (std::size_t i = 0; i < tensors.dim; ++i)
        if (!condition(numbers[row + i])) return false;
    }
  return true;
}

/// Whether the format can represent every number of one side exactly.
bool holds(Format format, const RotatedTensors& tensors, Side side);

/// The narrowest of bfloat16, float16, float32 and float64 that can represent every number exactly.
Format narrowest_format(const RotatedTensors& tensors, Side side);
Format narrowest_format(std::span<const double> values);

}  // namespace rope
