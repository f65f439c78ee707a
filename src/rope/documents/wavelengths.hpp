#pragma once

#include <span>
#include <string>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/words/embedding_text.hpp"

namespace rope {

/// The turns of each pair within the reach; empty if the variant has no reach.
std::vector<double> turns_of(const RotaryVariant& variant);

/// θ_i, λ_i and the turns of every pair, and the pair's axis if there are several axes.
Columns wavelength_columns(const RotaryVariant& variant);

/// One row per pair; with several embeddings, separate columns for each.
std::string wavelengths_csv(std::span<const RotaryVariant> variants, CsvForm form);

/// Schema rope.wavelengths/2; docs/commands.md lists its fields.
std::string wavelengths_json(std::span<const RotaryVariant> variants);

}  // namespace rope
