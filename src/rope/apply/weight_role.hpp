#pragma once

#include <string_view>

namespace rope {

/// What a tensor of a checkpoint has to do with rotary positions, by its name.
enum class WeightRole {
  other,  ///< nothing: it stays as it is
  query,  ///< makes queries: its rows, or its entries, are heads
  key,    ///< makes keys
  norm,   ///< scales each dimension of queries or keys before they are rotated
  fused,  ///< holds queries and keys in one, in an order that its name does not tell
  packed  ///< belongs to queries or keys in a form whose rows cannot be moved: quantized
};

/// "query", "key" or "norm": what a conversion changes.
std::string_view name(WeightRole role);

/// The role of a tensor of that name: model.layers.0.self_attn.q_proj.weight and
/// layers.0.attention.wq.weight are queries.
///
/// Taken     q_proj, wq, k_proj, wk with .weight or .bias, and .lora_B of an adapter; q_norm,
///           k_norm, q_layernorm, k_layernorm. Fused: qkv_proj, query_key_value, c_attn, and the
///           projections of multi-head latent attention.
WeightRole weight_role(std::string_view name);

}  // namespace rope
