#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rope/model/fields.hpp"
#include "rope/model/known_models.hpp"
#include "rope/model/text_part.hpp"

namespace rope {

/// What model a config.json is of.
struct ModelIdentity {
  std::string model_type;             ///< empty if the file does not say
  const KnownModel* known = nullptr;  ///< what its class has; nullptr: not known
  std::vector<std::string> notes;     ///< where it is read as another than its model_type
};

/// Whether the `architectures` of a config.json hold a name.
bool names_architecture(const io::Json& config, std::string_view name);

/// By model_type, that of the whole where the text model has none, or by what the name of the class
/// says. `root` is the part.
ModelIdentity identify(const Fields& root, const TextPart& part);

}  // namespace rope
