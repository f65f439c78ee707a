#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/model/model_rope.hpp"

namespace rope {

/// Whose reading of a file is asked for. Where engines differ: docs/models.md#engines.
enum class Engine {
  hf,          ///< Hugging Face transformers, v5
  ggml,        ///< llama.cpp and what is built on it
  vllm,        ///< vLLM
  yarn_paper,  ///< YaRN as arXiv:2309.00071 states it, not as anybody runs it
};

inline constexpr std::array<std::string_view, 4> kEngineNames = {"hf", "ggml", "vllm",
                                                                 "yarn-paper"};

/// The engine of that name, or nothing.
std::optional<Engine> engine_of(std::string_view name);

/// What a reader of files is told beside the file.
struct ReadOptions {
  std::optional<std::int64_t> seq_len;  ///< the length at hand, for rules that depend on it
  Engine engine = Engine::hf;
};

/// Changes what `layer` asks for into what the engine makes of it, and warns of every difference.
///
/// `factors` are those of the file that only some engines know: its attn_factor.
void read_as(Engine engine, const ScalingContext& context, std::optional<double> attn_factor,
             LayerRope& layer, std::optional<std::int64_t>& seq_len);

}  // namespace rope
