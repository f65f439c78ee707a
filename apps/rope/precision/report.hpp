#pragma once

#include <string>

#include "rope/studies/precision.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints, for people, the positions up to which each policy stays within the tolerances.
/// `setting`: the embedding on one line.
void print_precision(const PrecisionStudy& study, const std::string& setting, bool details,
                     const Console& console);

}  // namespace rope::app
