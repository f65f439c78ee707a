#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rope/model/fields.hpp"
#include "rope/model/known_models.hpp"
#include "rope/model/text_part.hpp"

namespace rope {

/// Which model a config.json describes.
struct ModelIdentity {
  std::string model_type;             ///< empty if the file does not say
  const KnownModel* known = nullptr;  ///< the values of its class; nullptr: unknown
  /// Filled if the file is read as a type other than its model_type.
  std::vector<std::string> notes;
};

/// Whether `architectures` in a config.json contains the name.
bool names_architecture(const io::Json& config, std::string_view name);

/// Identifies the model by its model_type (that of the enclosing model if the text model has none)
/// or by the name of its class. `root` is the text part.
ModelIdentity identify(const Fields& root, const TextPart& part);

}  // namespace rope
