#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rope/model/model_rope.hpp"

namespace rope {

/// What determines how the sections of M-RoPE are arranged.
struct SectionFacts {
  std::string_view model_type;        ///< of the text model, as written in its file
  std::string_view outer_type;        ///< of the model it is a part of; may be empty
  std::string_view text_type;         ///< of the class that is created
  std::optional<bool> interleaved{};  ///< what the file says
};

/// Gives the layer the axes of its sections, or of its class's sections if the file has none,
/// provided the sections add up to the layer's number of pairs.
///
/// Returns   a note on them; empty for a layer without sections.
std::string take_sections(LayerRope& layer, const SectionFacts& facts);

}  // namespace rope
