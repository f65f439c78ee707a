#pragma once

#include <string>

#include "rope/io/json.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// Whether a file is the configuration of a model that diffusers runs.
bool is_diffusers_config(const io::Json& config);

/// The rotary embedding of a transformer for images or videos: two to four axes (one in Stable
/// Audio), each with its own series of frequencies. The layout is interleaved, except in Cosmos and
/// Stable Audio, which use half.
///
/// Known     FLUX, FLUX.2, Qwen-Image, Chroma, Z-Image, Lumina 2, HiDream, LongCat, Ovis,
///           HunyuanImage, HunyuanVideo, HunyuanVideo 1.5, HunyuanVideo FramePack, CogVideoX,
///           ConsisID, EasyAnimate, Wan, SkyReels-V2, Cosmos; and classes that have no rotary
///           embedding.
/// Throws    rope::Error (invalid input) for an unknown class, a class whose rotation no embedding
///           of one head can express (LTX, Mochi), or impossible sizes.
/// Source    diffusers 0.40.0.dev0 (58eb52c080), the transformer of each class.
ModelRope read_diffusers(const io::Json& config, const std::string& name);

}  // namespace rope
