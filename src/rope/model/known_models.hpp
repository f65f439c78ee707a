#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rope/rotary/layout.hpp"

namespace rope {

/// What the code of a Hugging Face model type fixes, and what its class fills in where a
/// config.json is silent. A size of 0 is none that is known.
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

/// The model type, or that of its text model; or nullptr.
const KnownModel* find_known_model(std::string_view model_type);

/// The type of the text model that the class of a larger model makes: "llama" of "llava". Empty for
/// all others.
std::string_view text_type(std::string_view model_type);

/// The text model that the class of a larger model makes where its config.json has no text_config
/// (`beside_its_own`: or one with keys missing), if that differs from the class of the text model;
/// or nullptr. `own_type` is the model type that the text model goes by, which may be the whole's.
const KnownModel* find_made_text_model(std::string_view whole, std::string_view own_type,
                                       bool beside_its_own);

/// The layout of a type that brings its own code, of which nothing else is known; or nothing.
std::optional<PairLayout> own_layout(std::string_view model_type);

/// Whether models of this type have no rotary embedding, unless their config.json names one.
bool has_no_rotation(std::string_view model_type);

/// Whether the code of this type rotates nothing, though its config.json may hold rotary keys.
bool never_rotates(std::string_view model_type);

/// The type that is meant where another model of transformers has the model type that a file holds:
/// "grok-2" of Grok-2's "git". Empty for all others.
std::string_view type_of_shared_name(std::string_view model_type, std::string_view architecture);

/// Whether the code of this type holds its base and reads neither base nor rule from config.json.
bool holds_its_base(std::string_view model_type);

/// Whether the class of this type turns whole heads without scaling, whatever rotated fraction a
/// config.json holds. False where the class is not known.
bool turns_whole_heads(std::string_view model_type);

/// Whether models of this type rotate over the rows and columns of an image: several positions a
/// token.
bool rotates_over_an_image(std::string_view model_type);

/// The model type whose classes are called so: "gpt_neox" of "GPTNeoXForCausalLM". Empty for names
/// of no known one.
std::string_view type_of_architecture(std::string_view architecture);

}  // namespace rope
