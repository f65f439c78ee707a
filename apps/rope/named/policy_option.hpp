#pragma once

#include <string>
#include <string_view>

#include "rope/io/json.hpp"
#include "rope/precision/bounds.hpp"
#include "rope/precision/policy.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// A rounding policy, named or stated stage by stage.
///
/// Throws    rope::Error (invalid input), with the likely name for a misspelt one.
Policy read_policy(const std::string& text);

/// --libm-ulp: what the bounds assume of cos and sin.
Option& declare_libm_ulp(OptionSet& options, double& ulp);

/// "θ f32, position f32 → angle f32 → cos, sin bf16 → rotate bf16 → store bf16 → sum f32"
std::string stages_text(const Policy& policy);

/// {name, frequency, position, angle, reduced, table, apply, store, accumulate, dot}: how every
/// document describes a policy.
io::Json policy_json(const Policy& policy);

}  // namespace rope::app
