#pragma once

#include <string>

#include "rope/io/json.hpp"
#include "rope/model/engine.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// Whether the document looks like a params.json: it has sizes named dim and n_heads, as in Meta's
/// code and code that follows it, and names no class of transformers or diffusers.
bool is_meta_params(const io::Json& document);

/// Reads a params.json. Meta's code (dim, n_heads, rope_theta, use_scaled_rope), with ExecuTorch's
/// additions, pairs neighbouring dimensions unless use_hf_rope is set; DeepSeek's inference code
/// (qk_rope_head_dim, rope_factor) has its own defaults.
///
/// Throws    rope::Error (invalid input) as read_model does, and for rotary keys that belong to
///           other code.
ModelRope read_meta_params(const io::Json& params, const std::string& name,
                           const ReadOptions& options = {});

}  // namespace rope
