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
  hf,            ///< Hugging Face transformers, v5
  ggml,          ///< llama.cpp and what is built on it
  vllm,          ///< vLLM, of 2025
  gpt_oss,       ///< OpenAI's code of gpt-oss
  llama_models,  ///< Meta's code of Llama 3
  longrope,      ///< Microsoft's code of LongRoPE
  yarn,          ///< the code of YaRN's authors
  yarn_paper,    ///< YaRN as arXiv:2309.00071 states it, not as anybody runs it
};

inline constexpr std::array<std::string_view, 8> kEngineNames = {
    "hf", "ggml", "vllm", "gpt-oss", "llama-models", "longrope", "yarn", "yarn-paper"};

/// The name of an engine, as users give it.
std::string_view name(Engine engine);

/// Whether the engine has a rule, by the name this library gives it. What has none is read as
/// transformers does, with a warning.
bool knows(Engine engine, std::string_view rule);

/// The engine of that name, or nothing.
std::optional<Engine> engine_of(std::string_view name);

/// What a reader of files is told beside the file.
struct ReadOptions {
  std::optional<std::int64_t> seq_len;  ///< the length at hand, for rules that depend on it
  Engine engine = Engine::hf;
};

/// What of the file only some engines read.
struct EngineFacts {
  std::optional<double> attn_factor;          ///< of the rule's parameters
  std::optional<std::int64_t> root_original;  ///< original_max_position_embeddings of the root
  std::optional<std::int64_t> context;
  bool latent = false;  ///< multi-head latent attention
};

/// Changes what `layer` asks for, and the length at hand, into what the engine makes of it. Returns
/// a warning for every difference, none for Engine::hf.
std::vector<std::string> read_as(Engine engine, const EngineFacts& facts, LayerRope& layer,
                                 std::optional<std::int64_t>& seq_len);

/// Refuses what the engine's own code asserts not to happen, once the layer is scaled.
///
/// Throws    DomainError.
void check_as(Engine engine, const LayerRope& layer);

}  // namespace rope
