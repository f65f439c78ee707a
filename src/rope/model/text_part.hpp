#pragma once

#include <string>

#include "rope/io/json.hpp"

namespace rope {

/// The object that describes the text model: the root, or a part of a larger model.
struct TextPart {
  const io::Json* object;
  /// The prefix of the object's keys in messages: "" for the root, or "text_config.".
  std::string path;
  std::string outer_type;  ///< model_type of the enclosing object, empty if the file does not say
};

/// Finds the text model, at most three objects deep. `root` must outlive the result.
TextPart text_part(const io::Json& root);

/// Whether the object has sizes of its own and is therefore a model.
bool has_sizes(const io::Json& object);

}  // namespace rope
