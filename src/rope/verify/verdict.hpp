#pragma once

// The outcome of a verification.

#include <string_view>

#include "rope/print.hpp"

namespace rope {

/// The outcome of a verification.
enum class Verdict {
  pass,             ///< no bound was exceeded, and the bounds prove something
  fail,             ///< a bound was exceeded, or a number is not finite
  inconclusive,     ///< nothing was found wrong, and nothing was proven
  self_test_failed  ///< a planted mistake went undetected: the checker must not be trusted
};

/// "pass", "fail", "inconclusive" or "self_test_failed".
std::string_view name(Verdict verdict);

}  // namespace rope
