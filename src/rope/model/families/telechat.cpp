#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "rope/model/families/family.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

bool is_telechat(const io::Json& config) { return is_of_type(config, "telechat"); }

/// The length beyond which the base is raised. Files of TeleChat 2 hold it; the code of TeleChat
/// does, 4096 in that of 7B and 8192 in that of 12B, which their widths tell apart.
std::int64_t length_kept(const Fields& root) {
  if (const auto given = root.positive_integer("base_seqlen")) return *given;
  constexpr std::int64_t kWidthOf7B = 4096, kWidthOf12B = 5120;
  const auto width = root.positive_integer("hidden_size");
  if (width == kWidthOf7B) return 4096;
  if (width == kWidthOf12B) return 8192;
  root.refuse("base_seqlen", "the length up to which the base is not raised",
              "Take it from get_ntk_alpha in the model's own modeling_telechat.py.");
}

/// NTK-aware by powers of two of the length, and a magnitude that grows with it, from the length of
/// training on.
///
/// Source    Tele-AI/Telechat 9faf3bc, models/7B and models/12B, modeling_telechat.py
///           (RotaryEmbedding); for base_seqlen TeleChat 2's.
void read_telechat(const Fields& root, const ReadOptions& options, ModelRope& model) {
  constexpr double kBase = 10000;
  model.context = root.positive_integer("seq_length");
  const std::size_t head = head_of(root, {"hidden_size", 4096}, {"n_head", 32});
  const std::int64_t trained = root.positive_integer("training_seqlen").value_or(8192);
  const auto length =
      static_cast<double>(std::max<std::int64_t>(trained, options.seq_len.value_or(0)));
  const double powers = std::ceil(std::log2(length / static_cast<double>(length_kept(root))) + 1);
  const double factor = std::max(1.0, std::exp2(powers) - 1);
  LayerRope layer = unscaled_layer(head, kBase, PairLayout::half);
  if (factor != 1) {
    layer.rope_type = "ntk";
    layer.spec = {.rule = "ntk", .numbers = {{"factor", factor}}, .lists = {}};
    layer.scaled = scale(layer.spec, {kBase, head, head, model.context, std::nullopt});
  }
  const double magnitude = 0.1 * std::log(length / static_cast<double>(trained)) + 1;
  layer.scaled.attention_factor = std::max(1.0, magnitude);
  model.layers.push_back(std::move(layer));
  model.notes.push_back("the values shown apply up to " + std::to_string(trained) +
                        " tokens; for longer inputs, this model's code raises the base and the "
                        "attention factor, as --seq-len shows");
}

}  // namespace

constinit const Family telechat_family = {is_telechat, read_telechat};

}  // namespace rope
