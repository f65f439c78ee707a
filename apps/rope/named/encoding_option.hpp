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

/// --encoding NAME:K=V,…, repeatable, with the parameters that each encoding declares. `otherwise`
/// says what counts where none is given.
void declare_encodings(OptionSet& options, std::vector<EncodingSpec>& specs,
                       std::string_view otherwise);

inline constexpr std::array<Choice<Mask>, 2> kMasks = {
    {{"none", Mask::none}, {"causal", Mask::causal}}};

/// Refuses an encoding that is there twice with the same values, given or not.
///
/// Throws    rope::Error (invalid input).
void check_different(const std::vector<EncodingSpec>& specs, const EncodingContext& context);

/// One encoding of a report, and a value for each of its parameters.
struct EncodingInUse {
  std::string title;
  EncodingSpec spec;
  ParameterValues values;
  ParameterValues of_map = values;  ///< where a map is made of another one
};

/// What counts for parameters that were not given, with `details` the value of each: a score is
/// told by its encoding and these numbers. Empty if there are none.
std::string values_in_use(const std::vector<EncodingInUse>& encodings,
                          const EncodingContext& context, bool details,
                          Language language = Language::en);

/// Warns of parameters that were given and change no score at the positions that are looked at.
void warn_of_idle(const EncodingSpec& spec, const std::vector<std::string>& idle,
                  const EncodingContext& context, const Console& console);

}  // namespace rope::app
