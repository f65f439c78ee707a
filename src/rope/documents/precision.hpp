#pragma once

#include <string>

#include "rope/documents/columns.hpp"
#include "rope/studies/precision.hpp"

namespace rope {

/// One row per position: worst, bound and random_rms for every policy.
std::string precision_csv(const PrecisionStudy& study, CsvForm form);

/// Schema rope.precision/2; docs/commands.md lists its fields.
std::string precision_json(const PrecisionStudy& study);

}  // namespace rope
