#pragma once

#include <string>
#include <vector>

#include "rope/verify/verification.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints what was measured, what is allowed, and the verdict, for people.
void print_verify_report(const VerifyOptions& options, const VerifyReport& report,
                         const Console& console);

/// The document of `rope verify --json`, schema rope.verify/2; docs/commands.md lists its fields.
std::string verify_json(const VerifyOptions& options, const VerifyReport& report,
                        const std::vector<std::string>& warnings);

/// One row per check and per planted mistake.
std::string verify_csv(const VerifyReport& report);

}  // namespace rope::app
