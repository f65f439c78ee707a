#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "rope/io/quote.hpp"
#include "rope/model/families/family.hpp"
#include "rope/model/rotation_signs.hpp"

namespace rope {
namespace {

/// Files of Kyutai's own code; the MoshiConfig of transformers has other keys.
bool is_moshi(const io::Json& config) {
  constexpr std::array<const char*, 5> kKeys = {"dim", "num_heads", "n_q", "card", "delays"};
  return std::ranges::all_of(kKeys, [&](const char* key) { return config.contains(key); });
}

/// How pairs lie by the kind of positions; nothing for kinds without a rotation.
std::optional<PairLayout> layout_by(const Fields& root, std::string_view key) {
  const std::string kind = root.text(key).value_or("sin");
  if (kind == "rope" || kind == "sin_rope") return PairLayout::interleaved;
  if (kind == "rope_concat") return PairLayout::half;
  if (kind != "sin" && kind != "none")
    root.refuse(key, "sin, rope, sin_rope, rope_concat or none",
                "The code of Moshi accepts only these.");
  return std::nullopt;
}

/// The transformer over time, and the one over the codebooks of each step where it rotates too.
///
/// Source    kyutai-labs/moshi e6a55d2, moshi/moshi: models/lm.py, modules/transformer.py and
///           rope.py.
void read_moshi(const Fields& root, const ReadOptions& /*options*/, ModelRope& model) {
  const double period = root.number("max_period").value_or(10000);
  const bool deep = root.find("depformer_dim") != nullptr && root.find("dep_q") != nullptr &&
                    *root.find("dep_q") != 0;
  const auto depth = deep ? layout_by(root, "depformer_pos_emb") : std::nullopt;
  if (const auto layout = layout_by(root, "positional_embedding")) {
    LayerRope layer = unscaled_layer(head_of(root, {"dim", 4096}, {"num_heads", 32}), period,
                                     *layout, depth ? "time" : "");
    layer.window = root.positive_integer("context");
    model.layers.push_back(std::move(layer));
  }
  if (depth)
    model.layers.push_back(
        unscaled_layer(head_of(root, {"depformer_dim", 256}, {"depformer_num_heads", 4}),
                       root.number("depformer_max_period").value_or(period), *depth, "depth"));
  else if (deep)
    model.notes.emplace_back(
        "the transformer over the codebooks of each step rotates nothing: depformer_pos_emb is " +
        io::in_quotes(root.text("depformer_pos_emb").value_or("sin"), 40));
  if (model.layers.empty())
    model = without_rotation(
        std::move(model), root.path() + "positional_embedding is " +
                              io::in_quotes(root.text("positional_embedding").value_or("sin"), 40));
}

}  // namespace

constinit const Family moshi_family = {is_moshi, read_moshi};

}  // namespace rope
