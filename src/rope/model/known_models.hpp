#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rope/rotary/layout.hpp"

namespace rope {

/// The values that the code of a Hugging Face model type fixes, and the defaults of its class for
/// values that a config.json lacks. A size of 0 means unknown.
struct KnownModel {
  std::string_view model_type;
  PairLayout layout;                      ///< of the checkpoints that transformers reads
  std::optional<PairLayout> gguf_layout;  ///< that of the same model as a GGUF file, if it is known
  double partial;                         ///< the rotated fraction of a head
  double theta;                           ///< the base
  std::size_t head_dim;  ///< if it is independent of the two sizes below; 0: their quotient
  std::int64_t hidden_size;
  std::int64_t num_attention_heads;
  std::int64_t max_position_embeddings;
};

/// All known models, by name.
std::span<const KnownModel> known_models();

/// The entry for the model type, or for its text model; or nullptr.
const KnownModel* find_known_model(std::string_view model_type);

/// The type of the text model that the class of a larger model creates: "llama" for "llava". Empty
/// for all others.
std::string_view text_type(std::string_view model_type);

/// The text model that the class of a larger model creates if the config.json has no text_config
/// or, with `beside_its_own`, a text_config that lacks keys. nullptr if the text model has the
/// defaults of its own class. `own_type` is the model type used for the text model; it may be the
/// type of the larger model.
const KnownModel* find_made_text_model(std::string_view whole, std::string_view own_type,
                                       bool beside_its_own);

/// The layout of a model type that comes with its own code, if nothing else is known about the
/// type; otherwise nothing.
std::optional<PairLayout> own_layout(std::string_view model_type);

/// Whether models of this type have no rotary embedding, unless their config.json names one.
bool has_no_rotation(std::string_view model_type);

/// Whether the code of this type rotates nothing, though its config.json may contain rotary keys.
bool never_rotates(std::string_view model_type);

/// The actual type of a file whose model type transformers uses for another model: "grok-2" for
/// Grok-2's "git". Empty for all others.
std::string_view type_of_shared_name(std::string_view model_type, std::string_view architecture);

/// Whether the code of this type has a fixed base and reads neither base nor rule from config.json.
bool holds_its_base(std::string_view model_type);

/// Whether the class of this type turns whole heads without scaling, whatever rotated fraction a
/// config.json contains. False if the class is unknown.
bool turns_whole_heads(std::string_view model_type);

/// Whether models of this type rotate over the rows and columns of an image, with several positions
/// per token.
bool rotates_over_an_image(std::string_view model_type);

/// The model type of the class with that name: "gpt_neox" for "GPTNeoXForCausalLM". Empty for
/// unknown names.
std::string_view type_of_architecture(std::string_view architecture);

}  // namespace rope
