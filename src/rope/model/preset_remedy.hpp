#pragma once

#include <string>
#include <string_view>

#include "rope/model/presets.hpp"

namespace rope {

/// What to do about a word for a model that matches no preset, or several: the likely ones, or the
/// file to read instead.
///
/// `all`: the sentence that says where all of them are listed.
std::string preset_remedy(std::string_view word, const PresetMatch& match, std::string_view all);

}  // namespace rope
