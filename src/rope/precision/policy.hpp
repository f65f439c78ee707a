#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rope/precision/format.hpp"

namespace rope {

/// How a pipeline comes to the angle mθ_k.
enum class AngleRule {
  exact,    ///< this library: an exact integer product of fractions of a turn
  product,  ///< everybody else: fl(fl(m)·θ̂_k) in the angle's format, then libm's cos and sin
};

/// A rounding policy: in which format each stage of a rotary pipeline computes.
///
///     angle mθ_k → table cos, sin → apply R_m x → store y → accumulate Σ y_i z_i
struct Policy {
  std::string_view name;
  std::string_view summary;  ///< one sentence for people
  AngleRule angle_rule;
  Format angle;  ///< of θ̂_k, of the position and of their product; cos and sin are libm's in it
  Format table;  ///< cos and sin are cast to it
  Format apply;  ///< products and sums of the rotation
  Format store;  ///< the rotated vector is cast to it; q and k are given in it
  Format accumulate;  ///< products and sums of the score, in sequence
};

/// The policies known by name: one entry each in policy.cpp.
std::span<const Policy> policies();

/// The policy of that name, or nothing.
std::optional<Policy> find_policy(std::string_view name);

}  // namespace rope
