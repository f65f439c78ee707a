#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "rope/verify/scheme.hpp"

namespace rope {

/// A negative control: RoPE with one planted mistake, which a trustworthy verification rejects.
struct Control {
  std::string_view name;
  std::string_view mistake;  ///< one sentence: what is wrong with it
  /// The scheme with the mistake in it.
  SchemeSpec (*plant)(const RotaryEmbedding& right);
  /// The same mistake is made on both sides, so the identity still holds: only the comparison with
  /// the true θ_i can detect it.
  bool keeps_identity;
};

/// All controls: one entry each in controls.cpp.
std::span<const Control> controls();

/// The control of that name, or nothing.
std::optional<Control> find_control(std::string_view name);

}  // namespace rope
