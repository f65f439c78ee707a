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
                                   bool by_any_factor) {
  const std::optional<double> factor = optional_number(layer.spec, "factor");
  if (!factor) return std::nullopt;
  if (layer.spec.rule.starts_with("yarn") && layer.original_context)
    return tokens(*factor * static_cast<double>(*layer.original_context));
  const bool multiplies = layer.spec.rule == "linear" || layer.spec.rule == "dynamic";
  if (!by_any_factor || !multiplies || !positions) return std::nullopt;
  return tokens(*factor * static_cast<double>(*positions));
}

}  // namespace

void take_served_length(ModelRope& model, Engine engine) {
  const bool of_vllm = engine == Engine::vllm && !model.model_type.starts_with("gemma3");
  const std::optional<std::int64_t> positions = model.context;
  for (const LayerRope& layer : model.layers) {
    const auto length = layer.rotates() ? served(layer, positions, of_vllm) : std::nullopt;
    if (!length) continue;
    const std::int64_t least = of_vllm ? 0 : model.context.value_or(0);
    model.context = std::max<std::int64_t>(*length, least);
  }
}

}  // namespace rope
