#pragma once

#include <optional>
#include <string>

#include "rope/io/json.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// The rotary embedding of the vision part of a config.json: from its vision_config, or from the
/// whole file if the file is a vision model. Its positions are rows and columns of patches.
///
/// Known     pixtral; the towers of Qwen2-VL, Qwen2.5-VL, Qwen3-VL and Qwen3.5;
///           llama4_vision_model; gemma4_vision; dinov3_vit. Returns nothing for others, many of
///           which rotate nothing.
/// Throws    rope::Error (invalid input) for impossible sizes.
/// Source    transformers 4.57 and 5, the modeling file of each.
std::optional<LayerRope> read_vision(const io::Json& config, const std::string& name);

/// Whether a file of that model_type is a vision model as a whole.
bool is_vision_model(const std::string& model_type);

/// Reads the rotary embedding of a file that is a vision model as a whole.
ModelRope read_vision_model(const io::Json& config, const std::string& name);

/// A layer with this embedding, which has several axes.
LayerRope layer_of(const RotaryEmbedding& embedding);

}  // namespace rope
