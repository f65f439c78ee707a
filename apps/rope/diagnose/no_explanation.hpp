#pragma once

#include <cstddef>
#include <string>

#include "diagnose/report.hpp"

namespace rope::app {

/// Why there is no explanation, without a full stop, and what to do about it.
struct Reason {
  std::string why;
  std::string remedy;
};

/// `assumed`: frequencies were stated.
Reason no_explanation(const DiagnosedCase& one, bool assumed);

/// What comes nearest, and the worst of the numbers that do not follow it; empty if nothing does.
/// `most_runs`: of positions.
std::string near_miss_text(const DiagnosedCase& one, std::size_t most_runs);

}  // namespace rope::app
