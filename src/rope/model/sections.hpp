#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rope/model/model_rope.hpp"

namespace rope {

/// What determines how the sections of M-RoPE are arranged.
struct SectionFacts {
  std::string_view model_type;        ///< of the text model, as written in its file
  std::string_view outer_type;        ///< of the enclosing model; may be empty
  std::string_view text_type;         ///< of the class that is created
  std::optional<bool> interleaved{};  ///< the file's own setting, if it has one
};

/// Sets the layer's axes from the sections in the file, or from those of its class if the file has
/// none, provided the sections add up to the layer's number of pairs.
///
/// Returns   a note on the sections; empty for a layer without sections.
std::string take_sections(LayerRope& layer, const SectionFacts& facts);

}  // namespace rope
