#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rope::test {

/// What stays as it is in a picture of any language: functions, the names of numbers in files,
/// encodings, rules, formats, policies and models.
inline constexpr auto kNames = std::to_array<std::string_view>({"ALiBi",
                                                                "NoPE",
                                                                "PX",
                                                                "ReRoPE",
                                                                "RoPE",
                                                                "Shaw",
                                                                "Transformer-XL",
                                                                "T5",
                                                                "Leaky",
                                                                "p-RoPE",
                                                                "xPos",
                                                                "arctan",
                                                                "arg",
                                                                "atan2",
                                                                "cos",
                                                                "det",
                                                                "log",
                                                                "log_2",
                                                                "sin",
                                                                "iz",
                                                                "long",
                                                                "longrope",
                                                                "short",
                                                                "zw",
                                                                "attention_factor",
                                                                "beta_fast",
                                                                "beta_slow",
                                                                "mscale",
                                                                "mscale_all_dim",
                                                                "truncate",
                                                                "bfloat16",
                                                                "bfloat16-frequencies",
                                                                "bfloat16-positions",
                                                                "bfloat16-table",
                                                                "buckets",
                                                                "default",
                                                                "dynamic",
                                                                "factor",
                                                                "float16",
                                                                "float16-positions",
                                                                "float32",
                                                                "float64",
                                                                "full_attention",
                                                                "gemma-3-12b",
                                                                "ggml",
                                                                "gpt-oss",
                                                                "head",
                                                                "head_dim",
                                                                "high",
                                                                "linear",
                                                                "llama-2",
                                                                "llama-3",
                                                                "llama-3.1-8b",
                                                                "llama3",
                                                                "low",
                                                                "max_positions",
                                                                "ntk",
                                                                "ntk-mixed",
                                                                "original",
                                                                "phi-3-mini-4k",
                                                                "rotary_dim",
                                                                "qwen2.5-7b",
                                                                "qwen2.5-7b-yarn",
                                                                "sliding_attention",
                                                                "tf32",
                                                                "truncation",
                                                                "value",
                                                                "yarn"});

/// The words of at least two Latin letters that are no names: English ones, in a Chinese text.
inline std::vector<std::string> english_words(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  const auto goes_on = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    if (!letter(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && goes_on(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    const bool symbol = word.size() == 1 || word[1] == '_';              // k, W_K
    const bool numbered = std::ranges::none_of(word.substr(1), letter);  // x2
    if (!symbol && !numbered && std::ranges::find(kNames, word) == kNames.end())
      words.emplace_back(word);
    i = end;
  }
  return words;
}

}  // namespace rope::test
