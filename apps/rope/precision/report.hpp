#pragma once

#include <string>

#include "rope/pictures/precision.hpp"
#include "rope/studies/precision.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// For each of the two questions a table of first positions and one of errors, for people.
std::string precision_report(const PrecisionStudy& study, const Console& console);

/// One row a position; worst, bound and random_rms of every policy.
std::string precision_csv(const PrecisionStudy& study);

/// Schema rope.precision/2; docs/commands.md lists its fields.
std::string precision_json(const PrecisionStudy& study);

}  // namespace rope::app
