#pragma once

// Engines read the same model file differently; an Engine names the one to follow.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rope/print.hpp"

namespace rope {

/// The engine to imitate when a file is read. docs/models.md#engines describes where engines
/// differ.
enum class Engine {
  hf,            ///< Hugging Face transformers, v5
  hf4,           ///< Hugging Face transformers, v4
  ggml,          ///< llama.cpp and engines built on it
  vllm,          ///< vLLM, as of 2026
  sglang,        ///< SGLang, as of 2026
  gpt_oss,       ///< OpenAI's code for gpt-oss
  llama_models,  ///< Meta's code for Llama 3 and 4
  longrope,      ///< Microsoft's code for LongRoPE
  yarn,          ///< the code of YaRN's authors
  yarn_paper,    ///< YaRN as stated in arXiv:2309.00071; nobody runs it in this form
};

inline constexpr std::array<std::string_view, 10> kEngineNames = {
    "hf",      "hf-4",         "ggml",     "vllm", "sglang",
    "gpt-oss", "llama-models", "longrope", "yarn", "yarn-paper"};

/// The name of an engine, as users type it.
std::string_view name(Engine engine);

/// The engine with that name, or nothing.
std::optional<Engine> engine_of(std::string_view name);

/// Options for reading a model's file.
struct ReadOptions {
  std::optional<std::int64_t> seq_len;  ///< the current length, for rules that depend on it
  Engine engine = Engine::hf;
  bool layout_stated = false;  ///< the layout is given separately, so there is no warning if the
                               ///< file's layout had to be assumed
  /// The end of the warning about an assumed layout, which says how to set the layout.
  std::string_view layout_remedy = {};
};

}  // namespace rope
