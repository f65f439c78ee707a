#include "rope/model/vision.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/fields.hpp"
#include "rope/rotary/axial.hpp"

namespace rope {
namespace {

/// How the tower of one model type rotates.
struct Tower {
  std::string_view model_type;
  PairLayout layout;
  AxisSeries series;
  bool own_block;      ///< pairs are laid out within the half of each axis
  bool width_first;    ///< the first half turns by the column
  bool normalized;     ///< positions are fractions of the image
  double base;         ///< where the file has none
  std::int64_t width;  ///< hidden_size where the file has none
  std::int64_t heads;  ///< likewise
};

constexpr bool kYes = true, kNo = false;
constexpr auto kTowers = std::to_array<Tower>({
    {"pixtral", PairLayout::half, AxisSeries::dealt, kNo, kNo, kNo, 10000, 1024, 16},
    {"qwen2_vl", PairLayout::half, AxisSeries::restarted, kNo, kNo, kNo, 10000, 1280, 16},
    {"qwen2_5_vl", PairLayout::half, AxisSeries::restarted, kNo, kNo, kNo, 10000, 1280, 16},
    {"qwen2_5_omni_vision_encoder", PairLayout::half, AxisSeries::restarted, kNo, kNo, kNo, 10000,
     1280, 16},
    {"qwen3_omni_moe_vision_encoder", PairLayout::half, AxisSeries::restarted, kNo, kNo, kNo, 10000,
     1152, 16},
    {"qwen3_vl", PairLayout::half, AxisSeries::restarted, kNo, kNo, kNo, 10000, 1152, 16},
    {"qwen3_vl_moe", PairLayout::half, AxisSeries::restarted, kNo, kNo, kNo, 10000, 1152, 16},
    {"qwen3_5", PairLayout::half, AxisSeries::restarted, kNo, kNo, kNo, 10000, 1152, 16},
    {"qwen3_5_moe", PairLayout::half, AxisSeries::restarted, kNo, kNo, kNo, 10000, 1152, 16},
    {"llama4_vision_model", PairLayout::interleaved, AxisSeries::restarted, kNo, kYes, kNo, 10000,
     768, 16},
    {"gemma4_vision", PairLayout::half, AxisSeries::restarted, kYes, kYes, kNo, 100, 768, 12},
    {"dinov3_vit", PairLayout::half, AxisSeries::restarted, kNo, kNo, kYes, 100, 384, 6},
});

/// By the type of the vision part: "qwen3_vl" or, in later files, "qwen3_vl_vision".
const Tower* find_tower(std::string_view model_type) {
  constexpr std::string_view kSuffix = "_vision";
  for (const Tower& tower : kTowers)
    if (tower.model_type == model_type ||
        (model_type.ends_with(kSuffix) &&
         tower.model_type == model_type.substr(0, model_type.size() - kSuffix.size())))
      return &tower;
  return nullptr;
}

/// By the type of the whole model, whose vision part has no known type of its own.
const Tower* find_tower_of(std::string_view whole) {
  if (whole == "llama4") return find_tower("llama4_vision_model");
  if (whole == "gemma4") return find_tower("gemma4_vision");
  return whole.starts_with("qwen") ? find_tower(whole) : nullptr;
}

std::size_t size_of_head(const Fields& fields, const Tower& tower) {
  // Pixtral's class makes the size of a head itself, whatever its file says.
  if (const auto own = fields.positive_integer("head_dim"); own && tower.model_type != "pixtral")
    return static_cast<std::size_t>(*own);
  // Qwen2-VL calls the width embed_dim: its hidden_size is that of the text model.
  const std::vector<std::string_view> names = tower.model_type == "qwen2_vl"
                                                  ? std::vector<std::string_view>{"embed_dim"}
                                                  : std::vector<std::string_view>{"hidden_size"};
  const std::int64_t width = fields.first_integer(names).value_or(tower.width);
  const std::int64_t heads =
      fields.first_integer({"num_attention_heads", "num_heads"}).value_or(tower.heads);
  if (heads < 1 || width < 1 || width % heads != 0)
    throw Error(ErrorKind::invalid_input,
                fields.path() + "hidden_size: expected a multiple of " + std::to_string(heads) +
                    ", the number of heads, found " + std::to_string(width),
                "The head size is hidden_size / num_attention_heads.");
  return static_cast<std::size_t>(width / heads);
}

/// The patches along one side of the square image that the file names.
std::size_t patches_of(const Fields& fields) {
  const std::int64_t image = fields.positive_integer("image_size").value_or(224);
  const std::int64_t patch = fields.positive_integer("patch_size").value_or(16);
  return static_cast<std::size_t>(std::max<std::int64_t>(image / patch, 1));
}

double base_of(const Fields& fields, const Tower& tower) {
  if (const auto parameters = fields.inner("rope_parameters"))
    if (const auto base = parameters->number("rope_theta")) return *base;
  return fields.number("rope_theta").value_or(tower.base);
}

LayerRope read_tower(const Fields& fields, const Tower& tower) {
  const std::size_t head = size_of_head(fields, tower);
  if (head % 4 != 0)
    throw Error(ErrorKind::invalid_input,
                fields.path() +
                    "head_dim: expected a multiple of 4 (row pairs and column pairs), " + "found " +
                    std::to_string(head),
                "Each axis turns half of the head.");
  const std::array<std::size_t, 2> dims = {head / 2, head / 2};
  const double base = base_of(fields, tower);
  RotaryEmbedding embedding;
  if (tower.normalized) {
    const std::array<std::size_t, 2> patches = {patches_of(fields), patches_of(fields)};
    embedding = normalized_axial_embedding(head, base, dims, patches, tower.layout);
  } else {
    embedding = axial_embedding(head, base, dims, tower.layout, tower.series, tower.own_block);
  }
  if (tower.width_first) embedding.axes.names = {"width", "height"};
  return layer_of(embedding);
}

}  // namespace

LayerRope layer_of(const RotaryEmbedding& embedding) {
  LayerRope layer;
  layer.head_dim = embedding.head_dim;
  layer.rotary_dim = embedding.rotary_dim();
  layer.layout = embedding.layout;
  layer.base = *embedding.base;
  layer.scaled.frequencies = embedding.frequencies;
  layer.axes = embedding.axes;
  return layer;
}

std::optional<LayerRope> read_vision(const io::Json& config, const std::string& name) {
  if (const auto thinker = config.find("thinker_config");
      thinker != config.end() && thinker->is_object())
    return read_vision(*thinker, name + ": thinker_config");
  const auto part = config.find("vision_config");
  if (part == config.end() || !part->is_object()) return std::nullopt;
  std::vector<std::string> warnings;
  const Fields fields(*part, name + ": vision_config.", warnings);
  const Fields root(config, name + ": ", warnings);
  const Tower* tower = find_tower(fields.text("model_type").value_or(""));
  if (tower == nullptr) tower = find_tower_of(root.text("model_type").value_or(""));
  if (tower == nullptr) return std::nullopt;
  LayerRope layer = read_tower(fields, *tower);
  layer.name = "vision";
  layer.warnings = std::move(warnings);
  return layer;
}

bool is_vision_model(const std::string& model_type) {
  // "qwen2_vl" is the type of the whole, and in older files of its vision part too.
  const bool whole =
      model_type.starts_with("qwen") && model_type.find("_vision") == std::string::npos;
  return !whole && find_tower(model_type) != nullptr;
}

ModelRope read_vision_model(const io::Json& config, const std::string& name) {
  ModelRope model;
  model.name = name;
  const Fields fields(config, name + ": ", model.warnings);
  model.model_type = fields.text("model_type").value_or("");
  model.schema = fields.find("rope_parameters") != nullptr ? "rope_parameters" : "rope_theta";
  const Tower& tower = *find_tower(model.model_type);
  model.layers.push_back(read_tower(fields, tower));
  if (tower.normalized)
    model.notes.push_back("positions are odd integers 2i + 1 − n for patch i of n = " +
                          std::to_string(patches_of(fields)) + ", from image_size / patch_size: " +
                          "the θ_i shown is 2π/n times the model's own");
  return model;
}

}  // namespace rope
