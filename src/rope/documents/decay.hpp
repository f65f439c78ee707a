#pragma once

#include <string>

#include "rope/documents/columns.hpp"
#include "rope/pictures/decay.hpp"

namespace rope {

/// The distances: integers if all are whole tokens, doubles otherwise.
Cells distance_cells(const DecayStudy& study);

/// The curves of one embedding: one row per distance.
Columns decay_columns(const DecayStudy& study, const VariantDecay& result);

/// The curves of all embeddings.
std::string decay_csv(const DecayStudy& study, CsvForm form);

/// Schema rope.decay/2; docs/commands.md lists its fields.
std::string decay_json(const DecayStudy& study);

}  // namespace rope
