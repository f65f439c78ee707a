#pragma once

#include <string>

#include "rope/io/json.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// Whether a file is the configuration of a model that diffusers runs.
bool is_diffusers_config(const io::Json& config);

/// The rotary embedding of a transformer for images or videos: two to four axes, each with a series
/// of its own, in interleaved layout.
///
/// Known     FLUX, FLUX.2, Qwen-Image, HunyuanVideo and 1.5, CogVideoX, Wan.
/// Throws    rope::Error (invalid input) for a class that is not known, or sizes that cannot be.
/// Source    diffusers 0.36, the transformer of each class.
ModelRope read_diffusers(const io::Json& config, const std::string& name);

}  // namespace rope
