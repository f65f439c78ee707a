#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "rope/attention/softmax.hpp"
#include "rope/encodings/encodings.hpp"
#include "shown/console.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// Declares --encoding NAME:K=V,…, which may be repeated, with the parameters that each encoding
/// declares. `otherwise` describes what applies if no encoding is given.
void declare_encodings(OptionSet& options, std::vector<EncodingSpec>& specs,
                       std::string_view otherwise);

inline constexpr std::array<Choice<Mask>, 2> kMasks = {
    {{"none", Mask::none}, {"causal", Mask::causal}}};

/// Rejects an encoding that is listed twice with the same values, whether given or default.
///
/// Throws    rope::Error (invalid input).
void check_different(const std::vector<EncodingSpec>& specs, const EncodingContext& context);

/// One encoding of a report, and a value for each of its parameters.
struct EncodingInUse {
  std::string title;
  EncodingSpec spec;
  ParameterValues values;
  ParameterValues of_map = values;  ///< the values for a map, which may differ
};

/// The values of the parameters that were not given or, with `details`, of all parameters. A reader
/// needs these values to reproduce a score. Empty if there are no such parameters.
std::string values_in_use(const std::vector<EncodingInUse>& encodings,
                          const EncodingContext& context, bool details,
                          Language language = Language::en);

/// Warns about parameters that were given but change no score at the positions examined.
void warn_of_idle(const EncodingSpec& spec, const std::vector<std::string>& idle,
                  const EncodingContext& context, const Console& console);

}  // namespace rope::app
