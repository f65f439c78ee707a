#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rope/precision/pipeline.hpp"

namespace rope {

enum class Direction {
  forward,  ///< R_m, which contains the attention factor A once
  inverse,  ///< R_m⁻¹ = R_{−m}/A²: the opposite turn, with cos and sin times 1/A instead of A
};

/// Rotates vectors, position by position, under a rounding policy.
class VectorRotation {
 public:
  /// `form` matters only under the policy `exact`.
  ///
  /// Throws    what the constructor of Pipeline throws.
  VectorRotation(const Policy& policy, RotaryEmbedding embedding,
                 RotationForm form = RotationForm::elementwise,
                 Direction direction = Direction::forward, CpuLevel level = best_cpu_level());

  /// The embedding whose rows are used; for the inverse, its attention factor is 1/A.
  const RotaryEmbedding& embedding() const { return pipeline_.embedding(); }
  const Pipeline& pipeline() const { return pipeline_; }

  /// Rotates the vectors of several heads, all at the same position (one number, or one per axis).
  /// Numbers of x that the policy's input format cannot represent are rounded to that format first.
  ///
  /// Shapes    x and y: (heads·d), head after head; they must not overlap in memory.
  /// Accuracy  under `exact` in elementwise form, the result equals that of rotate_elementwise with
  ///           rotation_row, bit for bit.
  void rotate(const Position& position, std::span<const double> x, std::span<double> y);

  /// The cosines and sines that are applied at a position.
  const RotationRow& row(const Position& position);

  /// How many input numbers had to be rounded to the policy's format before rotation.
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
