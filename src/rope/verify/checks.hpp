#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rope/verify/verification.hpp"

namespace rope {

/// One check of a report: what was measured and what is allowed.
struct CheckLine {
  std::string name;       ///< the name shown to people
  std::string file_name;  ///< the name used in files
  Measured raw;
  Measured unit;  ///< the same for q and k of length 1
  std::uint64_t violations;
  bool vacuous = false;  ///< whether there was a case in which any outcome would have met the bound

  /// Whether the bound was met but proves nothing.
  bool open() const { return violations == 0 && (vacuous || raw.unbounded()); }
};

/// The checks that a report contains.
std::vector<CheckLine> checks_of(const VerifyReport& report);

/// "rejected", "below rounding", "changes nothing" or "NOT REJECTED".
std::string_view outcome(ControlReport::Outcome outcome);

}  // namespace rope
