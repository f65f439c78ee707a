#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rope/io/json.hpp"

namespace rope {

/// The sizes that the class of a model type has where its config.json gives none. transformers
/// saves the text model inside a larger one as what differs from them.
struct ClassSizes {
  std::string_view model_type;
  std::int64_t hidden_size;
  std::int64_t num_attention_heads;
  std::int64_t max_position_embeddings;
};

/// Nothing for a type whose class is not known here.
const ClassSizes* find_class_sizes(std::string_view model_type);

/// The rope_parameters that the class of a model type makes where its config.json holds none, if
/// they are more than a base.
struct ClassParameters {
  const io::Json* parameters;
  std::string_view summary;
};
std::optional<ClassParameters> find_class_parameters(std::string_view model_type);

}  // namespace rope
