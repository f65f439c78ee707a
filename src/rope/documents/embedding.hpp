#pragma once

#include "rope/encodings/encodings.hpp"
#include "rope/io/json_value.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// {rule, and each parameter by its name}; the rule is "default" if there is none.
io::JsonValue scaling_json(const ScalingSpec& spec);

/// {head_dim, rotary_dim, base, layout, attention_factor, scaling, max_positions, seq_len}: how
/// every document describes an embedding. The base is null if the frequencies were given or come
/// from a family without a base; max_positions and seq_len are null if the rule did not receive
/// them.
io::JsonValue rotary_json(const RotaryEmbedding& embedding);

/// {NAME: value} for every parameter of a position encoding: a number, true or false, or a word.
io::JsonValue parameters_json(const EncodingSpec& spec, const ParameterValues& values);

/// The names of the axes, the number of pairs that each axis turns, and the axis of every pair.
io::JsonValue axes_json(const Axes& axes);

}  // namespace rope
