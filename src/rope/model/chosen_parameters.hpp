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
  const io::Json* found = nullptr;  ///< the object in the file, or that of the class
  std::optional<io::Json>
      made;  ///< made from keys of the root or from two objects; or an empty object
  std::string name;
  std::string schema;
  bool of_class = false;  ///< from the class, with an object for each layer type

  const io::Json& object() const { return made ? *made : *found; }
};

struct ChoiceRequest {
  std::string model_type;  ///< of the file
  std::string text_type;   ///< of the text model that the class creates
  bool reads_parameters;   ///< false if the base is fixed in the code
  bool version_4;          ///< read as by transformers 4, which has no rope_parameters
  std::optional<std::int64_t> context;
};

/// Chooses rope_scaling, as a whole or laid over rope_parameters, if it is not empty; otherwise
/// rope_parameters or their equivalent; otherwise the parameters of the class.
ChosenParameters choose_parameters(const Fields& root, const ChoiceRequest& request);

}  // namespace rope
