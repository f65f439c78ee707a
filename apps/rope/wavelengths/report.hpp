#pragma once

#include <vector>

#include "rope/words/embedding_text.hpp"
#include "shown/console.hpp"

namespace rope::app {

// θ_k and λ_k of every pair of the embeddings that the options name, and the turns that the pairs
// complete within the reach of each, where it has one.

/// `details`: every pair of every embedding. `kinds`: they are those of the kinds of layers of one
/// model, which otherwise stand beside each other in one table.
void print_wavelengths(const std::vector<RotaryVariant>& variants, bool kinds, bool details,
                       const Console& console);

}  // namespace rope::app
