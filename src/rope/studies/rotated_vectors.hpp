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
  RotaryEmbedding embedding;  ///< as named; VectorRotation makes its inverse
  Policy policy;
  RotationForm form = RotationForm::elementwise;
  Direction direction = Direction::forward;
  CpuLevel level = CpuLevel::baseline;
  io::ElementType type = io::ElementType::float64;  ///< of what is written
  bool explain = false;                             ///< every pair is shown

  VectorRotation rotation() const { return {policy, embedding, form, direction, level}; }
};

/// A vector before and after, and the row that turned it.
struct Rotated {
  std::uint64_t vector;
  Position position;
  std::vector<double> x;  ///< as it was rotated: in the policy's format
  std::vector<double> y;  ///< as it is written
  RotationRow row;
};

/// Rotates every vector, one after the other.
void for_each_rotated(const ApplyStudy& study, const std::function<void(const Rotated&)>& take);

/// The position axis by which a pair turns.
std::size_t axis_of(const RotaryEmbedding& embedding, std::size_t pair);

/// The position on each axis; one number if there is one axis.
std::vector<std::int64_t> on_axes(const RotaryEmbedding& embedding, const Position& position);

/// The angle of every pair, reduced to one turn.
std::vector<double> reduced_angles(const RotaryEmbedding& embedding, const Position& position);

}  // namespace rope
