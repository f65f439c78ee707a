#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "rope/apply/token_positions.hpp"
#include "rope/apply/vector_rotation.hpp"
#include "rope/io/tensor.hpp"
#include "rope/precision/format.hpp"

namespace rope {

/// The Format that corresponds to an element type; float64 if there is none.
Format number_format(io::ElementType type);

/// Consecutive vectors in a block that belong to one token.
struct TokenRun {
  std::uint64_t vector;       ///< index of the first vector of the run in the whole tensor
  Position position;          ///< position of their token
  std::span<const double> x;  ///< (vectors·d)
  std::size_t offset;         ///< where x begins in its block, counted in numbers
};

/// The functions to call while a tensor is read block by block.
struct TensorVisitor {
  std::function<void(std::size_t numbers)> begin_block = [](std::size_t) {};
  std::function<void(const TokenRun&)> run;
  std::function<void()> end_block = [] {};
};

/// Reads a tensor block by block, and visits the vectors in a block token by token. A block
/// contains whole vectors, about half a megabyte of doubles; the vectors of one token may be spread
/// over several blocks.
///
/// Throws    what Tensor::read or the visitor throws.
void visit_vectors(const io::Tensor& x, const TokenAxes& axes, const TokenPositions& positions,
                   const TensorVisitor& visitor);

/// Rotates every vector of a tensor and passes the results to `take`, block by block, in the order
/// of x; the tensor may be larger than memory.
///
/// Accuracy  that of VectorRotation; no error is added.
/// Throws    ShapeError if the vectors do not have the embedding's size; also what Tensor::read
///           throws.
void rotate_tensor(const io::Tensor& x, const TokenAxes& axes, const TokenPositions& positions,
                   VectorRotation& rotation,
                   const std::function<void(std::span<const double>)>& take);

}  // namespace rope
