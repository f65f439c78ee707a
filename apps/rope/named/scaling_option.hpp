#pragma once

#include <string>
#include <vector>

#include "rope/rotary/embedding.hpp"
#include "rope/scaling/scaling.hpp"
#include "shown/console.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// Declares --scaling: a rule with its parameters, where lists may be read from files.
Option& declare_scaling(OptionSet& options, std::vector<ScalingSpec>& scalings);

/// A rule with its parameters as given on the command line, where lists may be read from files:
/// "@FILE".
///
/// Throws    whatever parse_scaling or reading a file throws.
ScalingSpec scaling_with_files(const std::string& text);

/// The embedding that a rule makes; the rule's warnings go to the console.
///
/// Throws    whatever scaled_embedding throws.
RotaryEmbedding scaled_with_warnings(const ScalingSpec& spec, const ScalingContext& context,
                                     PairLayout layout, const Console& console);

}  // namespace rope::app
