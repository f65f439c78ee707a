#pragma once

#include "rope/io/json.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope::app {

/// {head_dim, rotary_dim, base, layout, scaling}: how every document describes an embedding. The
/// base is null if the frequencies were given or come from another family. Where a scaling rule
/// made the frequencies, also {scaling_parameters, max_positions, seq_len, attention_factor}.
io::Json rotary_json(const RotaryEmbedding& embedding);

}  // namespace rope::app
