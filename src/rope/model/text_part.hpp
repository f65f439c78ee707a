#pragma once

#include <string>

#include "rope/io/json.hpp"

namespace rope {

/// The object that describes the text model: the root, or a part of a larger model.
struct TextPart {
  const io::Json* object;
  std::string path;        ///< "" or "text_config."
  std::string outer_type;  ///< model_type of the enclosing object, empty if the file does not say
};

/// Finds it, at most three objects deep. `root` must outlive the answer.
TextPart text_part(const io::Json& root);

/// Whether it has sizes of its own, and so is a model.
bool has_sizes(const io::Json& object);

}  // namespace rope
