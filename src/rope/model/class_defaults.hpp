#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rope/io/json.hpp"

namespace rope {

/// The rope_parameters that the class of a model type makes if its config.json holds none, provided
/// they are more than a base.
struct ClassParameters {
  const io::Json* parameters;
  std::string_view summary;
};
std::optional<ClassParameters> find_class_parameters(std::string_view model_type);

/// Whether these belong to a class that knows only an object for each layer type. A rope_theta next
/// to them counts in no version, and without any of them the class fails.
bool is_by_layer_type(const ClassParameters& parameters);

/// Whether the class makes layer_types itself where its config.json has none.
bool makes_layer_types(std::string_view model_type);

/// Whether the class makes an object for each layer type, of rope_type default, and lays
/// rope_scaling over it.
bool lays_scaling_over(std::string_view model_type);

/// Whether it does so for the layers of every type, not only for those of full attention.
bool scales_every_layer_type(std::string_view model_type);

/// The layer types that the class makes where its config.json has no layer_types, for those classes
/// that have parameters for each; empty for all others.
std::span<const std::string_view> layer_types_of_class(std::string_view model_type);

/// The sections of M-RoPE that the class has where its config.json holds none: pairs of time,
/// height and width, in the order of such files.
std::optional<std::array<std::int64_t, 3>> class_sections(std::string_view model_type);

}  // namespace rope
