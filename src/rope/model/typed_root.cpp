#include "rope/model/typed_root.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "rope/model/rope_keys.hpp"
#include "rope/model/rotation_signs.hpp"

namespace rope {
namespace {

/// A key, and the types whose class reads it.
struct KeyOfTypes {
  std::string_view key;
  std::span<const std::string_view> types = {};
};

template <std::size_t n>
using Types = std::array<std::string_view, n>;

constexpr Types<1> kBamba = {"bamba"};
constexpr Types<1> kDbrx = {"dbrx"};
constexpr Types<1> kDeepSeekV4 = {"deepseek_v4"};
constexpr Types<1> kFalcon = {"falcon"};
constexpr Types<3> kGemma4 = {"diffusion_gemma_text", "gemma4_text", "gemma4_unified_text"};
constexpr Types<4> kGemma3 = {"gemma3_text", "gemma3n_text", "t5gemma2_decoder", "t5gemma2_text"};
constexpr Types<2> kGptJ = {"codegen", "gptj"};
constexpr Types<3> kIntervals = {"qwen3_5_moe_text", "qwen3_5_text", "qwen3_next"};
constexpr Types<5> kInterleave = {"axk1", "deepseek_v3", "glm4_moe_lite", "mistral4", "youtu"};
constexpr Types<1> kJetMoe = {"jetmoe"};
constexpr Types<12> kLatent = {"axk1",          "axk2",        "deepseek_v2",   "deepseek_v3",
                               "deepseek_v32",  "deepseek_v4", "glm4_moe_lite", "glm_moe_dsa",
                               "longcat_flash", "minicpm3",    "mistral4",      "youtu"};
constexpr Types<3> kLayerBases = {"granite_swa", "granitemoe_swa", "muse_glimmer_text"};
constexpr Types<1> kLfm2 = {"lfm2"};
constexpr Types<1> kMllama = {"mllama_text_model"};
constexpr Types<2> kModernBert = {"modernbert", "modernbert-decoder"};
constexpr Types<1> kMoonshine = {"moonshine"};
constexpr Types<2> kNeoX = {"gpt_neox", "gpt_neox_japanese"};
constexpr Types<2> kNoRope = {"llama4_text", "smollm3"};
constexpr Types<7> kPatterns = {"cohere2",     "cohere2_moe",      "exaone4",      "exaone_moe",
                                "gemma3_text", "t5gemma2_decoder", "t5gemma2_text"};
constexpr Types<3> kPositionKinds = {"esm", "granitemoehybrid", "jina_embeddings_v3"};
constexpr Types<1> kRecurrentGemma = {"recurrent_gemma"};
constexpr Types<4> kBlockTypes = {"bamba", "granitemoehybrid", "recurrent_gemma", "zamba2"};
constexpr Types<1> kStep = {"step3p5"};
constexpr Types<2> kWav2Vec = {"wav2vec2-bert", "wav2vec2-conformer"};
constexpr Types<1> kZamba2 = {"zamba2"};

// Of code of the same model_type that is no class of transformers: that of MiMo (swa_rope_theta …),
// of MiniMax (rotary_dim), whose own files hold the keys, and of Nomic, whose models of images turn
// no rotary_emb_fraction of a head. OpenAI's original file of gpt-oss is read as gpt_oss.
constexpr Types<1> kMimo = {"mimo_v2_flash"};
constexpr Types<1> kGptOss = {"gpt_oss"};
constexpr Types<1> kNomic = {"nomic_bert"};
constexpr Types<5> kRotaryDim = {"codegen", "gptj", "minimax", "minimax_m2", "minimax_m3_vl_text"};

// configuration_*.py and modeling_*.py of transformers 5.16.0.dev0 (decba1d2ea4e).
constexpr auto kKeysOfTypes = std::to_array<KeyOfTypes>({
    // layouts
    {"rope_interleave", kInterleave},
    {"rope_interleaved"},
    {"rotary_emb_interleaved"},
    // bases and rules
    {"attn_config", kDbrx},
    {"compress_rope_theta", kDeepSeekV4},
    {"global_rope_theta", kModernBert},
    {"layer_rope_theta", kLayerBases},
    {"local_rope_theta", kModernBert},
    {"position_embedding_base"},
    {"rope_base"},
    {"rope_embedding_base"},
    {"rope_freq_constant"},
    {"rope_local_base_freq", kGemma3},
    {"rope_local_theta"},
    {"rope_ratio"},
    {"rope_scaling_factor", kGptOss},
    {"rotary_base"},
    {"rotary_emb_base", kNeoX},
    {"rotary_embedding_base", kWav2Vec},
    {"swa_rope_theta", kMimo},
    {"use_dynamic_ntk"},
    {"yarn_only_types", kStep},
    // sizes
    {"attention_head_dim", kZamba2},
    {"attention_qk_rope_dim"},
    {"global_head_dim", kGemma4},
    {"kv_channels", kJetMoe},
    {"partial_rotary_factors", kStep},
    {"qk_rope_head_dim", kLatent},
    {"rope_pct"},
    {"rotary_dim", kRotaryDim},
    {"rotary_emb_fraction", kNomic},
    {"rotary_pct", kNeoX},
    {"swa_head_dim", kMimo},
    // contexts
    {"context_window_size"},
    {"max_context_length"},
    {"max_seq_len", kDbrx},
    {"max_seqlen"},
    {"max_sequence_length"},
    {"n_positions", kGptJ},
    {"seq_length"},
    // layers of several kinds
    {"_sliding_window_pattern", kPatterns},
    {"attention_layer_idx"},
    {"attention_layer_idxs"},
    {"attention_layer_indices"},
    {"attention_layers_idx"},
    {"attn_layer_ids"},
    {"attn_layer_idx"},
    {"attn_layer_idxs"},
    {"attn_layer_indices", kBamba},
    {"attn_layer_period"},
    {"attn_type_list"},
    {"attn_use_rope"},
    {"block_configs"},
    {"block_types", kRecurrentGemma},
    {"cross_attention_layers", kMllama},
    {"full_attention_interval", kIntervals},
    {"full_attn_idxs", kLfm2},
    {"hybrid_layer_ids", kZamba2},
    {"hybrid_layer_pattern", kMimo},
    {"layers_block_type", kBlockTypes},
    {"linear_attention_layers"},
    {"linear_attn_layers"},
    {"no_rope_layer_interval", kNoRope},
    {"no_rope_layers", kNoRope},
    {"sliding_window_pattern", kPatterns},
    // models without rotation
    {"alibi", kFalcon},
    {"block_position_encoding"},
    {"mla_use_nope"},
    {"position_embedding_type", kPositionKinds},
    {"position_embeddings_type", kWav2Vec},
    {"position_encoding_2d"},
    {"rope"},
});

// Names of the width and of the heads. Beside one of other code no size is the class's.
constexpr auto kSizesOfTypes = std::to_array<KeyOfTypes>({
    {"d_model", kDbrx},
    {"decoder_num_attention_heads", kMoonshine},
    {"dim"},
    {"hidden_dim"},
    {"n_embd", kGptJ},
    {"n_head", kGptJ},
    {"n_heads", kDbrx},
    {"num_heads"},
});

// The last of each is what the other classes read.
constexpr std::array<std::string_view, 4> kBases = {"rotary_emb_base", "global_rope_theta",
                                                    "rotary_embedding_base", "rope_theta"};
constexpr std::array<std::string_view, 3> kLocalBases = {"rope_local_base_freq", "local_rope_theta",
                                                         "rope_theta"};
constexpr std::array<std::string_view, 3> kLayouts = {"rope_interleave", "rope_interleaved",
                                                      "rotary_emb_interleaved"};
constexpr std::array<std::string_view, 3> kLists = {"attn_type_list", "no_rope_layers",
                                                    "partial_rotary_factors"};
// Of 1 they change nothing.
constexpr std::array<std::string_view, 7> kFractions = {
    "attn_layer_period",   "full_attention_interval", "rope_pct",  "rope_ratio",
    "rope_scaling_factor", "rotary_emb_fraction",     "rotary_pct"};

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// A switch that is as the class has it.
bool is_harmless_flag(std::string_view name, bool value, const LayerFacts& facts) {
  if (is_one_of(kLayouts, name)) return value == (facts.layout == PairLayout::interleaved);
  return value == (name == "rope" || name == "attn_use_rope");
}

bool is_harmless_object(const io::Json& object) {
  return std::ranges::none_of(object.items(),
                              [](const auto& member) { return sounds_rotary(member.key()); });
}

bool is_harmless_list(std::string_view name, const io::Json& list) {
  return list.empty() ||
         (is_one_of(kLists, name) &&
          std::ranges::all_of(list, [](const io::Json& member) { return member == 1; }));
}

bool is_harmless_kind(std::string_view name, const std::string& kind, const LayerFacts& facts) {
  return name.starts_with("position_embedding") && !contradicts_rotation(kind, facts.layout);
}

/// A size that is the whole head changes nothing, and no latent attention has a part of 0.
bool is_harmless(std::string_view name, const io::Json& value, const LayerFacts& facts) {
  if (value.is_boolean()) return is_harmless_flag(name, value.get<bool>(), facts);
  if (value.is_object()) return is_harmless_object(value);
  if (value.is_array()) return is_harmless_list(name, value);
  if (value.is_string()) return is_harmless_kind(name, value.get<std::string>(), facts);
  if (value == 1 && is_one_of(kFractions, name)) return true;
  if (value == 0 && name == "qk_rope_head_dim") return true;
  return value.is_null() || value == facts.head_dim || (facts.context && value == *facts.context);
}

}  // namespace

bool is_of_single_types(std::string_view key) {
  return std::ranges::find(kKeysOfTypes, key, &KeyOfTypes::key) != kKeysOfTypes.end();
}

bool class_reads(std::string_view key, std::string_view model_type) {
  const auto* const found = std::ranges::find(kKeysOfTypes, key, &KeyOfTypes::key);
  return found == kKeysOfTypes.end() || is_one_of(found->types, model_type);
}

std::string_view base_key_of_class(std::string_view model_type, bool local) {
  const std::span<const std::string_view> keys =
      local ? std::span<const std::string_view>(kLocalBases) : kBases;
  return *std::ranges::find_if(keys, [&](auto key) { return class_reads(key, model_type); });
}

TypedRoot::TypedRoot(const Fields& root, const std::string& model_type, const KnownModel* known)
    : root_(root),
      model_type_(model_type),
      known_(known),
      class_(known != nullptr && known->hidden_size > 0 ? known : nullptr) {}

bool TypedRoot::is_read_by_class() const {
  if (class_ == nullptr || root_.find("auto_map") != nullptr ||
      root_.path().ends_with("model_config."))
    return false;
  return class_->model_type == model_type_ || class_->model_type == text_type(model_type_);
}

io::Json TypedRoot::members_of_class() const {
  io::Json members = root_.object();
  if (!is_read_by_class()) return members;
  for (const auto& [name, value] : root_.object().items())
    if (!class_reads(name, class_->model_type)) members.erase(name);
  return members;
}

void TypedRoot::warn_of_foreign(const LayerFacts& facts) const {
  const io::Json members = members_of_class();
  for (const auto& [name, value] : root_.object().items())
    if (!members.contains(name) && !is_harmless(name, value, facts))
      warn(key(name) + " is ignored: the class of " + model_type_ + " does not read it");
  if (!is_read_by_class() || is("step3p5")) return;
  for (const char* const name : {"rope_theta", "partial_rotary_factor"})
    if (const io::Json* const value = root_.find(name); value != nullptr && value->is_array())
      warn(key(name) + ": this list is read as one number for each layer, as in other code, but " +
           "the class of " + model_type_ + " reads a single number: write one");
}

bool TypedRoot::is_size_of_other_code(std::string_view name) const {
  const auto* const found = std::ranges::find(kSizesOfTypes, name, &KeyOfTypes::key);
  return found != kSizesOfTypes.end() &&
         (known_ == nullptr || !is_one_of(found->types, known_->model_type));
}

std::string_view TypedRoot::own_base_key() const {
  if (is("chatglm")) return "rope_ratio";
  const std::string_view key =
      base_key_of_class(known_ != nullptr ? known_->model_type : std::string_view(model_type_));
  return is_of_single_types(key) ? key : std::string_view();
}

}  // namespace rope
