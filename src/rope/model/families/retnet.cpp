#include <cmath>
#include <nlohmann/json.hpp>

#include "rope/model/families/family.hpp"

namespace rope {
namespace {

constexpr const char* kDecay =
    "the scores also decay with distance, at a different rate in each head, which is not shown";

/// Of torchscale and what is made from it.
bool has_own_keys(const io::Json& config) { return config.contains("decoder_retention_heads"); }

bool is_retnet(const io::Json& config) {
  return is_of_type(config, "retnet") || has_own_keys(config);
}

/// θ_i = 10000^(−i/(n − 1)) for n pairs, so that the last one turns by 1/10000: the usual series of
/// the base 10000^(n/(n − 1)).
///
/// Source    syncdoth/RetNet 2634bbf, retnet/modeling_retnet.py (RetNetRelPos) and
///           torchscale/retnet.py; Sun et al., Retentive Network, arXiv:2307.08621.
void read_torchscale(const Fields& root, ModelRope& model) {
  const std::size_t head =
      head_of(root, {"decoder_embed_dim", 768}, {"decoder_retention_heads", 3});
  if (head < 4 || head % 2 != 0)
    root.refuse("decoder_embed_dim", "heads with an even number of dimensions, at least 4",
                "The series of frequencies runs from the first pair to the last.");
  const std::size_t pairs = head / 2;
  const auto n = static_cast<double>(pairs);
  const double base = std::pow(10000, n / (n - 1));
  model.layers.push_back(unscaled_layer(head, base, PairLayout::interleaved));
  model.notes.push_back("θ_i is 10000^(−i/(n − 1)) for n = " + std::to_string(pairs) +
                        " pairs, which corresponds to the base 10000^(n/(n − 1)), " + shown(base));
}

/// Source    fla-org/flash-linear-attention bc3b101d, fla/layers/multiscale_retention.py.
void read_flash_linear_attention(const Fields& root, ModelRope& model) {
  const double width = static_cast<double>(root.positive_integer("hidden_size").value_or(2048)) *
                       root.number("expand_k").value_or(1);
  const std::int64_t heads = root.positive_integer("num_heads").value_or(8);
  const auto keys = static_cast<std::int64_t>(width);
  if (!(width >= 1) || !(width <= 0x1p31) || keys % heads != 0)
    root.refuse("num_heads", "a divisor of hidden_size times expand_k",
                "The quotient is the size of a head.");
  constexpr double kBase = 10000;
  const bool hybrid = root.find("attn") != nullptr;
  model.layers.push_back(unscaled_layer(static_cast<std::size_t>(keys / heads), kBase,
                                        PairLayout::half, hybrid ? "retention" : ""));
  add_hybrid_attention(root, model);
}

void read_retnet(const Fields& root, const ReadOptions& /*options*/, ModelRope& model) {
  model.context = root.positive_integer("max_position_embeddings");
  if (has_own_keys(root.object()))
    read_torchscale(root, model);
  else
    read_flash_linear_attention(root, model);
  model.notes.emplace_back(kDecay);
}

}  // namespace

constinit const Family retnet_family = {is_retnet, read_retnet};

}  // namespace rope
