#include "rope/model/diffusers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/hugging_face.hpp"
#include "rope/model/rotation_signs.hpp"
#include "rope/model/rule_reader.hpp"
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
Dims quarter_for_index(std::size_t /*head*/) { return {32, 48, 48}; }
Dims like_thirds(std::size_t /*head*/) { return {32, 32, 32}; }
Dims two_halves(std::size_t /*head*/) { return {64, 64}; }
Dims halves(std::size_t head) { return {head / 2, head / 2}; }

/// How the transformer of one class rotates.
struct Transformer {
  std::string_view class_name;
  std::string_view dims_key;  ///< the dimensions of each axis; none for a class that reads none
  std::string_view base_key;  ///< likewise
  double base;                ///< where the file has none
  std::int64_t head_dim;      ///< likewise
  Dims (*dims)(std::size_t head);        ///< likewise; nullptr: they must stand in the file
  std::array<std::string_view, 4> axes;  ///< their names
  PairLayout layout = PairLayout::interleaved;
  std::string_view factors_key = {};          ///< the NTK-aware factor of each axis
  std::array<double, 3> factors = {1, 1, 1};  ///< where the file has none
};

constexpr std::string_view kCosmos = "CosmosTransformer3DModel";
constexpr std::string_view kCogVideoX = "CogVideoXTransformer3DModel";
constexpr std::string_view kCogView4 = "CogView4Transformer2DModel";
constexpr std::string_view kKandinsky5 = "Kandinsky5Transformer3DModel";
constexpr const char* kCogSwitch = "use_rotary_positional_embeddings";
constexpr std::array<std::string_view, 4> kVideo = {"time", "height", "width", ""};
constexpr std::array<std::string_view, 4> kImages = {"index", "height", "width", "token"};
constexpr std::array<std::string_view, 4> kPlane = {"height", "width", "", ""};

constexpr auto kTransformers = std::to_array<Transformer>({
    {"FluxTransformer2DModel", "axes_dims_rope", "", 10000, 128, eighth_for_time, kImages},
    {"Flux2Transformer2DModel", "axes_dims_rope", "rope_theta", 2000, 128, quarters, kImages},
    {"QwenImageTransformer2DModel", "axes_dims_rope", "", 10000, 128, eighth_for_time, kVideo},
    {"HunyuanVideoTransformer3DModel", "rope_axes_dim", "rope_theta", 256, 128, eighth_for_time,
     kVideo},
    {"HunyuanVideo15Transformer3DModel", "rope_axes_dim", "rope_theta", 256, 128, eighth_for_time,
     kVideo},
    {"HunyuanVideoFramepackTransformer3DModel", "rope_axes_dim", "rope_theta", 256, 128,
     eighth_for_time, kVideo},
    {"HunyuanVideoTransformer3DModelPacked", "rope_axes_dim", "rope_theta", 256, 128,
     eighth_for_time, kVideo},
    {"HunyuanImageTransformer2DModel", "rope_axes_dim", "rope_theta", 256, 128, two_halves, kPlane},
    {"ChromaTransformer2DModel", "axes_dims_rope", "", 10000, 128, eighth_for_time, kImages},
    {"LongCatImageTransformer2DModel", "axes_dims_rope", "", 10000, 128, eighth_for_time, kImages},
    {"OvisImageTransformer2DModel", "axes_dims_rope", "", 10000, 128, eighth_for_time, kImages},
    {"HiDreamImageTransformer2DModel", "axes_dims_rope", "", 10000, 128, nullptr, kImages},
    {"Lumina2Transformer2DModel", "axes_dim_rope", "", 10000, 96, like_thirds, kImages},
    {"ZImageTransformer2DModel", "axes_dims", "rope_theta", 256, 128, quarter_for_index, kImages},
    {kCosmos, "", "", 10000, 128, thirds, kVideo, PairLayout::half, "rope_scale", {2, 1, 1}},
    {kCogVideoX, "", "", 10000, 64, quarter_for_time, kVideo},
    {"ConsisIDTransformer3DModel", "", "", 10000, 64, quarter_for_time, kVideo},
    {"EasyAnimateTransformer3DModel", "", "", 10000, 64, quarter_for_time, kVideo},
    {"SkyReelsV2Transformer3DModel", "", "", 10000, 128, thirds, kVideo},
    {"WanModel", "", "", 10000, 128, thirds, kVideo},  // of its authors' own code
    {"ChronoEditTransformer3DModel", "", "", 10000, 128, thirds, kVideo},
    {"SanaVideoTransformer3DModel", "", "", 10000, 112, thirds, kVideo},
    {"WanAnimateTransformer3DModel", "", "", 10000, 128, thirds, kVideo},
    {"WanTransformer3DModel", "", "", 10000, 128, thirds, kVideo},
    {"WanVACETransformer3DModel", "", "", 10000, 128, thirds, kVideo},
    {"AnyFlowTransformer3DModel", "", "", 10000, 128, thirds, kVideo},
    {"BriaTransformer2DModel", "axes_dims_rope", "rope_theta", 10000, 128, eighth_for_time,
     kImages},
    {"BriaFiboTransformer2DModel", "axes_dims_rope", "rope_theta", 10000, 128, eighth_for_time,
     kImages},
    {kCogView4, "", "", 10000, 40, halves, kPlane, PairLayout::half},
    {kKandinsky5, "axes_dims", "", 10000, 64, quarter_for_time, kVideo},
    {"Krea2Transformer2DModel", "axes_dims_rope", "rope_theta", 1000, 128, quarter_for_index,
     kImages},
    {"MotifVideoTransformer3DModel", "rope_axes_dim", "rope_theta", 256, 128, eighth_for_time,
     kVideo},
    {"NucleusMoEImageTransformer2DModel", "axes_dims_rope", "", 10000, 128, eighth_for_time,
     kVideo},
    {"PRXTransformer2DModel", "axes_dim", "theta", 10000, 64, halves, kPlane},
    {"QwenImage21Transformer2DModel", "axes_dims_rope", "", 10000, 128, eighth_for_time, kVideo},
});

// Classes in whose code nothing rotates: learned or sinusoidal positions, or none.
constexpr auto kClassesWithout = std::to_array<std::string_view>({
    "AuraFlowTransformer2DModel",
    "AutoencoderKL",
    "CogView3PlusTransformer2DModel",
    "DiTTransformer2DModel",
    "LatteTransformer3DModel",
    "PixArtTransformer2DModel",
    "PriorTransformer",
    "SD3Transformer2DModel",
    "SanaTransformer2DModel",
    "Transformer2DModel",
    "UNet2DConditionModel",
    "UNet2DModel",
});

/// A class whose rotation no embedding of one head can say.
struct Unsayable {
  std::string_view class_name;
  std::string_view expected;
  std::string_view found;
  const char* remedy;
};

constexpr const char* kGiveThem =
    "You can give the frequencies of one head as numbers, in radians per step: --frequencies "
    "1.57,0.5 …";
constexpr Unsayable across_heads(std::string_view class_name) {
  return {class_name, "heads that all rotate alike, by integer positions",
          "one series of frequencies across all heads, with fractions of a video as positions",
          kGiveThem};
}
// transformer_ltx.py, transformer_ltx2.py and transformer_mochi.py of the same; the second class is
// what the authors of LTX-2 call theirs.
constexpr auto kUnsayable = std::to_array<Unsayable>({
    across_heads("LTXVideoTransformer3DModel"),
    across_heads("LTXVideoTransformerModel"),
    across_heads("LTX2VideoTransformer3DModel"),
    {"MochiTransformer3DModel", "frequencies that follow from a configuration file",
     "frequencies for each head and axis among its weights, under the name pos_frequencies",
     "Read pos_frequencies from the checkpoint; you can give those of one head as numbers: "
     "--frequencies 1.57,0.5 …"},
});

const Unsayable* find_unsayable(std::string_view class_name) {
  const auto* const found = std::ranges::find(kUnsayable, class_name, &Unsayable::class_name);
  return found == kUnsayable.end() ? nullptr : found;
}

/// "Flux" of "FluxTransformer2DModel" and of "FluxModel", as trainers call the same class; "Wan" of
/// "WanModel2_2".
std::string_view stem(std::string_view class_name) {
  const std::size_t end = std::min(class_name.find("Transformer"), class_name.find("Model"));
  return class_name.substr(0, std::min(end, class_name.size()));
}

/// By its name, or by what trainers make of it.
const Transformer* find_transformer(std::string_view class_name) {
  const auto* found = std::ranges::find(kTransformers, class_name, &Transformer::class_name);
  const bool renamed = class_name.find("Model") != std::string_view::npos;
  if (found == kTransformers.end() && renamed && find_unsayable(class_name) == nullptr)
    found = std::ranges::find(kTransformers, stem(class_name),
                              [](const Transformer& one) { return stem(one.class_name); });
  return found == kTransformers.end() ? nullptr : found;
}

/// ", which the file has as axes_dim": what a user can give instead of a class that is not known.
std::string axes_in(const Fields& fields) {
  for (const char* key :
       {"axes_dims_rope", "axes_dim_rope", "rope_axes_dim", "axes_dims", "axes_dim"}) {
    const io::Json* const dims = fields.find(key);
    const bool even = dims != nullptr && dims->is_array() && dims->size() > 1 &&
                      std::ranges::all_of(*dims, [](const io::Json& size) {
                        return size.is_number_integer() && size > 0 && size.get<int>() % 2 == 0;
                      });
    if (!even) continue;
    std::string text;
    for (const io::Json& size : *dims) text += (text.empty() ? "" : ",") + size.dump();
    return "--axes " + text + " (from " + key + ") gives the dimensions of each axis.";
  }
  return {};
}

std::string remedy_of(const Fields& fields) {
  std::string axes = axes_in(fields);
  return axes.empty() ? "--axes D,D,… gives the dimensions of each axis." : axes;
}

/// Files that are passed on alone have lost the name of the class: a key that it alone has tells.
std::string class_of(const Fields& fields) {
  if (auto name = fields.text("_class_name")) return *name;
  if (fields.has(kCogSwitch)) return std::string(kCogVideoX);
  return fields.has("num_layerwise_text_blocks") ? "Krea2Transformer2DModel" : "";
}

const Transformer& transformer_of(const Fields& fields, const std::string& class_name) {
  if (const Transformer* const known = find_transformer(class_name)) return *known;
  if (const Unsayable* const other = find_unsayable(class_name))
    throw Error(ErrorKind::invalid_input,
                fields.path() + "_class_name: expected " + std::string(other->expected) +
                    ", found " + io::in_quotes(class_name, 60) + ", which has " +
                    std::string(other->found),
                other->remedy);
  throw Error(ErrorKind::invalid_input,
              fields.path() + "_class_name: expected a transformer whose axes are known, found " +
                  (class_name.empty() ? "nothing" : io::in_quotes(class_name, 60)),
              "If each axis has its own series of frequencies, state the axes yourself: " +
                  remedy_of(fields));
}

Dims dims_of(const Fields& fields, const Transformer& transformer, std::size_t head) {
  Dims dims;
  if (!transformer.dims_key.empty())
    if (const auto numbers = fields.numbers(transformer.dims_key))
      for (const double number : *numbers) {
        if (!(number >= 2) || number > static_cast<double>(kMaxRotaryDim) ||
            std::fmod(number, 2) != 0)
          fields.refuse(transformer.dims_key, "even numbers of dimensions, one per axis",
                        "For example [16, 56, 56].");
        dims.push_back(static_cast<std::size_t>(number));
      }
  if (!dims.empty()) return dims;
  if (transformer.dims != nullptr) return transformer.dims(head);
  // HiDream's class has two numbers where its positions have three axes, and fails with them.
  fields.refuse(transformer.dims_key,
                "the dimensions of each axis, because the defaults of the class cover too few axes",
                "For example [64, 32, 32].");
}

/// The same axes with the factors of the file or the class.
std::vector<ExtendedAxis> axes_of(const Fields& fields, const Transformer& transformer,
                                  const Dims& dims) {
  std::vector<double> factors(dims.size(), 1);
  if (const std::string_view key = transformer.factors_key; !key.empty()) {
    factors.assign(transformer.factors.begin(), transformer.factors.end());
    if (const auto given = fields.numbers(key)) factors = *given;
    if (factors.size() != dims.size() ||
        std::ranges::any_of(factors, [](double factor) { return !(factor > 0); }))
      fields.refuse(key, "a number above 0 for each axis: time, height, width",
                    "For example [1.0, 3.0, 3.0].");
  }
  std::vector<ExtendedAxis> axes;
  for (std::size_t axis = 0; axis < dims.size(); ++axis)
    axes.push_back({dims[axis], factors[axis]});
  return axes;
}

/// What the factors make of the base; empty where they make nothing of it.
std::string note_of_factors(const Transformer& transformer, double base,
                            const std::vector<ExtendedAxis>& axes) {
  std::string text;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const auto [d, factor, unit] = axes[axis];
    if (factor == 1) continue;
    const auto size = static_cast<double>(d);
    text += (text.empty() ? "" : ", ") +
            shown(std::round(base * std::pow(factor, size / (size - 2)))) + " for " +
            std::string(transformer.axes[axis]);
  }
  if (text.empty()) return {};
  return std::string(transformer.factors_key) + ", NTK-aware scaling per axis: a base of about " +
         text + ", instead of " + shown(base);
}

/// Rows and columns are laid on so many places, whatever the size of the picture.
std::string note_of_cogview4(const Fields& fields) {
  double rows = 256, columns = 256;
  if (const auto places = fields.numbers("rope_axes_dim"); places && places->size() == 2) {
    rows = places->front();
    columns = places->back();
  }
  return "the position of row r of n is the integer part of " + shown(rows) +
         "r/n; that of column c of n is the integer part of " + shown(columns) + "c/n";
}

/// The usual keys say it all: LongRoPE of OmniGen, one position of ACE-Step.
bool is_of_one_axis(std::string_view class_name) {
  return class_name == "OmniGenTransformer2DModel" || class_name == "AceStepTransformer1DModel";
}

/// Source    transformer_omnigen.py and ace_step_transformer.py of the same.
ModelRope of_one_axis(const io::Json& config, const std::string& name,
                      const std::string& class_name) {
  const bool omnigen = class_name == "OmniGenTransformer2DModel";
  io::Json usual = config;
  usual.erase("_class_name");
  usual["model_type"] = omnigen ? "phi3" : "llama";
  const auto set = [&](const char* key, const io::Json& value) {
    if (!usual.contains(key)) usual[key] = value;
  };
  if (omnigen) {
    usual["rope_theta"] = config.value("rope_base", io::Json(10000));
    usual.erase("rope_base");
    set("max_position_embeddings", 131072);
    set("original_max_position_embeddings", 4096);
    set("hidden_size", 3072);
    set("num_attention_heads", 32);
  } else {
    set("rope_theta", 1000000.0);
    set("head_dim", 128);
  }
  ModelRope model = read_hugging_face(usual, name);
  model.model_type = class_name;
  model.schema = "diffusers";
  return model;
}

/// Some classes name the width of all heads instead of that of one.
std::size_t head_of(const Fields& fields, const Transformer& transformer) {
  if (const auto head = fields.positive_integer("attention_head_dim"))
    return static_cast<std::size_t>(*head);
  const auto width = fields.first_integer({"dim", "hidden_size"});
  const auto heads = fields.first_integer({"n_heads", "num_heads", "num_attention_heads"});
  if (!width || !heads) return static_cast<std::size_t>(transformer.head_dim);
  return static_cast<std::size_t>(std::max<std::int64_t>(1, *width / *heads));
}

/// Why this one rotates nothing; empty where it does.
std::string reason_without(const Fields& fields, std::string_view class_name) {
  const std::string quoted = io::in_quotes(std::string(class_name), 60);
  if (std::ranges::find(kClassesWithout, class_name) != kClassesWithout.end())
    return "the code of " + quoted + " rotates nothing";
  const bool switched = class_name == kCogVideoX || class_name == "ConsisIDTransformer3DModel";
  if (switched && !fields.flag(kCogSwitch).value_or(false))
    return fields.path() + kCogSwitch + " is not true: " + quoted + " adds sinusoidal positions";
  return {};
}

/// A half of each head, along the one axis of sound.
LayerRope stable_audio(const Fields& fields, const std::string& path) {
  LayerFacts facts;
  facts.root_path = path;
  facts.head_dim =
      static_cast<std::size_t>(fields.positive_integer("attention_head_dim").value_or(64));
  facts.partial = 0.5;
  std::vector<std::string> warnings;
  const io::Json silent = io::Json::object();
  return read_rule(Fields(silent, path, warnings), facts, {});
}

}  // namespace

bool is_diffusers_config(const io::Json& config) {
  if (!config.is_object()) return false;
  const auto name = config.find("_class_name");
  const bool typed = config.contains("model_type") || config.contains("architectures");
  std::vector<std::string> warnings;
  if (name == config.end())
    return !typed &&
           (config.contains(kCogSwitch) || !axes_in(Fields(config, "", warnings)).empty());
  if (!typed) return true;
  const auto* const known = name->get_ptr<const std::string*>();
  if (known == nullptr) return false;
  return find_transformer(*known) != nullptr || find_unsayable(*known) != nullptr ||
         !axes_in(Fields(config, "", warnings)).empty();
}

ModelRope read_diffusers(const io::Json& config, const std::string& name) {
  ModelRope model;
  model.name = name;
  model.schema = "diffusers";
  const Fields fields(config, name + ": ", model.warnings);
  model.model_type = class_of(fields);
  if (const std::string why = reason_without(fields, model.model_type); !why.empty())
    return without_rotation(std::move(model), why);
  if (is_of_one_axis(model.model_type)) return of_one_axis(config, name, model.model_type);
  if (model.model_type == "StableAudioDiTModel") {
    model.layers.push_back(stable_audio(fields, name + ": "));
    return model;
  }
  const Transformer& transformer = transformer_of(fields, model.model_type);
  std::size_t head = head_of(fields, transformer);
  const Dims dims = dims_of(fields, transformer, head);
  if (transformer.class_name == kKandinsky5)  // its heads are as large as its axes
    head = std::accumulate(dims.begin(), dims.end(), std::size_t{0});
  if (const std::size_t sum = std::accumulate(dims.begin(), dims.end(), std::size_t{0});
      sum != head)
    throw Error(ErrorKind::invalid_input,
                name + ": attention_head_dim: expected " + std::to_string(sum) +
                    " (the sum of the axis sizes), found " + std::to_string(head),
                "Make the dimensions of the axes add up to the head size.");
  double base = transformer.base;
  if (transformer.class_name != model.model_type)
    model.notes.push_back("read as " + std::string(transformer.class_name) +
                          ", because of the name " + io::in_quotes(model.model_type, 60));
  if (!transformer.base_key.empty()) base = fields.number(transformer.base_key).value_or(base);
  const std::vector<ExtendedAxis> axes = axes_of(fields, transformer, dims);
  RotaryEmbedding embedding = axial_embedding(head, base, axes, transformer.layout);
  if (std::string note = note_of_factors(transformer, base, axes); !note.empty())
    model.notes.push_back(std::move(note));
  if (transformer.class_name == kCosmos)
    model.notes.emplace_back(
        "time is counted at 24 frames per second, so frame f of a video with n frames per second "
        "is at position 24f/n");
  if (transformer.class_name == kCogView4) model.notes.push_back(note_of_cogview4(fields));
  if (transformer.class_name == kKandinsky5)
    model.notes.emplace_back(
        "the image blocks are shown; the text blocks turn by a single position, with one series of "
        "frequencies over the whole head");
  for (std::size_t axis = 0; axis < dims.size(); ++axis)
    embedding.axes.names[axis] = transformer.axes[axis];
  model.layers.push_back(layer_of(embedding));
  return model;
}

}  // namespace rope
