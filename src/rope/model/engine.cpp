#include "rope/model/engine.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "rope/parameters/suggest.hpp"

namespace rope {

std::string_view name(Engine engine) { return kEngineNames.at(static_cast<std::size_t>(engine)); }

std::optional<Engine> engine_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Engine>, 5> kOtherNames = {
      {{"transformers", Engine::hf},
       {"huggingface", Engine::hf},
       {"llama.cpp", Engine::ggml},
       {"llama-cpp", Engine::ggml},
       {"llamacpp", Engine::ggml}}};
  const std::string word = plain_word(name);
  for (const auto& [other, engine] : kOtherNames)
    if (word == other) return engine;
  const auto* const found = std::ranges::find(kEngineNames, word);
  if (found == kEngineNames.end()) return std::nullopt;
  return static_cast<Engine>(found - kEngineNames.begin());
}

}  // namespace rope
