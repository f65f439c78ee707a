#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/apply/convert_tensor.hpp"
#include "rope/io/input_file.hpp"
#include "rope/io/safetensors.hpp"

namespace rope {

/// What a tensor of a checkpoint has to do with rotary positions, by its name.
enum class WeightRole {
  other,  ///< nothing: it stays as it is
  query,  ///< makes queries: its rows, or its entries, form heads
  key,    ///< makes keys
  norm,   ///< scales each dimension of queries or keys before they are rotated
  fused,  ///< holds queries and keys together, in an order that its name does not show
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

/// The heads of a model: grouped-query attention has fewer for keys.
struct HeadCounts {
  std::size_t query = 0;
  std::size_t key = 0;
  std::size_t head_dim = 0;    ///< 0: rows of a query projection / query heads
  std::size_t rotary_dim = 0;  ///< 0: head_dim
};

/// One tensor of a checkpoint whose layout changes.
struct ConvertedWeight {
  std::size_t entry = 0;  ///< in the header
  WeightRole role = WeightRole::other;
  HeadAxis heads;
};

/// What a checkpoint's conversion will do.
struct CheckpointPlan {
  std::shared_ptr<const io::InputFile> file;
  io::SafetensorsHeader header;
  LayoutChange change;
  std::vector<ConvertedWeight> converted;  ///< in the order of the header; all others are copied
};

/// Finds the query and key projections of a .safetensors file, their biases, norms and adapters.
///
/// Throws    rope::Error (invalid input) if there are none, if one does not have as many rows as
///           its heads have dimensions, or if queries and keys share one tensor or are quantized.
CheckpointPlan plan_checkpoint(std::shared_ptr<const io::InputFile> file, PairLayout from,
                               PairLayout to, const HeadCounts& counts);

/// Passes on the bytes of the new file, from the first to the last. Its tensors differ from the old
/// ones only in the order of the rows of the converted ones.
void convert_checkpoint(const CheckpointPlan& plan,
                        const std::function<void(std::span<const char>)>& take);

}  // namespace rope
