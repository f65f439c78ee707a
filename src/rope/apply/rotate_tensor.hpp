#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "rope/apply/token_positions.hpp"
#include "rope/apply/vector_rotation.hpp"
#include "rope/io/tensor.hpp"
#include "rope/precision/format.hpp"

namespace rope {

/// The number format of an element type; float64 if it has none.
Format number_format(io::ElementType type);

/// The vectors of one token that follow one another in a block.
struct TokenRun {
  std::uint64_t vector;       ///< index of the first one in the whole tensor
  Position position;          ///< of their token
  std::span<const double> x;  ///< (vectors·d)
  std::size_t offset;         ///< of x in its block, in numbers
};

/// What to do with a tensor as it is read, block by block.
struct TensorVisitor {
  std::function<void(std::size_t numbers)> begin_block = [](std::size_t) {};
  std::function<void(const TokenRun&)> run;
  std::function<void()> end_block = [] {};
};

/// Reads a tensor block by block, and visits the vectors of each token of a block. A block holds
/// whole vectors, about half a megabyte of doubles; those of one token may be spread over several
/// blocks.
///
/// Throws    as Tensor::read, and what the visitor throws.
void visit_vectors(const io::Tensor& x, const TokenAxes& axes, const TokenPositions& positions,
                   const TensorVisitor& visitor);

/// Rotates every vector of a tensor and passes the result on, block by block, in the order of x:
/// the tensor may be larger than memory.
///
/// Accuracy  VectorRotation's; nothing is added.
/// Throws    ShapeError if the vectors are not of the embedding's size; as Tensor::read.
void rotate_tensor(const io::Tensor& x, const TokenAxes& axes, const TokenPositions& positions,
                   VectorRotation& rotation,
                   const std::function<void(std::span<const double>)>& take);

}  // namespace rope
