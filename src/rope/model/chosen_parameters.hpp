#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "rope/io/json.hpp"
#include "rope/model/fields.hpp"

namespace rope {

/// The object that holds the parameters of the rotary embedding.
struct ChosenParameters {
  const io::Json* found = nullptr;  ///< in the file, or of the class
  std::optional<io::Json> made;     ///< from keys of the root, or of two objects, or empty
  std::string name;
  std::string schema;
  bool of_class = false;  ///< the class's, an object for each layer type

  const io::Json& object() const { return made ? *made : *found; }
};

struct ChoiceRequest {
  std::string model_type;  ///< of the file
  std::string text_type;   ///< of the text model that the class makes
  bool reads_parameters;   ///< false where the code holds its base
  bool version_4;          ///< read as transformers 4 does, which has no rope_parameters
  std::optional<std::int64_t> context;
};

/// rope_scaling, as a whole, where it holds anything, or laid over rope_parameters; else
/// rope_parameters, or what stands for them; else those of the class.
ChosenParameters choose_parameters(const Fields& root, const ChoiceRequest& request);

}  // namespace rope
