#pragma once

#include <string>
#include <string_view>

#include "rope/model/presets.hpp"

namespace rope {

/// The remedy to print for a word that does not match exactly one preset: the likely presets, or
/// the file to read instead.
///
/// `all`: the sentence that says where all presets are listed.
std::string preset_remedy(std::string_view word, const PresetMatch& match, std::string_view all);

}  // namespace rope
