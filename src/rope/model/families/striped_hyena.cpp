#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rope/model/families/family.hpp"
#include "rope/model/layers_without.hpp"
#include "rope/model/rotation_signs.hpp"
#include "rope/model/rule_reader.hpp"

namespace rope {
namespace {

constexpr const char* kSwitch = "use_interpolated_rotary_pos_emb";

bool is_striped_hyena(const io::Json& config) {
  const auto type = config.find("model_type");
  const bool named = type != config.end() && type->is_string() &&
                     type->get<std::string>().starts_with("stripedhyena");
  return named || (config.contains(kSwitch) && config.contains("rotary_emb_base"));
}

/// The parameters of a linear rule, where the file switches the interpolation on.
io::Json interpolation(const Fields& root) {
  const auto factor = root.number("rotary_emb_scaling_factor");
  const bool on = root.flag(kSwitch).value_or(false);
  if (on && factor && *factor != 1) return {{"rope_type", "linear"}, {"factor", *factor}};
  if (!on && factor && *factor != 1)
    root.warn(root.path() + "rotary_emb_scaling_factor: " + shown(*factor) +
              " is ignored because " + kSwitch + " is not true");
  return io::Json::object();
}

/// StripedHyena and Evo 1 and 2: a few layers of attention by flash-attn, which pairs halves, among
/// those of Hyena.
///
/// Source    togethercomputer/stripedhyena and ArcInstitute/vortex, model.py (AttentionBlock) and
///           positional_embeddings.py (swap_mha_rope, LinearlyScaledRotaryEmbedding).
void read_striped_hyena(const Fields& root, const ReadOptions& options, ModelRope& model) {
  constexpr double kBase = 10000;
  model.context = root.first_integer({"max_seqlen", "max_position_embeddings"});
  LayerFacts facts;
  facts.root_path = root.path();
  facts.head_dim = head_of(root, {"hidden_size", 4096}, {"num_attention_heads", 32});
  facts.base = root.number("rotary_emb_base").value_or(kBase);
  facts.context = model.context;
  const io::Json rule = interpolation(root);
  std::vector<std::string> warnings;
  LayerRope layer = read_rule(Fields(rule, root.path(), warnings), facts, options);
  layer.warnings = std::move(warnings);
  layer.layers = layers_called(root, model.model_type, "");
  model.layers.push_back(std::move(layer));
  for (std::string& note : layers_without(root, model.model_type))
    model.notes.push_back(std::move(note));
}

}  // namespace

constinit const Family striped_hyena_family = {is_striped_hyena, read_striped_hyena};

}  // namespace rope
