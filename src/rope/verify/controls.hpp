#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "rope/verify/scheme.hpp"

namespace rope {

/// A negative control: RoPE with one planted mistake, which the verification must reject to be
/// trusted.
struct Control {
  std::string_view name;
  std::string_view mistake;  ///< one sentence that says what is wrong
  /// The scheme with the mistake in it.
  SchemeSpec (*plant)(const RotaryEmbedding& right);
  /// Whether both sides contain the same mistake. The identity then still holds, and only the
  /// comparison with the true θ_i can detect the mistake.
  bool keeps_identity;
};

/// All controls; each is an entry of the table in controls.cpp.
std::span<const Control> controls();

/// The control of that name, or nothing.
std::optional<Control> find_control(std::string_view name);

}  // namespace rope
