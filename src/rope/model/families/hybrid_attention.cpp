#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "rope/error.hpp"
#include "rope/model/families/family.hpp"
#include "rope/model/layers_without.hpp"
#include "rope/model/rotation_signs.hpp"

namespace rope {
namespace {

constexpr const char* kAttn = "attn";
constexpr std::string_view kSamba = "samba";

// Types whose other layers rotate nothing: those whose modeling_*.py calls
// get_hybrid_attention_spec, of flash-linear-attention bc3b101d.
constexpr auto kMixedTypes = std::to_array<std::string_view>(
    {"comba", "delta_net", "gated_deltanet", "gated_deltaproduct", "gla", "gsa", "hgrn", "hgrn2",
     "kda", "lightnet", "linear_attn", "mesa_net", "mom", "rwkv6", "rwkv7", kSamba});
static_assert(std::ranges::is_sorted(kMixedTypes));

bool is_hybrid(const io::Json& config) {
  const auto type = config.find("model_type");
  if (type == config.end() || !type->is_string()) return false;
  if (*type == kSamba) return true;
  const auto attn = config.find(kAttn);
  return attn != config.end() && !attn->is_null() &&
         std::ranges::binary_search(kMixedTypes, type->get<std::string>());
}

/// What Samba's class has where its file says nothing of attn.
const io::Json& attention_of_samba() {
  static const io::Json attn = {{"layers", {1, 3, 5, 7, 9, 11, 13, 15, 17}},
                                {"num_heads", 18},
                                {"rope_theta", 10000.0},
                                {"window_size", 2048}};
  return attn;
}

/// The layers of one object of attn.
void add_spec(const Fields& root, const Fields& spec, bool only, ModelRope& model) {
  std::vector<std::size_t> layers;
  if (const auto numbers = spec.numbers("layers"))
    for (const double number : *numbers) {
      if (!(number >= 0) || !(number < 0x1p31) || number != std::floor(number))
        spec.refuse("layers", "layer numbers, from 0", "For example [1, 3, 5].");
      layers.push_back(static_cast<std::size_t>(number));
    }
  if (layers.empty()) return;
  if (!spec.positive_integer("num_heads"))
    spec.refuse("num_heads", "the number of heads in these layers",
                "The code of this model needs it.");
  const std::int64_t width = root.positive_integer("hidden_size").value_or(2048);
  const std::int64_t heads = *spec.positive_integer("num_heads");
  if (width < heads)
    root.refuse("hidden_size", "at least attn.num_heads", "A head needs at least one dimension.");
  const std::string name = only ? "" : "layers " + short_list(layers);
  LayerRope layer =
      unscaled_layer(static_cast<std::size_t>(width / heads),
                     spec.number("rope_theta").value_or(10000), PairLayout::half, name);
  layer.window = spec.positive_integer("window_size");
  model.layers.push_back(std::move(layer));
  const auto all = root.positive_integer("num_hidden_layers");
  model.notes.push_back("attn: " + std::to_string(layers.size()) +
                        (all ? " of " + std::to_string(*all) : std::string()) +
                        " layers use full attention and rotate: " + short_list(layers));
}

/// Source    fla/models/hybrid.py and fla/layers/attn.py of the same.
void read_hybrid_attention(const Fields& root, const ReadOptions& /*options*/, ModelRope& model) {
  model.context = root.positive_integer("max_position_embeddings");
  add_hybrid_attention(root, model);
  if (model.layers.empty())
    model = without_rotation(std::move(model), root.path() + kAttn + " names no layers");
}

}  // namespace

void add_hybrid_attention(const Fields& root, ModelRope& model) {
  const io::Json* attn = root.find(kAttn);
  if (attn == nullptr && !root.has(kAttn) && model.model_type == kSamba) {
    root.warn(root.path() + kAttn + " is missing, so the default of samba is used (every 2nd of " +
              "18 layers, with 18 heads and a window of 2048 tokens): set it");
    attn = &attention_of_samba();
  }
  if (attn == nullptr) return;
  const std::string path = root.path() + kAttn;
  if (attn->is_object()) {
    add_spec(root, Fields(*attn, path + ".", model.warnings), model.layers.empty(), model);
    return;
  }
  if (!attn->is_array())
    root.refuse(kAttn, "an object, a list of objects or null",
                R"(For example {"layers": [1, 3]}.)");
  for (std::size_t i = 0; i < attn->size(); ++i) {
    std::string at = path;
    at.append("[").append(std::to_string(i)).append("]");
    if (!(*attn)[i].is_object())
      throw Error(ErrorKind::invalid_input, at + ": expected an object, found " + shown((*attn)[i]),
                  R"(For example {"layers": [1, 3], "num_heads": 16}.)");
    add_spec(root, Fields((*attn)[i], at + ".", model.warnings),
             attn->size() == 1 && model.layers.empty(), model);
  }
}

constinit const Family hybrid_attention_family = {is_hybrid, read_hybrid_attention};

}  // namespace rope
