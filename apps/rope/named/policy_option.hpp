#pragma once

#include <string>
#include <string_view>

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

}  // namespace rope::app
