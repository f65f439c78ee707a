#pragma once

#include <string>

#include "rope/io/json.hpp"
#include "rope/model/engine.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// Whether the document looks like Meta's params.json: sizes named dim and n_heads.
bool is_meta_params(const io::Json& document);

/// Reads Meta's params.json: dim, n_heads, rope_theta, use_scaled_rope. Its code pairs neighbours.
///
/// Throws    rope::Error (invalid input) as read_model.
ModelRope read_meta_params(const io::Json& params, const std::string& name,
                           const ReadOptions& options = {});

}  // namespace rope
