#pragma once

#include "rope/io/json_value.hpp"
#include "rope/precision/policy.hpp"

namespace rope {

/// {name, frequency, position, angle, reduced, table, apply, store, accumulate, dot}: how every
/// document describes a policy.
io::JsonValue policy_json(const Policy& policy);

/// All named policies, each with its `summary`; schema rope.policies/1.
io::JsonValue policies_json();

}  // namespace rope
