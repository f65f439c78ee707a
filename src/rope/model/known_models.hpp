#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rope/rotary/layout.hpp"

namespace rope {

/// What the code of a Hugging Face model type fixes, and what its class fills in where a
/// config.json is silent. A size of 0 is unknown.
struct KnownModel {
  std::string_view model_type;
  PairLayout layout;                      ///< of the checkpoints that transformers reads
  std::optional<PairLayout> gguf_layout;  ///< of the same model as a GGUF file, if it is known
  double partial;                         ///< the rotated fraction of a head
  double theta;                           ///< the base
  std::size_t head_dim;                   ///< whatever the sizes below are; 0: their quotient
  std::int64_t hidden_size;
  std::int64_t num_attention_heads;
  std::int64_t max_position_embeddings;
};

/// All of them, by name.
std::span<const KnownModel> known_models();

/// The entry of the model type, or of its text model; or nullptr.
const KnownModel* find_known_model(std::string_view model_type);

/// The type of the text model that the class of a larger model makes: "llama" for "llava". Empty
/// for all others.
std::string_view text_type(std::string_view model_type);

/// The text model that the class of a larger model makes if its config.json has no text_config
/// (`beside_its_own`: or one with missing keys). It is nullptr if that does not differ from the
/// class of the text model. `own_type` is the model type that the text model goes by, possibly that
/// of the whole.
const KnownModel* find_made_text_model(std::string_view whole, std::string_view own_type,
                                       bool beside_its_own);

/// The layout of a type that brings its own code, about which nothing else is known; or nothing.
std::optional<PairLayout> own_layout(std::string_view model_type);

/// Whether models of this type have no rotary embedding, unless their config.json names one.
bool has_no_rotation(std::string_view model_type);

/// Whether the code of this type rotates nothing, though its config.json may hold rotary keys.
bool never_rotates(std::string_view model_type);

/// The type that is meant if another model in transformers has the model type that a file holds:
/// "grok-2" for Grok-2's "git". Empty for all others.
std::string_view type_of_shared_name(std::string_view model_type, std::string_view architecture);

/// Whether the code of this type has a fixed base and reads neither base nor rule from config.json.
bool holds_its_base(std::string_view model_type);

/// Whether the class of this type turns whole heads without scaling, whatever rotated fraction a
/// config.json holds. False if the class is unknown.
bool turns_whole_heads(std::string_view model_type);

/// Whether models of this type rotate over the rows and columns of an image: several positions per
/// token.
bool rotates_over_an_image(std::string_view model_type);

/// The model type whose classes have that name: "gpt_neox" for "GPTNeoXForCausalLM". Empty for
/// unknown names.
std::string_view type_of_architecture(std::string_view architecture);

}  // namespace rope
