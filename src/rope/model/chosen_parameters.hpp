#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "rope/io/json.hpp"
#include "rope/model/fields.hpp"

namespace rope {

/// The JSON object that contains the parameters of the rotary embedding.
struct ChosenParameters {
  const io::Json* found = nullptr;  ///< the object in the file, or the one that the class creates
  /// An object that is not in the file: made from keys of the root, merged from two objects, or
  /// empty.
  std::optional<io::Json> made;
  std::string name;
  std::string schema;
  bool of_class = false;  ///< created by the class, with an object for each layer type

  const io::Json& object() const { return made ? *made : *found; }
};

struct ChoiceRequest {
  std::string model_type;  ///< of the file
  std::string text_type;   ///< of the text model that the class creates
  bool reads_parameters;   ///< false if the base is fixed in the code
  bool version_4;  ///< whether to read the file like transformers 4, which has no rope_parameters
  std::optional<std::int64_t> context;
};

/// Chooses rope_scaling, by itself or merged into rope_parameters, if it is not empty; otherwise
/// rope_parameters or equivalent keys; otherwise the parameters that the class creates.
ChosenParameters choose_parameters(const Fields& root, const ChoiceRequest& request);

}  // namespace rope
