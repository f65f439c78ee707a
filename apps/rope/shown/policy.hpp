#pragma once

#include <string>

#include "rope/io/json_value.hpp"
#include "rope/precision/policy.hpp"

namespace rope::app {

/// "θ f32, position f32 → angle f32 → cos, sin bf16 → rotate bf16 → store bf16 → sum f32"
std::string stages_text(const Policy& policy);

/// {name, frequency, position, angle, reduced, table, apply, store, accumulate, dot}: how every
/// document describes a policy.
io::JsonValue policy_json(const Policy& policy);

}  // namespace rope::app
