#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rope/precision/pipeline.hpp"

namespace rope {

/// The stages of a pipeline in which a number may leave the range of its format.
enum class Stage { position, angle, table, apply, store, accumulate };

/// The name of the stage in a policy: "position", "angle", …
std::string_view name(Stage stage);

/// Where a number first became infinite or NaN.
struct NotFinite {
  Stage stage = Stage::position;
  Format format = Format::float32;  ///< of that stage; of the scale if float8 is stored
  std::int64_t position = 0;        ///< the position of the table row, or of the key
};

/// Which stage made ⟨R_m q, R_n k⟩ or qᵀR_{n−m}k infinite or NaN: the first stage, in the order of
/// the pipeline, that has such a number at m, n or n − m. Nothing if both scores are finite.
std::optional<NotFinite> first_not_finite(const Pipeline& pipeline, std::int64_t m, std::int64_t n,
                                          std::span<const double> q, std::span<const double> k);

}  // namespace rope
