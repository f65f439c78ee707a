#include "rope/model/typed_root.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace rope {
namespace {

/// A key, and the types whose class reads it.
struct KeyOfTypes {
  std::string_view key;
  std::span<const std::string_view> types = {};
};

constexpr auto kModernBert = std::to_array<std::string_view>({"modernbert", "modernbert-decoder"});
constexpr auto kNeoX = std::to_array<std::string_view>({"gpt_neox", "gpt_neox_japanese"});
constexpr auto kJetMoe = std::to_array<std::string_view>({"jetmoe"});
constexpr auto kGemma3 = std::to_array<std::string_view>(
    {"gemma3_text", "gemma3n_text", "t5gemma2_decoder", "t5gemma2_text"});
constexpr auto kWav2Vec = std::to_array<std::string_view>({"wav2vec2-bert", "wav2vec2-conformer"});
constexpr auto kLatent = std::to_array<std::string_view>(
    {"axk1", "axk2", "deepseek_v2", "deepseek_v3", "deepseek_v32", "deepseek_v4", "glm4_moe_lite",
     "glm_moe_dsa", "longcat_flash", "minicpm3", "mistral4", "youtu"});

// configuration_*.py of transformers 5.16.0.dev0 (decba1d2ea4e).
constexpr std::array<KeyOfTypes, 14> kKeysOfTypes = {{{"global_rope_theta", kModernBert},
                                                      {"kv_channels", kJetMoe},
                                                      {"local_rope_theta", kModernBert},
                                                      {"qk_rope_head_dim", kLatent},
                                                      {"rope_base"},
                                                      {"rope_freq_constant"},
                                                      {"rope_local_base_freq", kGemma3},
                                                      {"rope_local_theta"},
                                                      {"rope_pct"},
                                                      {"rotary_base"},
                                                      {"rotary_emb_base", kNeoX},
                                                      {"rotary_emb_fraction"},
                                                      {"rotary_embedding_base", kWav2Vec},
                                                      {"rotary_pct", kNeoX}}};

}  // namespace

TypedRoot::TypedRoot(const Fields& root, const std::string& model_type, const KnownModel* known)
    : root_(root),
      model_type_(model_type),
      known_(known),
      class_(known != nullptr && known->hidden_size > 0 ? known : nullptr) {}

std::string_view TypedRoot::own_base_key() const {
  if (is("gpt_neox") || is("gpt_neox_japanese")) return "rotary_emb_base";
  if (is("modernbert") || is("modernbert-decoder")) return "global_rope_theta";
  if (is("chatglm")) return "rope_ratio";
  if (is("wav2vec2-bert") || is("wav2vec2-conformer")) return "rotary_embedding_base";
  return {};
}

bool TypedRoot::is_foreign(std::string_view name) const {
  if (class_ == nullptr || root_.find("auto_map") != nullptr) return false;
  const auto* const found = std::ranges::find(kKeysOfTypes, name, &KeyOfTypes::key);
  return found != kKeysOfTypes.end() &&
         std::ranges::none_of(found->types, [&](std::string_view type) { return is(type); });
}

}  // namespace rope
