#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/scaling/scaling.hpp"
#include "shown/console.hpp"
#include "usage/arguments.hpp"

namespace rope::app {

/// --scaling, --max-positions and --seq-len. With Times::many, --scaling may be repeated.
void declare_scaling_options(OptionSet& options, Times times);

/// The rules that --scaling names, lists read from their files; `default` alone if none is given.
///
/// Throws    rope::Error (invalid input) for a rule or key that there is not, with the likely one.
std::vector<ScalingSpec> scaling_options(const Arguments& arguments);

/// The embedding that a rule makes of what the options say; warnings go to the console. The
/// context's lengths are read from the options.
///
/// Throws    as scaled_embedding.
RotaryEmbedding scaled_by_options(const Arguments& arguments, const ScalingSpec& spec,
                                  ScalingContext context, PairLayout layout,
                                  const Console& console);

/// The length that --max-positions or --seq-len gives.
///
/// Throws    rope::Error (invalid input) if neither --scaling nor a model is there to need it.
std::optional<std::int64_t> length_option(const Arguments& arguments, std::string_view option);

/// "yarn:factor=4,original=32768": a rule with its parameters, lists by their length alone.
std::string short_text(const ScalingSpec& spec);

}  // namespace rope::app
