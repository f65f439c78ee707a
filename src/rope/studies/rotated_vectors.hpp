#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "rope/apply/token_input.hpp"
#include "rope/apply/vector_rotation.hpp"
#include "rope/io/element_type.hpp"

namespace rope {

/// Vectors, and how they are to be rotated.
struct ApplyStudy {
  TokenInput input;
  RotaryEmbedding embedding;  ///< as the user specified it; VectorRotation inverts it if necessary
  Policy policy;
  RotationForm form = RotationForm::elementwise;
  Direction direction = Direction::forward;
  CpuLevel level = CpuLevel::baseline;
  io::ElementType type = io::ElementType::float64;  ///< the element type of the output
  bool explain = false;                             ///< whether every pair is shown

  VectorRotation rotation() const { return {policy, embedding, form, direction, level}; }
};

/// A vector before and after its rotation, and the row that turned it.
struct Rotated {
  std::uint64_t vector;
  Position position;
  std::vector<double> x;  ///< the vector that was rotated, in the policy's format
  std::vector<double> y;  ///< the result as it is written to the output
  RotationRow row;
};

/// Rotates the vectors one after the other, passing each to `take`.
void for_each_rotated(const ApplyStudy& study, const std::function<void(const Rotated&)>& take);

/// The axis whose position turns a pair.
std::size_t axis_of(const RotaryEmbedding& embedding, std::size_t pair);

/// The position on each axis; a single number if there is only one axis.
std::vector<std::int64_t> on_axes(const RotaryEmbedding& embedding, const Position& position);

/// The angle of every pair, reduced to within one turn.
std::vector<double> reduced_angles(const RotaryEmbedding& embedding, const Position& position);

}  // namespace rope
