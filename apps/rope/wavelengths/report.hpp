#pragma once

#include <string>
#include <vector>

#include "named/rotary_options.hpp"
#include "rope/pictures/wavelengths.hpp"
#include "shown/console.hpp"

namespace rope::app {

// θ_k and λ_k of every pair of the embeddings that the options name, and the turns that the pairs
// complete within the reach of each, where it has one.

/// `details`: every pair of every embedding. `kinds`: they are those of the kinds of layers of one
/// model, which otherwise stand beside each other in one table.
void print_wavelengths(const std::vector<RotaryVariant>& variants, bool kinds, bool details,
                       const Console& console);

/// One row per pair; of several embeddings, columns of their own for each.
std::string wavelengths_csv(const std::vector<RotaryVariant>& variants);

/// Schema rope.wavelengths/2; docs/commands.md lists its fields.
std::string wavelengths_json(const std::vector<RotaryVariant>& variants);

}  // namespace rope::app
