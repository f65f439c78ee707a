#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rope/precision/frequency_error.hpp"
#include "rope/precision/policy.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/rotary/measured.hpp"

namespace rope {

/// A mistake in the assignment of axes to pairs, and whether the check caught it.
struct AxisMistake {
  std::string_view name;
  std::string_view mistake;  ///< one sentence: what is wrong
  bool applies = true;       ///< whether the mistake changes anything for these axes
  bool caught = false;
};

/// The outcome for the identity ⟨R_p q, R_s k⟩ = qᵀR_{s−p}k with positions p and s on several axes.
struct AxesReport {
  std::uint64_t cases = 0;
  Measured identity;  ///< error and bound in the worst case, both divided by |q||k|
  std::uint64_t violations = 0;
  std::vector<Measured> shift;  ///< for each axis: the worst case when both positions are shifted
                                ///< along that axis only
  std::uint64_t shift_violations = 0;
  std::vector<AxisMistake> mistakes;  ///< mistakes planted in exact arithmetic

  bool passed() const { return violations == 0 && shift_violations == 0; }
  bool trusted() const;  ///< whether every planted mistake that changes anything was caught
};

/// Checks random cases, in which each axis has positions of its own in [−max_position,
/// max_position].
///
/// The bounds are those for one axis, evaluated for each pair at the positions on its axis
/// (docs/accuracy.md).
/// Throws    ShapeError unless the embedding has several axes; otherwise whatever Pipeline throws.
AxesReport check_axes(const RotaryEmbedding& embedding, const Policy& policy, std::uint64_t cases,
                      std::uint64_t seed, std::int64_t max_position,
                      const Hypotheses& hypotheses = {});

}  // namespace rope
