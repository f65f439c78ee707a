#pragma once

#include <span>

#include "rope/claims/quantity.hpp"

namespace rope::claims {

// The families of quantities, one file each.
std::span<const Quantity> angle_quantities();
std::span<const Quantity> attention_quantities();
std::span<const Quantity> complex_quantities();
std::span<const Quantity> cost_quantities();
std::span<const Quantity> decay_quantities();
std::span<const Quantity> distance_bias_quantities();
std::span<const Quantity> encoding_quantities();
std::span<const Quantity> extension_quantities();
std::span<const Quantity> frequency_quantities();
std::span<const Quantity> layout_quantities();
std::span<const Quantity> matrix_quantities();
std::span<const Quantity> model_quantities();
std::span<const Quantity> orthogonal_quantities();
std::span<const Quantity> position_table_quantities();
std::span<const Quantity> precision_quantities();
std::span<const Quantity> projection_quantities();
std::span<const Quantity> recorded_quantities();
std::span<const Quantity> rotation_cost_quantities();
std::span<const Quantity> score_quantities();

}  // namespace rope::claims
