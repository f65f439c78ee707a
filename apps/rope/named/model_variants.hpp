#pragma once

#include <vector>

#include "named/rotary_options.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// The embeddings of the models that the options name. Other options given together with a model
/// override its values; each override, and each warning about a model, goes to the console.
///
/// Throws    rope::Error (invalid input), rope::SystemError.
std::vector<RotaryVariant> model_variants(const RotaryOptions& options, const Console& console);

}  // namespace rope::app
