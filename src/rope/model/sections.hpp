#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rope/model/model_rope.hpp"

namespace rope {

/// What tells how the sections of M-RoPE lie.
struct SectionFacts {
  std::string_view model_type;        ///< of the text model, as its file has it
  std::string_view outer_type;        ///< of the model it is a part of; may be empty
  std::string_view text_type;         ///< of the class that is made
  std::optional<bool> interleaved{};  ///< what the file says
};

/// Gives the layer the axes of its sections, or of those that its class has where the file names
/// none, if they add up to its pairs.
///
/// Returns   a note on them; empty for a layer without sections.
std::string take_sections(LayerRope& layer, const SectionFacts& facts);

}  // namespace rope
