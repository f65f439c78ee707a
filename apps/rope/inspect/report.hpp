#pragma once

#include <string>
#include <vector>

#include "rope/studies/inspection.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// A number as a config or a paper would state it: with up to 12 decimal places.
std::string precise(double value);

/// "llama-2: llama, schema rope_scaling"
std::string heading(const ModelRope& model);

/// Prints a line for each way in which other engines read the model; nothing if all agree.
void print_engines(const Inspection& inspection, const Console& console);

/// Prints the inspection for people, without the warnings.
void print_inspection(const Inspection& inspection, bool details, const Console& console);

/// Prints the differences between two models, and the frequency of each pair in both models.
void print_difference(const Inspection& a, const Inspection& b, bool details,
                      const Console& console);

/// Prints the presets as a table, one per line.
void print_presets(const std::vector<std::string>& names, const Console& console);

}  // namespace rope::app
