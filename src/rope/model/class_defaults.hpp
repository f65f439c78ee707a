#pragma once

#include <optional>
#include <string_view>

#include "rope/io/json.hpp"

namespace rope {

/// The rope_parameters that the class of a model type makes where its config.json holds none, if
/// they are more than a base.
struct ClassParameters {
  const io::Json* parameters;
  std::string_view summary;
};
std::optional<ClassParameters> find_class_parameters(std::string_view model_type);

}  // namespace rope
