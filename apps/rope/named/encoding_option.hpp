#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "rope/attention/softmax.hpp"
#include "rope/encodings/encodings.hpp"
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

}  // namespace rope::app
