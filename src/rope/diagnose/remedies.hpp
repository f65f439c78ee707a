#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rope/rotary/scaling_spec.hpp"

namespace rope {

/// What to type: keys of config.json and lines of a shell, as they stand.

/// What to change, whichever of the two is right: y where it is made, or what follows it.
std::string either(const std::string& in_y, const std::string& to_follow_y);

/// A number with as many digits as it takes to read the same number back: 0.3333333333333333.
std::string all_digits(double number);

/// Where cos and sin get a factor: the key of config.json if the rule has one, else the code.
std::string follow_factor(const ScalingSpec& spec, double factor);

/// A rule as config.json has it: "rope_scaling": {"rope_type": "yarn", "factor": 4, …}; lists of
/// numbers are left to --json.
std::string config_keys(const ScalingSpec& spec);

/// The heads of the vectors at hand; 0 where they are not known.
struct HeadShape {
  std::size_t heads = 0, head_dim = 0;
};

/// Reorders the rows of q_proj and k_proj in every head, in words and as a line of `rope convert`.
std::string reorder_rows(std::string_view from, std::string_view to, std::size_t rotary_dim,
                         const HeadShape& shape);

}  // namespace rope
