#pragma once

#include <string>

#include "rope/model/chosen_parameters.hpp"
#include "rope/model/config_root.hpp"
#include "rope/model/engine.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/known_models.hpp"

namespace rope {

struct LayerTypesRequest {
  const KnownModel* known;  ///< the class of the text model, or nullptr
  std::string text_type;    ///< the type of the text model, or that of the file
  std::string outer_type;   ///< the type of the model that the text model is a part of
  bool version_4;           ///< whether to read the file as transformers 4 does
  bool of_version_4;        ///< whether transformers 4 has the class too
  ReadOptions options;
};

/// Reads the layers of each type into `model` from the objects in the file that apply to them: one
/// for each layer type, or one for all. Layers that the file does not cover take the values of its
/// class or of the root. Removes each warning from `keys` once it has been issued, so that none is
/// repeated.
///
/// Throws    rope::Error (invalid input), as read_rule does.
void read_layer_types(const Fields& root, ConfigRoot& keys, const ChosenParameters& chosen,
                      const LayerTypesRequest& request, ModelRope& model);

}  // namespace rope
