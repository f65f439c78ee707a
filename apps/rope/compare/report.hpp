#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rope/plot/figure.hpp"
#include "rope/studies/comparison.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// The encodings side by side, for people; with `sources` also where the source documents' table
/// says otherwise.
std::string compare_report(const EncodingComparison& comparison, bool sources,
                           const Console& console);

/// One row a distance: the scores of every encoding, of the first and of the last shift.
std::string compare_csv(const EncodingComparison& comparison);

/// Schema rope.compare/1; docs/commands.md lists its fields. Of one encoding its raw numbers stand
/// there too, at the positions or distances `at`.
std::string compare_json(const EncodingComparison& comparison, bool sources,
                         const std::vector<std::int64_t>& at);

/// Maps of what positions add to a score, and below each the same by distance. If not all were
/// chosen, those alone that have their place in the picture of all.
plot::Figure compare_figure(const EncodingComparison& comparison, bool chosen);

}  // namespace rope::app
