#pragma once

#include <string>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/studies/outputs.hpp"

namespace rope {

/// Errors of one part of the study, named as in csv: a row each.
Columns output_columns(const OutputStudy& study, const std::vector<OutputError>& errors,
                       const char* part);

/// Schema rope.verify/2 of what an implementation made; docs/commands.md lists its fields.
std::string outputs_json(const OutputStudy& study, const std::vector<std::string>& warnings);

/// The worst error of each pair, one a row.
std::string outputs_csv(const OutputStudy& study);

}  // namespace rope
