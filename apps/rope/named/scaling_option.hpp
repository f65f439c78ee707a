#pragma once

#include <string>
#include <vector>

#include "rope/rotary/embedding.hpp"
#include "rope/scaling/scaling.hpp"
#include "shown/console.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// --scaling: a rule with its parameters, lists read from their files.
Option& declare_scaling(OptionSet& options, std::vector<ScalingSpec>& scalings);

/// A rule with its parameters as the command line has them: lists may be read from files, "@FILE".
///
/// Throws    as parse_scaling; what reading a file throws.
ScalingSpec scaling_with_files(const std::string& text);

/// The embedding that a rule makes; the rule's warnings go to the console.
///
/// Throws    as scaled_embedding.
RotaryEmbedding scaled_with_warnings(const ScalingSpec& spec, const ScalingContext& context,
                                     PairLayout layout, const Console& console);

}  // namespace rope::app
