#pragma once

#include "named/token_options.hpp"
#include "rope/studies/rotated_vectors.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints what was done, and the result if it is short; with ApplyStudy::explain, also every pair.
void print_apply_report(const ApplyStudy& study, const Console& console);

/// Whether the result is short enough for the report to show it.
bool prints_result(const ApplyStudy& study);

/// Throws    ShapeError if there are too many pairs to explain.
void check_explanation(const ApplyStudy& study);

}  // namespace rope::app
