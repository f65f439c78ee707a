#pragma once

#include <string>
#include <vector>

#include "rope/documents/junit.hpp"
#include "rope/verify/verification.hpp"

namespace rope {

/// Schema rope.verify/2; docs/commands.md lists its fields.
std::string verification_json(const VerifyOptions& options, const VerifyReport& report,
                              const std::vector<std::string>& warnings);

/// One row per check and per planted mistake.
std::string verification_csv(const VerifyReport& report);

/// The verdict as a test of a JUnit report: skipped if inconclusive, because nothing was proven.
JunitCase verdict_case(std::string name, Verdict verdict, std::string message);

/// A JUnit report: one test for the verdict and its reasons, one per row of verification_csv, and
/// one for each check of several axes and each mistake planted in them.
std::string verification_junit(const VerifyReport& report);

}  // namespace rope
