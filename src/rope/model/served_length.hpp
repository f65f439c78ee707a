#pragma once

#include "rope/model/engine.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// Extends a model's context to the length that its rule serves: YaRN's factor times the length
/// before extension, if that exceeds the file's number of positions, as Qwen's model cards
/// describe. vLLM uses that product whatever the number of positions is; SGLang uses the number of
/// positions. Both multiply the number of positions by the factor of linear and dynamic rules.
///
/// Source    vllm-project/vllm 18ec6629, config/model.py (_get_and_verify_max_len);
///           sgl-project/sglang, utils/hf_transformers/common.py (get_context_length).
void take_served_length(ModelRope& model, Engine engine);

}  // namespace rope
