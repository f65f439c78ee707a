#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "rope/model/families/family.hpp"
#include "rope/model/layers_without.hpp"
#include "rope/model/rotation_signs.hpp"

namespace rope {
namespace {

constexpr const char* kAttention = "attn_cfg";

/// Files of the code of Mamba itself, of a model with layers of attention.
bool is_mamba_ssm(const io::Json& config) {
  const auto attention = config.find(kAttention);
  return attention != config.end() && attention->is_object() &&
         attention->contains("rotary_emb_dim");
}

/// Some layers are of attention, with a head of a size of its own, of which a part may turn.
///
/// Source    state-spaces/mamba, mamba_ssm/modules/mha.py and models/mixer_seq_simple.py.
void read_mamba_ssm(const Fields& root, const ReadOptions& /*options*/, ModelRope& model) {
  constexpr double kBase = 10000;
  const Fields attention = *root.inner(kAttention);
  const auto* const rotated = attention.find("rotary_emb_dim");
  if (*rotated == 0) {
    model = without_rotation(std::move(model), attention.path() + "rotary_emb_dim is 0");
    return;
  }
  const auto size = attention.positive_integer("rotary_emb_dim");
  const auto heads = attention.positive_integer("num_heads");
  const auto given = attention.positive_integer("head_dim");
  const auto width = root.positive_integer("d_model");
  if (!given && (!heads || !width || *width % *heads != 0))
    attention.refuse("head_dim", "the size of a head",
                     "Alternatively, give a d_model that is a multiple of num_heads.");
  const std::int64_t head = given ? *given : *width / *heads;
  if (head > static_cast<std::int64_t>(kMaxRotaryDim) || *size > head)
    attention.refuse("rotary_emb_dim", "at most head_dim, " + std::to_string(head),
                     "At most a whole head can be rotated.");
  const bool interleaved = attention.flag("rotary_emb_interleaved").value_or(false);
  LayerRope layer = unscaled_layer(static_cast<std::size_t>(head),
                                   attention.number("rotary_emb_base").value_or(kBase),
                                   interleaved ? PairLayout::interleaved : PairLayout::half, "",
                                   static_cast<std::size_t>(*size));
  layer.layers = layers_called(root, model.model_type, "");
  model.layers.push_back(std::move(layer));
  for (std::string& note : layers_without(root, model.model_type))
    model.notes.push_back(std::move(note));
}

}  // namespace

constinit const Family mamba_ssm_family = {is_mamba_ssm, read_mamba_ssm};

}  // namespace rope
