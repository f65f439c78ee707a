#pragma once

// The engine whose interpretation of a model's file is wanted, as engines differ.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rope/print.hpp"

namespace rope {

/// The engine whose interpretation of a file is wanted. docs/models.md#engines describes where
/// engines differ.
enum class Engine {
  hf,            ///< Hugging Face transformers, v5
  hf4,           ///< the same, v4
  ggml,          ///< llama.cpp and engines built on it
  vllm,          ///< vLLM, as of 2026
  sglang,        ///< SGLang, as of 2026
  gpt_oss,       ///< OpenAI's code for gpt-oss
  llama_models,  ///< Meta's code for Llama 3 and 4
  longrope,      ///< Microsoft's code for LongRoPE
  yarn,          ///< the code of YaRN's authors
  yarn_paper,    ///< YaRN as stated in arXiv:2309.00071, which nobody runs
};

inline constexpr std::array<std::string_view, 10> kEngineNames = {
    "hf",      "hf-4",         "ggml",     "vllm", "sglang",
    "gpt-oss", "llama-models", "longrope", "yarn", "yarn-paper"};

/// The name of an engine, as users give it.
std::string_view name(Engine engine);

/// The engine of that name, or nothing.
std::optional<Engine> engine_of(std::string_view name);

/// What a file reader receives in addition to the file.
struct ReadOptions {
  std::optional<std::int64_t> seq_len;  ///< the current length, for rules that depend on it
  Engine engine = Engine::hf;
  bool layout_stated =
      false;  ///< the file's layout is not used, so an assumed one causes no warning
  std::string_view layout_remedy =
      {};  ///< how to set the layout: the last part of the warning about an assumed one
};

}  // namespace rope
