#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rope/io/json.hpp"

namespace rope {

/// The rope_parameters that the class of a model type creates if the config.json has none, provided
/// they contain more than a base.
struct ClassParameters {
  const io::Json* parameters;
  std::string_view summary;
};
std::optional<ClassParameters> find_class_parameters(std::string_view model_type);

/// Whether these parameters belong to a class that requires one object per layer type. No version
/// of transformers uses a rope_theta next to such objects, and the class fails if the objects are
/// missing.
bool is_by_layer_type(const ClassParameters& parameters);

/// Whether the class creates layer_types itself if the config.json has none.
bool makes_layer_types(std::string_view model_type);

/// Whether the class creates an object with rope_type "default" for each layer type, and lets
/// rope_scaling override the keys of these objects.
bool lays_scaling_over(std::string_view model_type);

/// Whether the class merges rope_scaling into the objects of all layer types, not only into that of
/// full attention.
bool scales_every_layer_type(std::string_view model_type);

/// The layer types that a class with parameters for each type creates if the config.json has no
/// layer_types; empty for other classes.
std::span<const std::string_view> layer_types_of_class(std::string_view model_type);

/// The M-RoPE sections that the class uses if the config.json has none: the numbers of pairs for
/// time, height and width, in the order used in files.
std::optional<std::array<std::int64_t, 3>> class_sections(std::string_view model_type);

}  // namespace rope
