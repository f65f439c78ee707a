#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rope/io/json.hpp"

namespace rope {

/// The rope_parameters that the class of a model type creates if its config.json has none, provided
/// they contain more than a base.
struct ClassParameters {
  const io::Json* parameters;
  std::string_view summary;
};
std::optional<ClassParameters> find_class_parameters(std::string_view model_type);

/// Whether these parameters belong to a class that accepts only an object for each layer type. No
/// version uses a rope_theta next to such objects, and the class fails if there are none.
bool is_by_layer_type(const ClassParameters& parameters);

/// Whether the class creates layer_types itself if its config.json has none.
bool makes_layer_types(std::string_view model_type);

/// Whether the class creates an object of rope_type default for each layer type and lays
/// rope_scaling over it.
bool lays_scaling_over(std::string_view model_type);

/// Whether the class lays rope_scaling over the objects of all layer types, not only over that of
/// full attention.
bool scales_every_layer_type(std::string_view model_type);

/// The layer types that the class creates if its config.json has no layer_types, if the class has
/// parameters for each type; otherwise empty.
std::span<const std::string_view> layer_types_of_class(std::string_view model_type);

/// The sections of M-RoPE that the class uses if its config.json has none: pairs of time, height
/// and width, in the order used in files.
std::optional<std::array<std::int64_t, 3>> class_sections(std::string_view model_type);

}  // namespace rope
