#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/model/engine.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// A published model that the program knows by name: data/models/NAME.json.
struct Preset {
  std::string name;
  std::string title;                    ///< "Llama 3.1 8B, 70B and 405B"
  std::string source;                   ///< where its numbers were read
  std::vector<std::string> unverified;  ///< fields nobody confirmed
};

/// The names of all presets, sorted.
const std::vector<std::string>& preset_names();

/// The name of the preset that `name` means: letter case and blanks do not matter. Or nothing.
std::optional<std::string> find_preset(std::string_view name);

/// What is known of a preset. The name must be one of preset_names().
Preset preset(std::string_view name);

/// Its rotary embedding. Warnings say which of its fields are unverified.
ModelRope preset_model(std::string_view name, const ReadOptions& options = {});

}  // namespace rope
