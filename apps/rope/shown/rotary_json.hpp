#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "rope/io/json.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope::app {

/// The value, or null where there is none.
template <typename Value>
io::Json or_null(const std::optional<Value>& value) {
  return value ? io::Json(*value) : io::Json();
}

/// {rule, and each parameter by its name}.
io::Json scaling_json(const ScalingSpec& spec);

/// {head_dim, rotary_dim, base, layout, scaling}: how every document describes an embedding. The
/// base is null if the frequencies were given or come from another family. Where a scaling rule
/// made the frequencies, also {scaling_parameters, max_positions, seq_len, attention_factor}.
io::Json rotary_json(const RotaryEmbedding& embedding);

}  // namespace rope::app
