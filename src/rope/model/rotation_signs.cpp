#include "rope/model/rotation_signs.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/known_models.hpp"
#include "rope/model/model_identity.hpp"
#include "rope/model/rope_keys.hpp"

namespace rope {
namespace {

/// Keys that only a model with a rotary embedding has.
constexpr std::array<std::string_view, 29> kSigns = {
    "rope_theta",
    "rope_parameters",
    "rope_ratio",
    "rope_local_base_freq",
    "global_rope_theta",
    "local_rope_theta",
    "layer_rope_theta",
    "compress_rope_theta",
    "qk_rope_head_dim",
    "partial_rotary_factor",
    "partial_rotary_factors",
    "rotary_pct",
    "rotary_dim",
    "rotary_emb_base",
    "rotary_emb_fraction",
    "rotary_emb_interleaved",
    "rope_interleave",
    "rope_interleaved",
    "no_rope_layers",
    "no_rope_layer_interval",
    "use_dynamic_ntk",
    "swa_rope_theta",
    "rope_embedding_base",
    "position_embedding_base",
    "rotary_embedding_base",
    "rotary_base",
    "rope_base",
    "rope_freq_constant",
    "rope_pct",
};

/// Keys whose true or false says whether attention rotates.
constexpr std::array<std::string_view, 7> kSwitches = {"use_rope",
                                                       "use_rotary",
                                                       "rotary",
                                                       "rope",
                                                       "use_mem_rope",
                                                       "use_rotary_embedding",
                                                       "use_rotary_embeddings"};

constexpr std::array<std::string_view, 2> kKinds = {"position_embedding_type",
                                                    "position_embeddings_type"};

/// true or false, if it is one of them: these are keys of others, whose values may be anything.
std::optional<bool> boolean(const Fields& fields, std::string_view key) {
  const io::Json* const value = fields.find(key);
  if (value == nullptr || !value->is_boolean()) return std::nullopt;
  return value->get<bool>();
}

/// "rope", "rotary", "rope_gpt_neox", but not "nope".
bool names_rotation(std::string_view kind) {
  return kind.find("rotary") != std::string_view::npos ||
         kind.find("rope") != std::string_view::npos;
}

/// Kinds that are written only where nothing rotates. Others, "absolute" most of all, are left in
/// files of models that rotate by the class theirs was made from.
bool settles(std::string_view kind) {
  constexpr std::array<std::string_view, 6> kKindsWithout = {"nope",  "none", "no",
                                                             "alibi", "t5",   "learned_absolute"};
  return std::ranges::find(kKindsWithout, kind) != kKindsWithout.end();
}

/// Types whose class rotates nothing unless this key of theirs says so.
bool rotates_by_switch_only(std::string_view model_type) {
  constexpr std::array<std::string_view, 4> kTypes = {"esm", "granitemoehybrid", "wav2vec2-bert",
                                                      "wav2vec2-conformer"};
  return std::ranges::find(kTypes, model_type) != kTypes.end();
}

std::string reason(const std::string& key, const std::string& found) {
  return key + " is " + found;
}

std::optional<std::string> reason_of_kind(const Fields& root, std::string_view model_type,
                                          bool known_type) {
  for (const std::string_view key : kKinds) {
    const io::Json* const value = root.find(key);
    const auto* const kind = value == nullptr ? nullptr : value->get_ptr<const std::string*>();
    if (kind == nullptr || names_rotation(*kind)) continue;
    const std::string path = root.path() + std::string(key);
    // GTE's own code reads the key.
    const bool settled = settles(*kind) || (model_type == "new" && *kind == "absolute");
    if (known_type && !settled) continue;
    if (settled || !shows_rotation(root)) return reason(path, io::in_quotes(*kind, 40));
    root.warn(path + ": " + io::in_quotes(*kind, 40) +
              " means that nothing rotates, but is ignored " +
              "because the file has keys of a rotary embedding: check the model's code");
  }
  return std::nullopt;
}

/// Keys that say the same in single models, and something else in others: believed by a reader of
/// their code alone.
void warn_of_other_kinds(const Fields& root) {
  constexpr std::array<std::string_view, 5> kTellingKeys = {
      "pos_embed", "pos_encoding", "position_encoding", "position_encoding_type",
      "positional_encoding"};
  constexpr std::array<std::string_view, 4> kOtherKinds = {"absolute", "learned", "sinusoidal",
                                                           "sin"};
  if (!shows_rotation(root)) return;
  for (const std::string_view key : kTellingKeys) {
    const io::Json* const value = root.find(key);
    const auto* const kind = value == nullptr ? nullptr : value->get_ptr<const std::string*>();
    if (kind == nullptr || !(settles(*kind) || std::ranges::count(kOtherKinds, *kind) > 0))
      continue;
    root.warn(
        root.path() + std::string(key) + ": " + io::in_quotes(*kind, 40) +
        " may mean that nothing rotates, but is ignored because the file has keys of a rotary " +
        "embedding: check the model's code");
  }
}

/// For types that rotate by a key alone.
std::optional<std::string> reason_without_switch(const Fields& root, std::string_view model_type) {
  if (model_type == "zamba2") {
    if (boolean(root, "use_mem_rope").value_or(false)) return std::nullopt;
    return reason(root.path() + "use_mem_rope", "not true");
  }
  if (model_type == "clvp_encoder") {
    if (boolean(root, "use_rotary_embedding").value_or(true)) return std::nullopt;
    return reason(root.path() + "use_rotary_embedding", "false");
  }
  if (model_type == "parler_tts_decoder") {
    if (boolean(root, "rope_embeddings").value_or(false)) return std::nullopt;
    return reason(root.path() + "rope_embeddings", "not true, so positions are added instead");
  }
  if (!rotates_by_switch_only(model_type)) return std::nullopt;
  const std::string key =
      model_type.starts_with("wav2vec2") ? "position_embeddings_type" : "position_embedding_type";
  const io::Json* const value = root.find(key);
  const auto* const kind = value == nullptr ? nullptr : value->get_ptr<const std::string*>();
  if (kind != nullptr && names_rotation(*kind)) return std::nullopt;
  return kind != nullptr ? reason(root.path() + key, io::in_quotes(*kind, 40))
                         : root.path() + key + " is missing, and the default of " +
                               std::string(model_type) + " is no rotation";
}

/// A rotary embedding in the object that some models keep their attention in.
bool attention_rotates(const Fields& root) {
  const std::optional<Fields> attention = root.inner("attn_config");
  if (!attention) return false;
  return boolean(*attention, "rope").value_or(attention->has("rope_theta"));
}

/// Whether the file names a rotation that its own code has, though the class of its type has none:
/// the rotary keys that a configuration is left with by chance are not enough.
bool brings_a_rotation(const Fields& root) {
  const auto names = [&](std::string_view key) {
    const io::Json* const value = root.find(key);
    const auto* const kind = value == nullptr ? nullptr : value->get_ptr<const std::string*>();
    return kind != nullptr && names_rotation(*kind);
  };
  const io::Json* const fraction = root.find("rotary_emb_fraction");  // flash-attn's GPT
  const bool of_flash = fraction != nullptr && fraction->is_number() && fraction->get<double>() > 0;
  return of_flash || attention_rotates(root) || std::ranges::any_of(kKinds, names) ||
         (root.find("auto_map") != nullptr && shows_rotation(root));
}

/// A base of null in the parameters.
bool denies_base(const Fields& root) {
  const io::Json* const parameters = root.find("rope_parameters");
  return parameters != nullptr && parameters->is_object() && parameters->contains("rope_theta") &&
         parameters->at("rope_theta").is_null();
}

/// Whether the file names another model where others hold the parameters of their text model.
void refuse_reference(const Fields& root) {
  const io::Json* const text = root.find("text_config");
  if (text == nullptr || !text->is_string()) return;
  throw Error(ErrorKind::invalid_input,
              root.path() + "text_config: expected the parameters of the text model, found the " +
                  "name of another model, " + shown(*text),
              "Give the config.json of that model.");
}

/// Those of the root, and of the objects that it holds.
std::string rotary_keys_text(const Fields& root) {
  std::string text;
  const auto add = [&](const std::string& path, const std::string& key, const io::Json& value) {
    if (value.is_null() || !sounds_rotary(key)) return;
    if (!text.empty()) text += ", ";
    text += io::in_quotes(path + key, 60);
  };
  for (const auto& [key, value] : root.object().items()) {
    add("", key, value);
    if (sounds_rotary(key) || !value.is_object()) continue;
    for (const auto& [inner, member] : value.items()) add(key + ".", inner, member);
  }
  return text;
}

/// For types whose class rotates nothing.
std::optional<std::string> reason_of_class(const Fields& root, std::string_view model_type) {
  const std::string reason =
      "the code of model_type " + io::in_quotes(std::string(model_type)) + " rotates nothing";
  if (never_rotates(model_type)) return reason;
  if (!has_no_rotation(model_type) || brings_a_rotation(root)) return std::nullopt;
  if (const std::string keys = rotary_keys_text(root); shows_rotation(root) && !keys.empty())
    root.warn(root.subject() + keys + ": ignored, because " + reason);
  return reason;
}

/// Throws where the code behind a file rotates by more than one position of a token, by keys that
/// are not read here.
void refuse_other_rotations(const Fields& root, std::string_view model_type) {
  const auto refuse = [&](std::string_view key, const std::string& problem, const char* remedy) {
    throw Error(ErrorKind::invalid_input, root.path() + std::string(key) + ": expected " + problem,
                remedy);
  };
  if (rotates_over_an_image(model_type))
    refuse("model_type",
           "a rotation by positions in a text, found " + io::in_quotes(std::string(model_type)) +
               ", which rotates by positions in an image",
           "Such models turn the pairs of each token by row and column, which rope does not "
           "support; for a model of text and images, give the whole config.json.");
  if (const auto attention = root.inner("attn"); attention && attention->find("layers") != nullptr)
    refuse("attn.layers", "a model without attention, found attention layers",
           "Attention layers in flash-linear-attention models rotate according to the keys of "
           "attn, which rope does not read.");
  if (boolean(root, "position_encoding_2d").value_or(false))  // ChatGLM-6B
    refuse("position_encoding_2d",
           "one position per token, found true, which means two: in the prompt and in the "
           "generated text",
           "Each position turns half of each head, which rope does not support here.");
}

/// Two architectures have this type. That of 7B rotates and reads max_position_embeddings, that of
/// 13B uses ALiBi and reads model_max_length; the class of the first 7B has a name of its own.
///
/// Source    intel/intel-extension-for-pytorch 6d3ba89cf9, tests/cpu/hf_configs/baichuan
///           (modeling_baichuan.py of 13B); vLLM goes by the name, then by a hidden_size of 4096.
std::optional<std::string> reason_of_baichuan(const Fields& root) {
  constexpr std::int64_t kWidthOf7B = 4096, kWidthOf13B = 5120;
  if (shows_rotation(root) || names_architecture(root.object(), "BaiChuanForCausalLM"))
    return std::nullopt;
  const std::optional<std::int64_t> width = root.positive_integer("hidden_size");
  const bool of_7b = root.find("max_position_embeddings") != nullptr;
  const bool of_13b = !of_7b && root.find("model_max_length") != nullptr;
  const std::string cannot_tell = root.subject() +
                                  "model_type 'baichuan' is shared by 7B, which rotates, and 13B, "
                                  "which uses ALiBi, and this file ";
  const std::string remedy = ": check the model's modeling_baichuan.py";
  if (of_13b) {
    if (width == kWidthOf7B)
      root.warn(cannot_tell +
                "has the keys of 13B and the width of 7B: ALiBi is assumed here, but " +
                "vLLM rotates" + remedy);
    return reason(root.path() + "model_max_length",
                  "present without max_position_embeddings, as in Baichuan 13B, which uses ALiBi");
  }
  if (width == kWidthOf13B) {
    if (of_7b)
      root.warn(cannot_tell + "has a key of 7B, max_position_embeddings, and the width of 13B: " +
                "ALiBi is assumed" + remedy);
    return reason(root.path() + "hidden_size", "5120, as in Baichuan 13B, which uses ALiBi");
  }
  if (!of_7b && width != kWidthOf7B)
    root.warn(cannot_tell + "does not show which: RoPE is assumed" + remedy);
  else if (width && width != kWidthOf7B)
    root.warn(cannot_tell + "has a key of 7B, max_position_embeddings, and another width: RoPE " +
              "is assumed; vLLM assumes ALiBi" + remedy);
  return std::nullopt;
}

/// A switch that is off, of a type that is not known.
std::optional<std::string> reason_of_switches(const Fields& root) {
  const auto key = [&](std::string_view name) { return root.path() + std::string(name); };
  for (const std::string_view name : kSwitches)
    if (const std::optional<bool> on = boolean(root, name); on && !*on) {
      if (!boolean(root, "yarn").value_or(false)) return reason(key(name), "false");
      throw Error(
          ErrorKind::invalid_input,
          key("yarn") + ": expected false, because " + std::string(name) + " is false, found true",
          "The model's own code rotates according to keys that rope does not know.");
    }
  return std::nullopt;
}

/// "model_type 'x' is not known"; a file of diffusers names its class beside it.
std::string unknown_model(const Fields& root, std::string_view model_type) {
  const io::Json* const name = root.find("_class_name");
  if (name != nullptr && name->is_string())
    return "_class_name " + io::in_quotes(name->get<std::string>(), 60) + " is not known";
  return model_type.empty()
             ? "model_type is missing"
             : "model_type " + io::in_quotes(std::string(model_type)) + " is not known";
}

}  // namespace

/// A rope_scaling of null is a rotary embedding without a rule.
bool shows_rotation(const Fields& root) {
  return root.has("rope_scaling") || std::ranges::any_of(kSigns, [&](std::string_view key) {
           return root.find(key) != nullptr;
         });
}

std::optional<std::string> reason_without_rotation(const Fields& root, std::string_view model_type,
                                                   bool known_type) {
  const auto key = [&](std::string_view name) { return root.path() + std::string(name); };
  if (root.has("alibi") && root.flag("alibi").value_or(false))
    return reason(key("alibi"), "true: ALiBi");
  if (boolean(root, "mla_use_nope").value_or(false))
    return reason(key("mla_use_nope"), "true: latent attention without positions (NoPE)");
  if (model_type == "baichuan")
    if (std::optional<std::string> why = reason_of_baichuan(root)) return why;
  refuse_other_rotations(root, model_type);
  if (const io::Json* const fraction = root.find("rotary_emb_fraction");
      fraction != nullptr && fraction->is_number() && fraction->get<double>() == 0) {
    if (!boolean(root, "use_rotary_pos_emb").value_or(false))
      return reason(key("rotary_emb_fraction"), "0");
    throw Error(
        ErrorKind::invalid_input,
        key("use_rotary_pos_emb") + ": expected a rotation by positions in a text, " +
            "found one by positions in an image, because rotary_emb_fraction is 0",
        "Such models turn the pairs of each token by row and column, which rope does not support.");
  }
  if (boolean(root, "block_position_encoding").value_or(false))
    return reason(key("block_position_encoding"),
                  "true, as in the GLM of 2021, which learns its positions");
  if (model_type == "olmo_hybrid" && denies_base(root))
    return reason(key("rope_parameters"), "without a base, and OLMo Hybrid was trained that way");
  if (std::optional<std::string> why = reason_of_class(root, model_type)) return why;
  if (known_type && !boolean(root, "rope").value_or(true))  // in OLMo's own files
    return reason(key("rope"), "false");
  if (known_type)
    if (std::optional<std::string> why = reason_without_switch(root, model_type)) return why;
  if (std::optional<std::string> why = reason_of_kind(root, model_type, known_type)) return why;
  if (known_type) return std::nullopt;
  if (boolean(root, "use_alibi").value_or(false)) return reason(key("use_alibi"), "true: ALiBi");
  warn_of_other_kinds(root);
  return reason_of_switches(root);
}

std::optional<PairLayout> layout_of_kind(const Fields& root) {
  const io::Json* const kind = root.find("position_embedding_type");
  if (kind == nullptr) return std::nullopt;
  if (*kind == "rope_gptj") return PairLayout::interleaved;
  return *kind == "rope_gpt_neox" ? std::optional(PairLayout::half) : std::nullopt;
}

bool contradicts_rotation(std::string_view kind, PairLayout layout) {
  constexpr std::array<std::string_view, 3> kOfBert = {"absolute", "relative_key",
                                                       "relative_key_query"};
  if (kind == "rope_gptj") return layout == PairLayout::half;
  if (kind == "rope_gpt_neox") return layout == PairLayout::interleaved;
  return !names_rotation(kind) && std::ranges::find(kOfBert, kind) == kOfBert.end();
}

ModelRope without_rotation(ModelRope model, const std::string& why) {
  LayerRope layer;
  layer.rope_type = "none";
  model.layers.push_back(std::move(layer));
  model.schema = "no rotary embedding";
  model.notes.push_back("the model has no rotary embedding: " + why);
  return model;
}

void refuse_patches(const Fields& root) {
  if (root.find("patch_size") == nullptr || root.find("vocab_size") != nullptr) return;
  const bool rotary = shows_rotation(root) || !rotary_keys_text(root).empty();
  throw Error(
      ErrorKind::invalid_input,
      root.path() + "patch_size: expected a text model, found one for the patches of " +
          "an image, without vocab_size",
      std::string(rotary ? "Such models turn the pairs of each patch by row and column, "
                           "which rope does not support"
                         : "No key shows whether this model rotates: some models add a position to "
                           "each patch, others turn its pairs by row and column") +
          "; for a model of text and images, give the whole config.json.");
}

void require_sign_of_rotation(const Fields& root, std::string_view model_type) {
  refuse_reference(root);
  if (shows_rotation(root) || attention_rotates(root)) return;
  for (const std::string_view key : kKinds)
    if (root.find(key) != nullptr) return;  // what it names rotates, or it was refused
  for (const std::string_view key : kSwitches)
    if (boolean(root, key).value_or(false)) return;
  std::string found = "no such key";
  if (const std::string others = rotary_keys_text(root); !others.empty())
    found += " that rope knows, only " + others;
  throw Error(ErrorKind::invalid_input,
              root.subject() +
                  "expected a key that shows a rotary embedding, such as rope_theta or " +
                  "rope_parameters, because " + unknown_model(root, model_type) + ", found " +
                  found + near_key(root, "rope_theta") + near_key(root, "rope_parameters") +
                  near_key(root, "rope_scaling"),
              "Nothing shows that this model rotates. If it does, add \"rope_theta\" with its "
              "base; if it is part of a larger model, give the whole config.json.");
}

}  // namespace rope
