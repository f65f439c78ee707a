#pragma once

#include "rope/model/engine.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// Lengthens the context of a model to what its rule serves: YaRN's factor times the length before
/// extension, where that is more than the number of positions in the file, as in the way that model
/// cards of Qwen tell. vLLM goes by that product whatever the number of positions is, SGLang by
/// that number; both multiply it by the factor of linear and dynamic rules.
///
/// Source    vllm-project/vllm 18ec6629, config/model.py (_get_and_verify_max_len);
///           sgl-project/sglang, utils/hf_transformers/common.py (get_context_length).
void take_served_length(ModelRope& model, Engine engine);

}  // namespace rope
