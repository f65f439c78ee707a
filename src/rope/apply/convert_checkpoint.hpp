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

/// The role of a checkpoint tensor in rotary attention, inferred from its name.
enum class WeightRole {
  other,  ///< none: the tensor is not changed
  query,  ///< produces queries: its rows, or the entries of a bias, form heads
  key,    ///< produces keys
  norm,   ///< scales each dimension of queries or keys before they are rotated
  fused,  ///< contains both queries and keys, in an order that its name does not show
  packed  ///< belongs to queries or keys, but is quantised: its rows cannot be moved
};

/// "query", "key" or "norm": the roles of tensors that a conversion changes.
std::string_view name(WeightRole role);

/// The role of a tensor with that name: for example, model.layers.0.self_attn.q_proj.weight and
/// layers.0.attention.wq.weight produce queries.
///
/// Taken     q_proj, wq, k_proj and wk, followed by .weight, .bias or, in an adapter, .lora_B;
///           q_norm, k_norm, q_layernorm, k_layernorm. Fused: qkv_proj, query_key_value, c_attn,
///           and the projections of multi-head latent attention.
WeightRole weight_role(std::string_view name);

/// The number and size of a model's heads; grouped-query attention has fewer key heads than query
/// heads.
struct HeadCounts {
  std::size_t query = 0;
  std::size_t key = 0;
  std::size_t head_dim = 0;    ///< 0: the number of rows of a query projection, divided by `query`
  std::size_t rotary_dim = 0;  ///< 0: head_dim
};

/// One tensor of a checkpoint whose layout changes.
struct ConvertedWeight {
  std::size_t entry = 0;  ///< its index in the header
  WeightRole role = WeightRole::other;
  HeadAxis heads;
};

/// What the conversion of a checkpoint will do.
struct CheckpointPlan {
  std::shared_ptr<const io::InputFile> file;
  io::SafetensorsHeader header;
  LayoutChange change;
  /// In the order of the header; all other tensors are copied.
  std::vector<ConvertedWeight> converted;
};

/// Finds the query and key projections in a .safetensors file, with their biases, norms and
/// adapters.
///
/// Throws    rope::Error (invalid input) if there are none, if the rows of one do not match the
///           number and size of its heads, or if queries and keys share one tensor or are
///           quantised.
CheckpointPlan plan_checkpoint(std::shared_ptr<const io::InputFile> file, PairLayout from,
                               PairLayout to, const HeadCounts& counts);

/// Passes the bytes of the new file to `take`, in order. The rows of converted tensors are
/// reordered; all other tensors are unchanged.
void convert_checkpoint(const CheckpointPlan& plan,
                        const std::function<void(std::span<const char>)>& take);

}  // namespace rope
