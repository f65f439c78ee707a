#pragma once

#include <string>

#include "compare/study.hpp"
#include "rope/plot/figure.hpp"

namespace rope::app {

/// The encodings side by side, for people.
std::string compare_report(const ComparisonStudy& study, const Console& console);

/// One row a distance: the scores of every encoding, of the first and of the last shift.
std::string compare_csv(const ComparisonStudy& study);

/// Schema rope.compare/1; docs/commands.md lists its fields.
std::string compare_json(const ComparisonStudy& study);

/// Maps of what positions add to a score, and below each the same by distance.
plot::Figure compare_figure(const ComparisonStudy& study);

}  // namespace rope::app
