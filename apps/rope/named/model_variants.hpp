#pragma once

#include <vector>

#include "named/rotary_options.hpp"
#include "shown/console.hpp"
#include "usage/arguments.hpp"
#include "usage/option_set.hpp"

namespace rope::app {

/// --model and --config. With Times::many they may be repeated, and each layer type is a variant.
void declare_model_options(OptionSet& options, Times times);

/// Whether a model is named.
bool model_given(const Arguments& arguments);

/// The embeddings of the models that the options name. --dim, --base, --rotary-dim, --layout,
/// --scaling, --max-positions and --seq-len beside them override what the model says; each
/// override, and each warning of the model, goes to the console.
///
/// Throws    rope::Error (invalid input), rope::SystemError.
std::vector<RotaryVariant> model_variants(const Arguments& arguments, const Console& console);

}  // namespace rope::app
