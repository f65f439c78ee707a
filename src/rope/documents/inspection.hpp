#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/pictures/wavelengths.hpp"
#include "rope/studies/inspection.hpp"

namespace rope {

/// Every pair of one layer type: θ_i, λ_i, turns, band.
Columns layer_columns(const LayerRope& layer, const LayerNumbers& numbers);

/// θ_i of the first pairs of two layer types; a cell is empty if one of them has no such pair.
Columns pair_differences(const LayerRope& a, const LayerRope& b, std::size_t pairs);

/// One row per pair of every layer type that rotates.
std::string inspection_csv(const std::vector<NamedInspection>& inspections, CsvForm form);

/// Schema rope.inspect/1; docs/commands.md lists its fields.
std::string inspection_json(const Inspection& inspection);

/// The same document for two models, with the pairs of both side by side.
std::string difference_json(const Inspection& a, const Inspection& b);

/// Schema rope.presets/1: where each preset comes from.
std::string preset_json(const std::vector<std::string>& names);

}  // namespace rope
