#pragma once

#include "rope/verify/checks.hpp"
#include "shown/console.hpp"
#include "shown/table.hpp"

namespace rope::app {

/// A table of the checks, in raw numbers or, if `of_length_1`, for q and k of length 1.
Table checks_table(const VerifyReport& report, bool of_length_1, const Console& console);

}  // namespace rope::app
