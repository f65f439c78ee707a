#pragma once

#include <string>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/studies/outputs.hpp"

namespace rope {

/// The errors in one part of the study, one row per error. `part` is its name in csv.
Columns output_columns(const OutputStudy& study, const std::vector<OutputError>& errors,
                       const char* part);

/// Schema rope.verify/2 for the output of an implementation; docs/commands.md lists its fields.
std::string outputs_json(const OutputStudy& study, const std::vector<std::string>& warnings);

/// The worst error of each pair, one per row.
std::string outputs_csv(const OutputStudy& study);

}  // namespace rope
