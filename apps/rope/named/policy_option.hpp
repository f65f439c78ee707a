#pragma once

#include <string>
#include <string_view>

#include "rope/precision/bounds.hpp"
#include "rope/precision/policy.hpp"
#include "usage/arguments.hpp"

namespace rope::app {

/// The rounding policy that an option names or states stage by stage.
///
/// Throws    rope::Error (invalid input), with the likely name for a misspelt one.
Policy policy_option(std::string_view option, const std::string& text);

/// --libm-ulp: what the bounds assume of cos and sin.
///
/// Throws    rope::Error (invalid input).
Hypotheses read_hypotheses(const Arguments& arguments);

}  // namespace rope::app
