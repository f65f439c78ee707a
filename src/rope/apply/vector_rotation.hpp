#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rope/precision/pipeline.hpp"

namespace rope {

enum class Direction {
  forward,  ///< R_m, which holds the attention factor A once
  inverse,  ///< R_m⁻¹ = R_{−m}/A²: the opposite turn, and 1/A on cos and sin instead of A
};

/// Rotates vectors, position by position, under a rounding policy.
class VectorRotation {
 public:
  /// `form` matters only to the policy `exact`.
  ///
  /// Throws    as Pipeline.
  VectorRotation(const Policy& policy, RotaryEmbedding embedding,
                 RotationForm form = RotationForm::elementwise,
                 Direction direction = Direction::forward, CpuLevel level = best_cpu_level());

  /// The embedding whose rows are used: with the factor 1/A for the inverse.
  const RotaryEmbedding& embedding() const { return pipeline_.embedding(); }
  const Pipeline& pipeline() const { return pipeline_; }

  /// Rotates the vectors of several heads, all at one position: one number, or one per axis.
  /// Numbers that the policy's format does not hold are rounded to it first.
  ///
  /// Shapes    x and y: (heads·d), head after head, in separate memory.
  /// Accuracy  under `exact` and elementwise, bit for bit the result of rotate_elementwise with
  ///           rotation_row.
  void rotate(const Position& position, std::span<const double> x, std::span<double> y);

  /// Cosines and sines as they are applied at a position.
  const RotationRow& row(const Position& position);

  /// How many numbers had to be rounded before they could be rotated.
  std::uint64_t rounded_inputs() const { return rounded_inputs_; }

 private:
  std::span<const double> as_input(std::span<const double> x);

  Pipeline pipeline_;
  RotationForm form_;
  Direction direction_;
  CpuLevel level_;
  bool has_row_ = false;
  Position position_;  // of row_
  RotationRow row_;
  std::vector<double> input_;
  std::uint64_t rounded_inputs_ = 0;
};

}  // namespace rope
