#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/studies/comparison.hpp"

namespace rope {

/// One row per distance: the scores of every encoding, for the first and the last shift.
std::string comparison_csv(const EncodingComparison& comparison, CsvForm form);

/// Schema rope.compare/2; docs/commands.md lists its fields. For a single encoding, it also
/// contains the raw numbers at the positions or distances `at`.
std::string comparison_json(const EncodingComparison& comparison,
                            const std::vector<std::int64_t>& at);

}  // namespace rope
