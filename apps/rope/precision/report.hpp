#pragma once

#include <string>

#include "rope/pictures/precision.hpp"
#include "rope/studies/precision.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Up to which position each policy serves, for people. `setting`: the embedding in one line.
void print_precision(const PrecisionStudy& study, const std::string& setting, bool details,
                     const Console& console);

/// One row a position; worst, bound and random_rms of every policy.
std::string precision_csv(const PrecisionStudy& study);

/// Schema rope.precision/2; docs/commands.md lists its fields.
std::string precision_json(const PrecisionStudy& study);

}  // namespace rope::app
