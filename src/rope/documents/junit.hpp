#pragma once

#include <span>
#include <string>

namespace rope {

/// One check in a report for continuous integration.
struct JunitCase {
  enum class Outcome { passed, failed, skipped };

  std::string name;
  Outcome outcome = Outcome::passed;
  std::string message;  ///< why it did not pass
};

/// A JUnit report of one suite, in the form that CI services read. An inconclusive check is
/// reported as skipped.
///
/// Source    the schema of Jenkins' xUnit plugin, junit-10.xsd.
std::string junit_xml(const std::string& suite, std::span<const JunitCase> cases);

}  // namespace rope
