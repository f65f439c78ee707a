#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rope/pictures/comparison.hpp"
#include "rope/studies/comparison.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// The encodings side by side, for people.
void print_comparison(const EncodingComparison& comparison, bool details, const Console& console);

/// One row a distance: the scores of every encoding, of the first and of the last shift.
std::string compare_csv(const EncodingComparison& comparison);

/// Schema rope.compare/2; docs/commands.md lists its fields. Of one encoding its raw numbers stand
/// there too, at the positions or distances `at`.
std::string compare_json(const EncodingComparison& comparison, const std::vector<std::int64_t>& at);

}  // namespace rope::app
