#include "rope/model/diffusers.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/vision.hpp"
#include "rope/rotary/axial.hpp"

namespace rope {
namespace {

using Dims = std::vector<std::size_t>;

/// What a class makes of a head where its file does not say how the axes share it.
Dims quarter_for_time(std::size_t head) { return {head / 4, head / 8 * 3, head / 8 * 3}; }
Dims thirds(std::size_t head) {
  const std::size_t side = 2 * (head / 6);
  return {head - 2 * side, side, side};
}
Dims eighth_for_time(std::size_t /*head*/) { return {16, 56, 56}; }
Dims quarters(std::size_t /*head*/) { return {32, 32, 32, 32}; }

/// How the transformer of one class rotates.
struct Transformer {
  std::string_view class_name;
  std::string_view dims_key;  ///< the dimensions of each axis; none for a class that reads none
  std::string_view base_key;  ///< likewise
  double base;                ///< where the file has none
  std::int64_t head_dim;      ///< likewise
  Dims (*dims)(std::size_t head);        ///< likewise
  std::array<std::string_view, 4> axes;  ///< their names
};

constexpr std::array<std::string_view, 4> kVideo = {"time", "height", "width", ""};
constexpr std::array<std::string_view, 4> kImages = {"index", "height", "width", "token"};

constexpr auto kTransformers = std::to_array<Transformer>({
    {"FluxTransformer2DModel", "axes_dims_rope", "", 10000, 128, eighth_for_time, kImages},
    {"Flux2Transformer2DModel", "axes_dims_rope", "rope_theta", 2000, 128, quarters, kImages},
    {"QwenImageTransformer2DModel", "axes_dims_rope", "", 10000, 128, eighth_for_time, kVideo},
    {"HunyuanVideoTransformer3DModel", "rope_axes_dim", "rope_theta", 256, 128, eighth_for_time,
     kVideo},
    {"HunyuanVideo15Transformer3DModel", "rope_axes_dim", "rope_theta", 256, 128, eighth_for_time,
     kVideo},
    {"CogVideoXTransformer3DModel", "", "", 10000, 64, quarter_for_time, kVideo},
    {"WanTransformer3DModel", "", "", 10000, 128, thirds, kVideo},
    {"WanVACETransformer3DModel", "", "", 10000, 128, thirds, kVideo},
});

const Transformer& transformer_of(const Fields& fields, const std::string& class_name) {
  for (const Transformer& known : kTransformers)
    if (known.class_name == class_name) return known;
  throw Error(ErrorKind::invalid_input,
              fields.path() + "_class_name: expected a transformer whose axes are known, found " +
                  io::in_quotes(class_name, 60),
              "Say the axes yourself: --axes 16,56,56 gives the dimensions of each.");
}

Dims dims_of(const Fields& fields, const Transformer& transformer, std::size_t head) {
  Dims dims;
  if (!transformer.dims_key.empty())
    if (const auto numbers = fields.numbers(transformer.dims_key))
      for (const double number : *numbers) {
        if (!(number >= 2) || number > static_cast<double>(kMaxRotaryDim) ||
            std::fmod(number, 2) != 0)
          fields.refuse(transformer.dims_key, "even numbers of dimensions, one an axis",
                        "For example [16, 56, 56].");
        dims.push_back(static_cast<std::size_t>(number));
      }
  return dims.empty() ? transformer.dims(head) : dims;
}

}  // namespace

bool is_diffusers_config(const io::Json& config) {
  return config.is_object() && config.find("_class_name") != config.end() &&
         config.find("model_type") == config.end();
}

ModelRope read_diffusers(const io::Json& config, const std::string& name) {
  ModelRope model;
  model.name = name;
  model.schema = "diffusers";
  const Fields fields(config, name + ": ", model.warnings);
  model.model_type = fields.text("_class_name").value_or("");
  const Transformer& transformer = transformer_of(fields, model.model_type);
  if (transformer.class_name == "CogVideoXTransformer3DModel" &&
      !fields.flag("use_rotary_positional_embeddings").value_or(false))
    throw Error(ErrorKind::invalid_input,
                name + ": use_rotary_positional_embeddings is false: this model has no RoPE",
                "CogVideoX-5B has it; the 2B model adds sinusoidal positions.");
  const auto head = static_cast<std::size_t>(
      fields.positive_integer("attention_head_dim").value_or(transformer.head_dim));
  const Dims dims = dims_of(fields, transformer, head);
  if (const std::size_t sum = std::accumulate(dims.begin(), dims.end(), std::size_t{0});
      sum != head)
    throw Error(ErrorKind::invalid_input,
                name + ": attention_head_dim: expected " + std::to_string(sum) +
                    ", the sum of the axes, found " + std::to_string(head),
                "Let the dimensions of the axes add up to those of a head.");
  double base = transformer.base;
  if (!transformer.base_key.empty()) base = fields.number(transformer.base_key).value_or(base);
  RotaryEmbedding embedding = axial_embedding(head, base, dims, PairLayout::interleaved);
  for (std::size_t axis = 0; axis < dims.size(); ++axis)
    embedding.axes.names[axis] = transformer.axes[axis];
  model.layers.push_back(layer_of(embedding));
  return model;
}

}  // namespace rope
