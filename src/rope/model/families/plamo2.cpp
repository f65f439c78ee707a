#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "rope/model/families/family.hpp"
#include "rope/model/layers_without.hpp"
#include "rope/model/rotation_signs.hpp"

namespace rope {
namespace {

bool is_plamo2(const io::Json& config) { return is_of_type(config, "plamo2"); }

/// The layers of attention among those of Mamba.
std::vector<std::size_t> layers_of_attention(const Fields& root, std::size_t count) {
  const bool mamba = root.flag("mamba_enabled").value_or(true);
  const auto step = static_cast<std::size_t>(root.positive_integer("mamba_step").value_or(2));
  std::vector<std::size_t> layers;
  for (std::size_t i = 0; i < count; ++i) {
    const bool attends = count <= step / 2 ? i + 1 == count : i % step == step / 2;
    if (!mamba || attends) layers.push_back(i);
  }
  return layers;
}

/// Those of them that see all tokens; the others have a window.
std::vector<std::size_t> layers_that_see_all(const Fields& root,
                                             const std::vector<std::size_t>& attention) {
  std::vector<std::size_t> layers;
  if (const auto listed = root.numbers("full_attention_idx"))
    for (const std::size_t layer : attention)
      if (std::ranges::find(*listed, static_cast<double>(layer)) != listed->end())
        layers.push_back(layer);
  return layers;
}

/// Source    Blaizzy/mlx-vlm 9b13f522, mlx_vlm/models/plamo2, which follows pfnet's
///           modeling_plamo.py in the base of each layer; ml-explore/mlx-lm d78bf58e and vLLM's
///           plamo2.py for what a file without these bases means.
void read_plamo2(const Fields& root, const ReadOptions& /*options*/, ModelRope& model) {
  constexpr double kBase = 10000;
  model.context = root.positive_integer("max_position_embeddings");
  const auto head = root.positive_integer("hidden_size_per_head");
  if (!head) root.refuse("hidden_size_per_head", "the size of a head", "PLaMo 2 uses 128.");
  const auto count = root.positive_integer("num_hidden_layers");
  if (!count || *count > 100000)
    root.refuse("num_hidden_layers", "the number of layers", "Some are Mamba layers.");
  const auto attention = layers_of_attention(root, static_cast<std::size_t>(*count));
  const auto all = layers_that_see_all(root, attention);
  const auto add = [&](double base, bool window, const char* name) {
    LayerRope layer = unscaled_layer(static_cast<std::size_t>(*head), base, PairLayout::half, name);
    if (window) layer.window = root.positive_integer("attention_window_size").value_or(2048);
    model.layers.push_back(std::move(layer));
  };
  const bool both = !all.empty() && all.size() < attention.size();
  const auto theta = root.number("rope_theta");
  const auto local = root.number("rope_local_theta");
  if (!all.empty()) add(theta.value_or(kBase), false, both ? "full_attention" : "");
  if (all.size() < attention.size()) {
    add(local.value_or(kBase), true, both ? "sliding_attention" : "");
    if (theta && *theta != local.value_or(kBase) && !both)
      root.warn(root.path() + "rope_theta: " + shown(*theta) +
                " is ignored: full_attention_idx lists no attention layer, so all of them use "
                "rope_local_theta; vLLM uses rope_theta for all layers");
  }
  if (attention.empty())
    model = without_rotation(std::move(model), "no layer is an attention layer");
  else if (attention.size() < static_cast<std::size_t>(*count))
    model.notes.push_back(std::to_string(attention.size()) + " of " + std::to_string(*count) +
                          " layers are attention layers and rotate: " + short_list(attention));
}

}  // namespace

constinit const Family plamo2_family = {is_plamo2, read_plamo2, true};

}  // namespace rope
