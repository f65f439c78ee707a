#pragma once

#include <string>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/studies/turning.hpp"

namespace rope {

/// All numbers, one row per position and pair.
Columns arrow_columns(const TurningStudy& study);

/// The numbers of each pair that do not depend on the position. With a planted mistake, the
/// wavelengths are omitted, since the table has no room for them.
Columns turned_pair_columns(const TurningStudy& study, Language language = Language::en);

std::string turning_csv(const TurningStudy& study);

/// Schema rope.rotate/1; docs/commands.md lists its fields.
std::string turning_json(const TurningStudy& study, const std::vector<std::string>& warnings);

}  // namespace rope
