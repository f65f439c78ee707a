#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rope/rotary/embedding.hpp"
#include "rope/rotary/measured.hpp"

namespace rope {

/// The worst deviation of one property over all positions.
struct PropertyResult {
  std::string name;     ///< "orthogonality": its name in files
  std::string formula;  ///< "‖RᵀR − I‖": as shown to people
  Measured check;
  std::int64_t m = 0;             ///< the position at which that deviation was found
  std::optional<std::int64_t> n;  ///< the second position, for the composition
};

/// Checks what must hold for R_m/A, where A is the attention factor: orthogonality, determinant 1,
/// the transpose as inverse, and, for two positions or more, the composition of the rotations at
/// each position and the next. `progress` is called once per position.
///
/// Throws    DomainError if two successive positions are more than 2^63 apart.
std::vector<PropertyResult> matrix_properties(const RotaryEmbedding& embedding,
                                              std::span<const std::int64_t> positions,
                                              const std::function<void()>& progress = {});

}  // namespace rope
