#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rope/rotary/scaling_spec.hpp"

namespace rope {

/// Texts to type verbatim: config.json keys and shell commands.

/// What to change, whichever side is right: the code that makes y, or the code that is meant to
/// follow y.
std::string either(const std::string& in_y, const std::string& to_follow_y);

/// A number with as many digits as are needed to read the same number back: 0.3333333333333333.
std::string all_digits(double number);

/// Where to set a factor on cos and sin: in a config.json key if the rule has one, otherwise in the
/// code.
std::string follow_factor(const ScalingSpec& spec, double factor);

/// A rule as it is written in config.json: "rope_scaling": {"rope_type": "yarn", "factor": 4, …};
/// for a list of numbers, the text refers to --json.
std::string config_keys(const ScalingSpec& spec);

/// The number and size of the heads examined; 0 if unknown.
struct HeadShape {
  std::size_t heads = 0, head_dim = 0;
};

/// How to reorder the rows of q_proj and k_proj in every head, in words and as a `rope convert`
/// command.
std::string reorder_rows(std::string_view from, std::string_view to, std::size_t rotary_dim,
                         const HeadShape& shape);

}  // namespace rope
