#pragma once

#include <string>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/verify/multiprecision.hpp"

namespace rope {

/// One row per number of bits.
Columns bits_columns(const std::vector<MultiprecisionStep>& steps);

/// Schema rope.verify/2 for the identity at increasing numbers of bits; docs/commands.md lists its
/// fields.
std::string bits_json(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps,
                      const std::vector<std::string>& warnings);

std::string bits_csv(const std::vector<MultiprecisionStep>& steps);

}  // namespace rope
