#pragma once

#include <string>
#include <vector>

#include "rope/pictures/wavelengths.hpp"
#include "rope/plot/figure.hpp"
#include "rope/studies/inspection.hpp"
#include "shown/columns.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// A number as a config or a paper would quote it: up to 12 places behind the point.
std::string precise(double value);

/// "llama-2: llama, schema rope_scaling"
std::string heading(const ModelRope& model);

/// A line for every way in which other engines read the model; nothing if all agree.
void print_engines(const Inspection& inspection, const Console& console);

/// Every pair of one layer type: θ_k, λ_k, turns, band.
Columns pairs_of(const LayerRope& layer, const LayerNumbers& numbers);

/// θ_k of the first pairs of two layer types; a cell is empty where one of them has no such pair.
Columns pair_differences(const LayerRope& a, const LayerRope& b, std::size_t pairs);

/// For people, without the warnings.
void print_inspection(const Inspection& inspection, bool details, const Console& console);

/// Two models: what differs, and each pair of frequencies.
void print_difference(const Inspection& a, const Inspection& b, bool details,
                      const Console& console);

/// Presets as a table, a line each.
void print_presets(const std::vector<std::string>& names, const Console& console);

std::string inspect_csv(const std::vector<NamedInspection>& inspections);
std::string inspect_json(const Inspection& inspection);
std::string difference_json(const Inspection& a, const Inspection& b);
std::string preset_json(const std::vector<std::string>& names);

}  // namespace rope::app
