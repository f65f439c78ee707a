#pragma once

#include <string>
#include <vector>

#include "rope/verify/verification.hpp"

namespace rope {

/// Schema rope.verify/2; docs/commands.md lists its fields.
std::string verification_json(const VerifyOptions& options, const VerifyReport& report,
                              const std::vector<std::string>& warnings);

/// One row per check and per planted mistake.
std::string verification_csv(const VerifyReport& report);

/// The rows of verification_csv as a JUnit report: one test per row.
std::string verification_junit(const VerifyReport& report);

}  // namespace rope
