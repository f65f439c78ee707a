#pragma once

#include <span>
#include <string>

#include "rope/claims/ledger.hpp"
#include "rope/io/json_value.hpp"

namespace rope {

/// One row per claim.
std::string claims_csv(std::span<const claims::CheckedClaim> checked);

/// Schema rope.claims/1; docs/commands.md lists its fields.
io::JsonValue claims_json(const claims::Ledger& answer);

}  // namespace rope
