#pragma once

#include "rope/io/json_value.hpp"
#include "rope/precision/policy.hpp"

namespace rope {

/// {name, frequency, position, angle, reduced, table, apply, store, accumulate, dot}: how every
/// document describes a policy.
io::JsonValue policy_json(const Policy& policy);

}  // namespace rope
