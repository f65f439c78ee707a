#pragma once

#include <string>

#include "rope/io/json.hpp"
#include "rope/model/engine.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// Reads a Hugging Face config.json, old schema (rope_theta, rope_scaling) or new
/// (rope_parameters), the way transformers v5 resolves them (see docs/models.md).
///
/// Throws    rope::Error (invalid input) as read_model does.
ModelRope read_hugging_face(const io::Json& config, const std::string& name,
                            const ReadOptions& options = {});

}  // namespace rope
