#pragma once

#include <string>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/studies/turning.hpp"

namespace rope {

/// Everything that is known, one row per position and pair.
Columns arrow_columns(const TurningStudy& study);

/// What is known about each pair at any position. With a mistake, the table has no room for the
/// wavelengths.
Columns turned_pair_columns(const TurningStudy& study, Language language = Language::en);

std::string turning_csv(const TurningStudy& study);

/// Schema rope.rotate/1; docs/commands.md lists its fields.
std::string turning_json(const TurningStudy& study, const std::vector<std::string>& warnings);

}  // namespace rope
