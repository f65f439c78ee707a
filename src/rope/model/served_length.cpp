#include "rope/model/served_length.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr double kMostTokens = 0x1p53;  // beyond it a double counts no tokens

std::optional<std::int64_t> tokens(double length) {
  if (!(length >= 1) || length > kMostTokens) return std::nullopt;
  return static_cast<std::int64_t>(std::floor(length));
}

/// What these layers serve of so many positions; nothing where their rule says nothing of it.
std::optional<std::int64_t> served(const LayerRope& layer, std::optional<std::int64_t> positions,
                                   Engine engine) {
  const std::optional<double> factor = optional_number(layer.spec, "factor");
  if (!factor) return std::nullopt;
  if (layer.spec.rule.starts_with("yarn") && layer.original_context && engine != Engine::sglang)
    return tokens(*factor * static_cast<double>(*layer.original_context));
  const bool by_any_factor = engine == Engine::vllm || engine == Engine::sglang;
  const bool multiplies = layer.spec.rule == "linear" || layer.spec.rule == "dynamic";
  if (!by_any_factor || !multiplies || !positions) return std::nullopt;
  return tokens(*factor * static_cast<double>(*positions));
}

}  // namespace

void take_served_length(ModelRope& model, Engine engine) {
  // The positions of Gemma 3 are those after its rule.
  if (model.model_type.starts_with("gemma3")) engine = Engine::hf;
  const std::optional<std::int64_t> positions = model.context;
  for (const LayerRope& layer : model.layers) {
    const auto length = layer.rotates() ? served(layer, positions, engine) : std::nullopt;
    if (!length) continue;
    const std::int64_t least = engine == Engine::vllm ? 0 : model.context.value_or(0);
    model.context = std::max<std::int64_t>(*length, least);
  }
}

}  // namespace rope
