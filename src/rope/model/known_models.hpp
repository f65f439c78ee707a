#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "rope/rotary/layout.hpp"

namespace rope {

/// What the code of a Hugging Face model type fixes and no config.json says.
struct KnownModel {
  std::string_view model_type;
  PairLayout layout;                      ///< of the checkpoints that transformers reads
  PairLayout gguf_layout;                 ///< of the same model as a GGUF file
  std::optional<double> partial_default;  ///< the rotated fraction, where it is not all
  std::optional<double> theta_default;    ///< where it is not 10000
};

/// The size of a head that a model type has unless its config.json gives another, whatever
/// hidden_size and num_attention_heads are; or nothing.
std::optional<std::size_t> default_head_dim(std::string_view model_type);

/// Whether models of this type have no rotary embedding, unless their config.json names one.
bool has_no_rotation(std::string_view model_type);

/// Whether the code of this type rotates nothing, though its config.json may hold rotary keys.
bool never_rotates(std::string_view model_type);

/// Whether models of this type rotate over the rows and columns of an image: two positions a token.
bool rotates_over_two_axes(std::string_view model_type);

/// The model type, or nullptr.
const KnownModel* find_known_model(std::string_view model_type);

/// The layout that llama.cpp uses for a GGUF architecture, which no GGUF file says; or nothing.
std::optional<PairLayout> gguf_layout(std::string_view architecture);

}  // namespace rope
