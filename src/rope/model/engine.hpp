#pragma once

// Which engine's reading of a model's file is meant: engines differ.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rope/print.hpp"

namespace rope {

/// The engine whose reading of a file is asked for. Where engines differ: docs/models.md#engines.
enum class Engine {
  hf,            ///< Hugging Face transformers, v5
  hf4,           ///< the same, v4
  ggml,          ///< llama.cpp and what is built on it
  vllm,          ///< vLLM, as of 2026
  sglang,        ///< SGLang, as of 2026
  gpt_oss,       ///< OpenAI's code of gpt-oss
  llama_models,  ///< Meta's code of Llama 3 and 4
  longrope,      ///< Microsoft's code of LongRoPE
  yarn,          ///< the code of YaRN's authors
  yarn_paper,    ///< YaRN as arXiv:2309.00071 states it, not as anybody runs it
};

inline constexpr std::array<std::string_view, 10> kEngineNames = {
    "hf",      "hf-4",         "ggml",     "vllm", "sglang",
    "gpt-oss", "llama-models", "longrope", "yarn", "yarn-paper"};

/// The name of an engine, as users give it.
std::string_view name(Engine engine);

/// The engine of that name, or nothing.
std::optional<Engine> engine_of(std::string_view name);

/// What a file reader gets in addition to the file.
struct ReadOptions {
  std::optional<std::int64_t> seq_len;  ///< the current length, for rules that depend on it
  Engine engine = Engine::hf;
  bool layout_stated = false;  ///< the file's layout does not count: no warning of an assumed one
  std::string_view layout_remedy = {};  ///< ends the warning of an assumed layout: how to set it
};

}  // namespace rope
