#include "rope/model/rope_keys.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "rope/io/quote.hpp"
#include "rope/model/own_parameters.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 69> kRootKeys = {
    // the rotary embedding itself
    "rope_theta", "rope_scaling", "rope_parameters", "partial_rotary_factor",
    "partial_rotary_factors", "rotary_pct", "rotary_emb_base", "rotary_emb_fraction",
    "rotary_emb_interleaved", "rotary_dim", "rope_ratio", "rope_local_base_freq",
    "global_rope_theta", "local_rope_theta", "layer_rope_theta", "compress_rope_theta",
    "qk_rope_head_dim", "qk_nope_head_dim", "rope_interleave", "rope_interleaved", "no_rope_layers",
    "no_rope_layer_interval", "original_max_position_embeddings", "use_dynamic_ntk", "layer_types",
    "sliding_window_pattern", "_sliding_window_pattern", "swa_rope_theta", "yarn_only_types",
    "rope_embedding_base", "position_embedding_base", "rotary_embedding_base", "rotary_base",
    "rope_base", "rope_freq_constant", "rope_pct", "mla_use_nope", "use_mem_rope",
    "position_embedding_type", "position_embeddings_type", "llm_cfg", "decoder_config",
    "use_long_context", "vlm_config", "rope_local_theta", "attention_qk_rope_dim",
    // sizes and lengths
    "head_dim", "attention_head_dim", "global_head_dim", "kv_channels", "hidden_size", "n_embd",
    "d_model", "num_attention_heads", "n_head", "n_heads", "max_position_embeddings",
    "max_sequence_length", "n_positions", "projection_dim", "seq_length", "max_seq_len",
    "max_seqlen", "num_hidden_layers", "model_type", "text_config", "language_config", "llm_config",
    "attn_config"};

// Near to one of the above, and rightly so; or rotary by name, and of no effect on the rotation.
constexpr std::array<std::string_view, 25> kOtherKeys = {"attn_rotary_emb",
                                                         "encoder_config",
                                                         "hidden_sizes",
                                                         "index_head_dim",
                                                         "kv_head_dim",
                                                         "max_seq_length",
                                                         "n_layer",
                                                         "n_layers",
                                                         "num_kv_heads",
                                                         "qk_head_dim",
                                                         "v_head_dim",
                                                         "vision_config",
                                                         "num_heads",
                                                         "in_channels",
                                                         "num_channels",
                                                         "moe_interleave",
                                                         "nope_layer_interval",
                                                         "modal_type",
                                                         "max_context_length",
                                                         "original_rope",
                                                         "rotary",
                                                         "indexer_rope_interleave",
                                                         "rope_full_precision",
                                                         "rope_global_base_freq",
                                                         "rope_max_length"};

constexpr std::array<std::string_view, 8> kCommon = {"rope_type",     "type",
                                                     "rope_theta",    "partial_rotary_factor",
                                                     "mrope_section", "mrope_interleaved",
                                                     "interleaved",   "max_position_embeddings"};
bool contains(Words words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// The word of `words` that `key` is a slip of the finger from; two slips in a long word.
std::string_view near_word(std::string_view key, Words words) {
  constexpr std::size_t kLong = 10;
  std::size_t best = key.size() >= kLong ? 3 : 2;
  std::string_view found;
  for (const std::string_view word : words) {
    const std::size_t distance = edit_distance(key, word);
    if (distance < best) {
      best = distance;
      found = word;
    }
  }
  return found;
}

/// The key of transformers that others call so. What is a key of the root is one in its own right.
std::string_view foreign_key(std::string_view key) {
  if (contains(kRootKeys, key)) return {};
  for (const ScalingRule& rule : scaling_rules())
    for (const Parameter& parameter : rule.parameters)
      if (rule.in_config && contains(parameter.other_names, key)) return parameter.config_key;
  return {};
}

/// Whether true is the usual value of a key: "use_rope", "enable_rope", "attn_use_rope",
/// "rotary_embedding".
bool is_switch(std::string_view key) {
  constexpr std::array<std::string_view, 8> kVerbs = {"apply_",  "attention_", "attn_", "do_",
                                                      "enable_", "has_",       "use_",  "with_"};
  constexpr std::array<std::string_view, 10> kNames = {
      "rope",       "rope_emb",         "rope_embedding",    "rope_embeddings", "rotary",
      "rotary_emb", "rotary_embedding", "rotary_embeddings", "rotary_pos_emb",  "rope_enabled"};
  if (key.starts_with("use_rope") || key.starts_with("use_rotary")) return true;
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view verb : kVerbs)
      if (key.starts_with(verb)) {
        key.remove_prefix(verb.size());
        found = true;
      }
  }
  return contains(kNames, key);
}

/// A key that some engine reads, transformers does not, and that is not shown.
struct EngineKey {
  std::string_view key;
  std::string_view effect;
};

constexpr std::string_view kMixes =
    "vLLM, SGLang and InternS1 Pro's code mix cos and sin of several frequencies with weights from "
    "the checkpoint (FoPE)";

constexpr std::string_view kMagnitudes =
    "vLLM and SGLang use them as the attention factors of longrope";

// vLLM: rotary_embedding/fope.py, dual_chunk_rope.py, and of 2025 yarn_scaling_rope.py. SGLang:
// rotary_embedding/factory.py.
constexpr auto kEngineKeys = std::to_array<EngineKey>({
    {"alpha", "vLLM and SGLang use it to raise the base of rope_type dynamic"},
    {"apply_yarn_scaling", "when it is false, vLLM of 2025 omits the factor of cos and sin"},
    {"extrapolation_factor", "SGLang and vLLM of 2025 multiply the ramp of yarn by it"},
    {"fope_init_factor", kMixes},
    {"fope_sep_head", kMixes},
    {"long_mscale", kMagnitudes},
    {"max_trained_positions", "vLLM uses it as the trained length of rope_type dynamic"},
    {"num_inv_freq", kMixes},
    {"rope_dim", "vLLM uses it as the number of rotated dimensions"},
    {"short_mscale", kMagnitudes},
    {"use_fope", kMixes},
});
// Meta's ModelArgs of Llama 4; mlx-vlm: models/gemma3/config.py.
constexpr std::array<EngineKey, 3> kEngineKeysOfRoot = {
    {{"dual_chunk_attention_config",
      "vLLM and SGLang use it to attend in chunks and restart the positions in each chunk"},
     {"nope_layer_interval",
      "Meta's code for Llama 4 leaves one in every nope_layer_interval layers unrotated"},
     {"rope_global_base_freq", "mlx-vlm uses it as the base of global layers"}}};

bool is_of_engine(std::string_view key) {
  return std::ranges::find(kEngineKeys, key, &EngineKey::key) != kEngineKeys.end();
}

/// false turns most of them off; apply_yarn_scaling is on where it is missing, and 4 is what
/// transformers' class of Llama 4 has.
bool tells(std::string_view key, const io::Json& value) {
  if (key == "nope_layer_interval") return value != 4;
  return key == "apply_yarn_scaling" ? value == false : value != false;
}

/// Warns of such keys, those of one effect at once.
void warn_of_effects(const Fields& fields, std::span<const EngineKey> engine_keys) {
  std::vector<std::string_view> told;
  for (const EngineKey& first : engine_keys) {
    if (contains(told, first.effect)) continue;
    std::string keys;
    for (const EngineKey& one : engine_keys)
      if (const io::Json* const value = fields.find(one.key);
          one.effect == first.effect && value != nullptr && tells(one.key, *value))
        keys += (keys.empty() ? "" : ", ") + io::in_quotes(std::string(one.key));
    told.push_back(first.effect);
    if (!keys.empty())
      fields.warn(fields.path() + keys + ": " + std::string(first.effect) +
                  "; transformers ignores this, and the effect is not shown here");
  }
}

/// MiniCPM-SALA's switches, which a note tells of.
bool is_of_mixers(const Fields& root, std::string_view key) {
  return (key == "attn_use_rope" || key == "lightning_use_rope") &&
         root.find("mixer_types") != nullptr;
}

/// The keys of a YaRN that is read from the root.
bool is_of_yarn(const Fields& root, std::string_view key) {
  return (key == "rope_scaling_factor" || key.starts_with("rope_ntk_")) &&
         !yarn_of_root(root).is_null();
}

/// Values of keys that sound rotary, with which nothing but the usual rotation can be meant: none,
/// a switch that is on, a feature that is off, a scale of 1.
bool is_neutral(std::string_view key, const io::Json& value) {
  if (key == "apply_yarn_scaling") return !tells(key, value);
  if (value.is_boolean()) return value.get<bool>() == is_switch(key);
  // Molmo and MPT: half pairs, whoever computes them.
  if (key == "rope_impl") return value == "llama" || value == "hf" || value == "dail";
  const bool scales = key.ends_with("scale") || key.ends_with("factor");
  return value.is_null() || (scales && value.is_number() && value.get<double>() == 1);
}

}  // namespace

Words root_keys() { return kRootKeys; }

Words common_rule_keys() { return kCommon; }

const Parameter* find_config_key(const ScalingRule& rule, std::string_view key) {
  const auto found = std::ranges::find(rule.parameters, key, &Parameter::config_key);
  return found == rule.parameters.end() ? nullptr : &*found;
}

std::vector<std::string_view> all_rule_keys() {
  std::vector<std::string_view> all(kCommon.begin(), kCommon.end());
  for (const ScalingRule& rule : scaling_rules())
    for (const Parameter& parameter : rule.parameters)
      if (rule.in_config && !parameter.config_key.empty() && !contains(all, parameter.config_key))
        all.push_back(parameter.config_key);
  return all;
}

std::vector<std::string> rope_types() {
  std::vector<std::string> types;
  for (const ScalingRule& rule : scaling_rules())
    if (rule.in_config) types.emplace_back(rule.name);
  return types;
}

bool is_rope_type(std::string_view type) {
  const ScalingRule* const rule = find_scaling_rule(type);
  return rule != nullptr && rule->in_config;
}

bool sounds_rotary(std::string_view key) {
  if (key == "seq_len_interpolation_factor") return true;  // NeMo's
  constexpr std::array<std::string_view, 9> kParts = {"rope", "rotary",   "yarn",   "ntk", "mrope",
                                                      "nope", "longrope", "rotate", "fope"};
  while (!key.empty()) {
    const std::size_t end = std::min(key.find_first_of("_.-"), key.size());
    const std::string_view part = key.substr(0, end);
    if (contains(kParts, part) || part.starts_with("rope")) return true;
    key.remove_prefix(std::min(end + 1, key.size()));
  }
  return false;
}

void warn_of_root_keys(const Fields& root) {
  warn_of_effects(root, kEngineKeysOfRoot);
  const std::vector<std::string_view> inner = all_rule_keys();
  for (const auto& [key, value] : root.object().items()) {
    if (contains(kRootKeys, key) || contains(kOtherKeys, key) || is_of_mixers(root, key) ||
        is_of_yarn(root, key))
      continue;
    const std::string shown = io::in_quotes(key, 60);
    if (const std::string_view likely = near_word(key, kRootKeys); !likely.empty()) {
      root.warn(root.path() + shown + " is not a known key and is ignored: did you mean " +
                std::string(likely) + "?");
    } else if (contains(inner, key)) {
      if (value == "default" || value.is_null()) continue;
      root.warn(root.path() + shown + " is ignored here: it belongs in rope_parameters or " +
                "rope_scaling");
    } else if (sounds_rotary(key) && !is_neutral(key, value)) {
      root.warn(root.path() + shown +
                " is not a key that rope knows and is ignored; its effect in the " +
                "model's own code is not shown");
    }
  }
}

void warn_of_rule_keys(const Fields& parameters, const ScalingRule& rule) {
  warn_of_effects(parameters, kEngineKeys);
  const std::vector<std::string_view> all = all_rule_keys();
  // Without a type the reader tells of all that is ignored at once.
  const bool typed = parameters.has("rope_type") || parameters.has("type");
  for (const auto& [key, value] : parameters.object().items()) {
    if (contains(kCommon, key) || find_config_key(rule, key) != nullptr || is_of_engine(key))
      continue;
    const std::string shown = parameters.path() + io::in_quotes(key, 60);
    const std::string_view foreign = foreign_key(key);
    if (contains(all, key)) {
      if (value.is_null() || !typed) continue;
      parameters.warn(shown + " is not a key of rope_type " + std::string(rule.name) +
                      " and is ignored: leave it out, or correct rope_type");
    } else if (key == "llama_4_scaling_beta") {
      parameters.warn(shown + " scales the queries as their position grows, which is not shown " +
                      "here: the rotation is the same with or without it");
    } else if (!foreign.empty()) {
      parameters.warn(shown + " is ignored by transformers, which reads " + std::string(foreign) +
                      ": write that");
    } else if (const std::string_view likely = near_word(key, all); !likely.empty()) {
      parameters.warn(shown + " is not a known key and is ignored: did you mean " +
                      std::string(likely) + "?");
    } else {
      parameters.warn(shown + " is not a known key and is ignored: leave it out");
    }
  }
}

std::string near_key(const Fields& fields, std::string_view word) {
  const std::array<std::string_view, 1> words = {word};
  for (const auto& [key, value] : fields.object().items())
    if (key != word && !near_word(key, words).empty() && !contains(kRootKeys, key) &&
        !contains(kOtherKeys, key))
      return "; " + io::in_quotes(key, 60) + " looks like a misspelling of " + std::string(word);
  return {};
}

}  // namespace rope
