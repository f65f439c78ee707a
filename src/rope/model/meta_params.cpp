#include "rope/model/meta_params.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/hugging_face.hpp"
#include "rope/model/rope_keys.hpp"
#include "rope/model/rule_reader.hpp"
#include "rope/model/rules/reading.hpp"
#include "rope/model/served_length.hpp"
#include "rope/model/window.hpp"

namespace rope {
namespace {

/// Keys of the files that Meta, Mistral and ExecuTorch publish for models of the Llama family and
/// that say nothing of the rotation.
constexpr std::array<std::string_view, 33> kLlamaKeys = {"dim",
                                                         "model_type",
                                                         "n_heads",
                                                         "n_kv_heads",
                                                         "n_layers",
                                                         "head_dim",
                                                         "hidden_dim",
                                                         "vocab_size",
                                                         "norm_eps",
                                                         "multiple_of",
                                                         "ffn_dim_multiplier",
                                                         "max_batch_size",
                                                         "max_seq_len",
                                                         "max_context_len",
                                                         "sliding_window",
                                                         "moe",
                                                         "model_parallel",
                                                         "quantization_args",
                                                         "lora_args",
                                                         "use_kv_cache",
                                                         "attention_qkv_bias",
                                                         "use_qk_norm",
                                                         "qk_norm_before_rope",
                                                         "tied_embeddings",
                                                         "vision_chunk_size",
                                                         "vision_max_num_chunks",
                                                         "vision_num_cross_attention_layers",
                                                         "vision_encoder",
                                                         "vision_args",
                                                         "moe_args",
                                                         "attention_chunk_size",
                                                         "attn_temperature_tuning",
                                                         "floor_scale"};

/// Those that do. The last four are ExecuTorch's: a half layout, a part of each head, and other
/// names for Meta's keys; its files may hold more, below.
constexpr std::array<std::string_view, 9> kLlamaRotaryKeys = {
    "rope_theta",           "use_scaled_rope", "rope_scaling_factor", "rope_high_freq_factor",
    "nope_layer_interval",  "rope_freq_base",  "rope_scale_factor",   "use_hf_rope",
    "partial_rotary_factor"};

/// More of ExecuTorch's: a base for windows, layers without rotation, LongRoPE.
constexpr std::array<std::string_view, 6> kExecuTorchRotaryKeys = {
    "local_rope_theta",          "no_rope_layer_interval",   "original_max_position_embeddings",
    "rope_scaling_short_factor", "rope_scaling_long_factor", "rope_scaling_attention_factor"};

/// Those of torchchat.
constexpr std::array<std::string_view, 3> kTorchchatRotaryKeys = {"rope_base", "rope_theta",
                                                                  "rope_scaling"};

/// Those of DeepSeek's own inference code, V2 to V3.2.
constexpr std::array<std::string_view, 7> kDeepSeekRotaryKeys = {
    "qk_rope_head_dim", "rope_theta", "rope_factor",     "beta_fast",
    "beta_slow",        "mscale",     "original_seq_len"};

template <typename Words>
bool holds(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_deepseek(const Fields& root) { return root.find("qk_rope_head_dim") != nullptr; }

/// Ministral 3, Mistral Large 3: YaRN in an object of its own.
bool is_mistral(const Fields& root) { return root.inner("yarn").has_value(); }

bool is_deepseek_v4(const io::Json& params) {
  return params.contains("rope_head_dim") && params.contains("compress_ratios");
}

/// ExecuTorch's files say which of its two rotations they mean.
bool is_executorch(const Fields& root) { return root.has("use_hf_rope"); }

bool is_torchchat(const Fields& root) {
  return root.find("n_local_heads") != nullptr || root.find("rope_base") != nullptr ||
         root.inner("rope_scaling").has_value();
}

/// Keys of other rotations, by words that rope_keys does not know them by.
bool of_a_rotation(std::string_view key) {
  constexpr std::array<std::string_view, 8> kTheirKeys = {
      "short_factor",     "long_factor",    "original_max_position_embeddings",
      "beta_fast",        "beta_slow",      "mscale",
      "original_seq_len", "compress_ratios"};
  return sounds_rotary(key) || holds(kTheirKeys, key);
}

/// Quoted keys of the root that satisfy `wanted`, with commas; as many as a reader wants to see.
template <typename Wanted>
std::string keys_text(const Fields& root, Wanted wanted) {
  constexpr std::size_t kMost = 8;
  std::string text;
  std::size_t count = 0;
  for (const auto& [key, value] : root.object().items())
    if (!value.is_null() && wanted(key) && ++count <= kMost)
      text += (text.empty() ? "" : ", ") + io::in_quotes(key, 60);
  if (count > kMost) text += " and " + std::to_string(count - kMost) + " more";
  return text;
}

template <typename Words>
void refuse_other_rotations(const Fields& root, const Words& known, const std::string& whose) {
  const std::string others = keys_text(root, [&](const std::string& key) {
    const bool more = is_executorch(root) && holds(kExecuTorchRotaryKeys, key);
    return of_a_rotation(key) && !holds(known, key) && !more && key != "qk_nope_head_dim" &&
           !holds(kLlamaKeys, key);
  });
  if (others.empty()) return;
  throw Error(ErrorKind::invalid_input,
              root.path() + "expected only the rotary keys of " + whose + ", found " + others,
              "rope does not know the effect of these keys in the model's own code. Give the "
              "model's config.json in Hugging Face format.");
}

/// A patch of an image has a row and a column, and no place in a text.
void refuse_images(const Fields& root) {
  for (const auto& [key, value] : root.object().items())
    if (key.ends_with("patch_size"))
      throw Error(ErrorKind::invalid_input,
                  root.path() + key + ": expected the params.json of a text model, found one " +
                      "for the patches of images",
                  "Such models turn pairs by row and column with their own code, which rope does "
                  "not know.");
}

/// A number, or the default of the code, which such files often leave out.
double or_default(const Fields& root, std::string_view key, double otherwise, std::string& taken) {
  if (const std::optional<double> number = root.number(key)) return *number;
  taken += (taken.empty() ? "" : ", ") + std::string(key) + " " + shown(otherwise);
  return otherwise;
}

class ParamsReader {
 public:
  ParamsReader(const io::Json& params, const std::string& name, const ReadOptions& options)
      : options_(options), root_(params, name + ": ", model_.warnings) {
    model_.name = name;
    model_.schema = "params.json";
  }

  ModelRope read() {
    const auto dim = root_.positive_integer("dim");
    const auto heads = root_.positive_integer("n_heads");
    const bool sized = root_.find("head_dim") != nullptr;
    if (!dim || !heads || (*dim % *heads != 0 && !sized))
      root_.refuse("dim", "a multiple of n_heads", "dim / n_heads is the size of a head.");
    facts_.root_path = root_.path();
    facts_.head_dim =
        static_cast<std::size_t>(root_.positive_integer("head_dim").value_or(*dim / *heads));
    facts_.layout = PairLayout::interleaved;
    model_.context = root_.positive_integer("max_seq_len");
    const io::Json scaling = is_mistral(root_)    ? read_mistral()
                             : is_deepseek(root_) ? read_deepseek()
                                                  : read_llama();
    facts_.context = model_.context;
    std::vector<std::string> warnings;
    const Fields fields(scaling, root_.path(), warnings);
    LayerRope layer = read_rule(fields, facts_, options_);
    layer.warnings = std::move(warnings);
    layer.softmax_factor = softmax_factor_;
    model_.layers.push_back(std::move(layer));
    if (is_executorch(root_)) add_windows();
    if (is_mistral(root_)) take_served_length(model_, options_.engine);
    return std::move(model_);
  }

 private:
  io::Json read_llama() {
    refuse_images(root_);
    if (is_torchchat(root_)) return read_torchchat();
    refuse_other_rotations(root_, kLlamaRotaryKeys, "Llama's params.json");
    const std::string others = keys_text(root_, [](const std::string& key) {
      return !holds(kLlamaKeys, key) && !holds(kLlamaRotaryKeys, key);
    });
    std::optional<double> base = root_.number("rope_theta");
    if (!base) base = root_.number("rope_freq_base");
    if (is_executorch(root_)) {
      model_.notes.emplace_back("read as ExecuTorch reads it, because of use_hf_rope");
    } else if (!others.empty()) {
      if (!base)
        throw Error(ErrorKind::invalid_input,
                    root_.path() + "expected the params.json of a Llama model, or rope_theta, " +
                        "found " + others + near_key(root_, "rope_theta"),
                    "Nothing shows that this model rotates as Llama does. Write its base as "
                    "rope_theta, or give the config.json of the model.");
      root_.warn(root_.path() + others +
                 ": not among the keys of Llama's params.json; the model is read as " +
                 "a Llama model, and the effect of these keys in its own code is not shown");
    } else {
      model_.model_type = root_.text("model_type").value_or("llama");
    }
    facts_.base = base ? *base : default_base();
    for (const char* key : {"nope_layer_interval", "no_rope_layer_interval"})
      if (const auto interval = root_.positive_integer(key))
        model_.notes.push_back("one layer in every " + std::to_string(*interval) +
                               " rotates nothing (NoPE), according to " + key);
    facts_.partial = root_.number("partial_rotary_factor");
    facts_.root_original = root_.positive_integer("original_max_position_embeddings");
    if (root_.flag("use_hf_rope").value_or(false)) return read_executorch();
    if (facts_.partial)
      root_.warn(root_.path() + "partial_rotary_factor is ignored by ExecuTorch without " +
                 "use_hf_rope but used here: add use_hf_rope, or leave this key out");
    return llama3_of_params(root_);
  }

  /// torchchat's names for Meta's keys, and Llama 3's rule in an object of its own.
  ///
  /// Source    pytorch/torchchat, torchchat/model.py (TransformerArgs, apply_scaling).
  io::Json read_torchchat() {
    refuse_other_rotations(root_, kTorchchatRotaryKeys, "torchchat");
    model_.notes.emplace_back("read as torchchat reads it, with other names for Meta's keys");
    model_.context = root_.first_integer({"max_seq_length", "block_size"});
    std::optional<double> base = root_.number("rope_base");
    if (!base) base = root_.number("rope_theta");
    if (!base) root_.warn(root_.path() + "rope_base is missing, so 10000 is used");
    facts_.base = base.value_or(10000);
    const auto rule = root_.inner("rope_scaling");
    if (!rule) return io::Json::object();
    io::Json scaling = rule->object();
    scaling["rope_type"] = "llama3";
    return scaling;
  }

  /// What the code takes, which such files rely on.
  double default_base() {
    const bool mixtral = root_.inner("moe").has_value();
    if (!is_executorch(root_))
      root_.warn(root_.path() + "rope_theta is missing, so " +
                 (mixtral ? "1000000, Mixtral's base, is used because moe is present"
                          : "10000, Llama 2's base, is used") +
                 ": set the base");
    return mixtral ? 1e6 : 1e4;
  }

  /// ExecuTorch's other rotation: halves, and nothing scaled but by LongRoPE.
  io::Json read_executorch() {
    facts_.layout = PairLayout::half;
    model_.notes.emplace_back(
        "with use_hf_rope, the code uses the half layout and supports only LongRoPE scaling");
    io::Json scaling = io::Json::object();
    constexpr std::array<std::array<const char*, 2>, 4> kKeys = {
        {{"rope_scaling_short_factor", "short_factor"},
         {"rope_scaling_long_factor", "long_factor"},
         {"rope_scaling_attention_factor", "attention_factor"},
         {"original_max_position_embeddings", "original_max_position_embeddings"}}};
    for (const auto& [theirs, usual] : kKeys)
      if (const io::Json* const value = root_.find(theirs)) scaling[usual] = *value;
    if (!scaling.contains("short_factor") && !scaling.contains("long_factor"))
      return io::Json::object();
    if (const auto context = root_.positive_integer("max_position_embeddings"))
      model_.context = context;
    scaling["rope_type"] = "longrope";
    return scaling;
  }

  /// Layers with a window have a base of their own, as in Gemma 3.
  void add_windows() {
    const auto base = root_.number("local_rope_theta");
    if (!base) return;
    LayerFacts facts = facts_;
    facts.base = *base;
    const io::Json silent = io::Json::object();
    std::vector<std::string> warnings;
    LayerRope layer = read_rule(Fields(silent, root_.path(), warnings), facts, options_);
    model_.layers.front().name = "full_attention";
    layer.name = "sliding_attention";
    layer.window = window_under(root_, "sliding_window");
    model_.layers.push_back(std::move(layer));
  }

  /// Mistral's yarn, whose alpha and beta are beta_slow and beta_fast; apply_scale says whether cos
  /// and sin are scaled. In latent attention the rotated part is a head of its own.
  ///
  /// Source    vllm-project/vllm, transformers_utils/configs/mistral.py
  ///           (_remap_mistral_yarn_args).
  io::Json read_mistral() {
    const Fields yarn = *root_.inner("yarn");
    model_.model_type = "mistral";
    if (const auto latent = root_.positive_integer("qk_rope_head_dim")) {
      facts_.head_dim = static_cast<std::size_t>(*latent);
      model_.latent_attention = true;
      model_.notes.push_back("latent attention: " + std::to_string(*latent) +
                             " dimensions of each head rotate");
    }
    std::string taken;
    facts_.base = or_default(root_, "rope_theta", 10000, taken);
    if (!taken.empty())
      root_.warn(root_.path() + "rope_theta is missing, so 10000 is used: " + "set the base");
    model_.context = root_.first_integer({"max_position_embeddings", "max_seq_len"});
    if (root_.inner("llama_4_scaling"))
      model_.notes.emplace_back(
          "the queries are scaled by llama_4_scaling as their position grows, which is not shown");
    io::Json scaling = {{"rope_type", "yarn"}};
    constexpr std::array<std::array<const char*, 2>, 4> kKeys = {
        {{"factor", "factor"},
         {"original_max_position_embeddings", "original_max_position_embeddings"},
         {"beta", "beta_fast"},
         {"alpha", "beta_slow"}}};
    for (const auto& [theirs, usual] : kKeys)
      if (const auto value = yarn.number(theirs)) scaling[usual] = *value;
    if (!yarn.flag("apply_scale").value_or(true)) scaling["attention_factor"] = 1.0;
    return scaling;
  }

  /// DeepSeek's inference/model.py: the rotated part of a head alone, yarn where the code's length
  /// exceeds the original one, cos and sin without a factor, and a softmax scale of its own.
  io::Json read_deepseek() {
    refuse_other_rotations(root_, kDeepSeekRotaryKeys, "DeepSeek's inference code");
    model_.model_type = "deepseek";
    facts_.model_type = "deepseek_v3";  // engines make the same of it
    facts_.head_dim = static_cast<std::size_t>(*root_.positive_integer("qk_rope_head_dim"));
    model_.latent_attention = true;
    model_.notes.emplace_back("latent attention: " + std::to_string(facts_.head_dim) +
                              " dimensions of each head rotate");
    std::string taken;
    facts_.base = or_default(root_, "rope_theta", 10000, taken);
    const double length = or_default(root_, "max_seq_len", 16384, taken);
    const double original = or_default(root_, "original_seq_len", 4096, taken);
    const double factor = or_default(root_, "rope_factor", 40, taken);
    const double fast = or_default(root_, "beta_fast", 32, taken);
    const double slow = or_default(root_, "beta_slow", 1, taken);
    const double mscale = or_default(root_, "mscale", 1, taken);
    if (!taken.empty())
      root_.warn(root_.path() + "keys are missing, so the defaults of DeepSeek's inference code " +
                 "are used: " + taken);
    // What the model was made for, however long the code is run.
    model_.context = static_cast<std::int64_t>(original * factor);
    if (!(length > original)) {
      model_.context = static_cast<std::int64_t>(length);
      model_.notes.emplace_back(
          "max_seq_len is not above original_seq_len, so the code scales nothing");
      return io::Json::object();
    }
    const double magnitude = 0.1 * mscale * std::log(factor) + 1;
    softmax_factor_ = magnitude * magnitude;
    return {{"rope_type", "yarn"},     {"factor", factor},
            {"beta_fast", fast},       {"beta_slow", slow},
            {"attention_factor", 1.0}, {"original_max_position_embeddings", original}};
  }

  const ReadOptions& options_;
  ModelRope model_;
  Fields root_;
  LayerFacts facts_;
  double softmax_factor_ = 1;
};

/// DeepSeek-V4's inference code: what its config.json says, under the names of V3's.
ModelRope read_deepseek_v4(const io::Json& params, const std::string& name,
                           const ReadOptions& options) {
  io::Json config = {{"model_type", "deepseek_v4"}};
  constexpr std::array<std::array<const char*, 2>, 4> kKeys = {
      {{"head_dim", "head_dim"},
       {"rope_head_dim", "qk_rope_head_dim"},
       {"rope_theta", "rope_theta"},
       {"compress_rope_theta", "compress_rope_theta"}}};
  for (const auto& [theirs, usual] : kKeys)
    if (params.contains(theirs)) config[usual] = params.at(theirs);
  std::vector<std::string> warnings;
  const Fields root(params, name + ": ", warnings);
  const auto original = root.positive_integer("original_seq_len");
  const auto factor = root.number("rope_factor");
  if (original && factor) {
    config["max_position_embeddings"] = static_cast<double>(*original) * *factor;
    config["rope_scaling"] = {{"type", "yarn"},
                              {"factor", *factor},
                              {"beta_fast", root.number("beta_fast").value_or(32)},
                              {"beta_slow", root.number("beta_slow").value_or(1)},
                              {"original_max_position_embeddings", *original}};
  }
  ModelRope model = read_hugging_face(config, name, options);
  model.schema = "params.json";
  model.notes.emplace_back("read as DeepSeek-V4's code reads it, because of compress_ratios");
  return model;
}

}  // namespace

bool is_meta_params(const io::Json& document) {
  if (!document.is_object()) return false;
  const auto holds = [&](const char* key) { return document.contains(key); };
  constexpr std::array<const char*, 4> kOfOthers = {"hidden_size", "architectures", "_class_name",
                                                    "sinusoidal_pos_embds"};
  if (!holds("dim") || !holds("n_heads") || std::ranges::any_of(kOfOthers, holds)) return false;
  // A type stands beside Meta's names in some files, and beside DistilBERT's sizes.
  return !holds("model_type") || (holds("norm_eps") && holds("rope_theta"));
}

ModelRope read_meta_params(const io::Json& params, const std::string& name,
                           const ReadOptions& options) {
  if (is_deepseek_v4(params)) return read_deepseek_v4(params, name, options);
  return ParamsReader(params, name, options).read();
}

}  // namespace rope
