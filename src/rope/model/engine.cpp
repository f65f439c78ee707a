#include "rope/model/engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rope/error.hpp"

namespace rope {
namespace {

using Warnings = std::vector<std::string>;

double number(const LayerRope& layer, std::string_view name, double otherwise) {
  const auto found = layer.spec.numbers.find(name);
  return found == layer.spec.numbers.end() ? otherwise : found->second;
}

/// The factor of YaRN, given or from the lengths.
double yarn_factor(const LayerRope& layer, const EngineFacts& facts) {
  const double implied =
      facts.context && layer.original_context
          ? static_cast<double>(*facts.context) / static_cast<double>(*layer.original_context)
          : 1;
  return number(layer, "factor", implied);
}

/// A = attn_factor·(0.1 ln s + 1) and whole dimensions, whatever else the file says.
void plain_yarn(std::string_view engine, const EngineFacts& facts, LayerRope& layer,
                Warnings& warnings) {
  const std::string who(engine);
  auto& numbers = layer.spec.numbers;
  if (number(layer, "truncate", 1) == 0)
    warnings.push_back("truncate: " + who + " rounds the ends of the ramp all the same: the " +
                       "frequencies between them differ from transformers'");
  numbers["truncate"] = 1;
  if (numbers.contains("attention_factor"))
    warnings.push_back("attention_factor: " + who + " does not read it, but attn_factor, which " +
                       "multiplies 0.1 ln(factor) + 1 instead of replacing it");
  if (number(layer, "mscale", 0) != 0)
    warnings.push_back("mscale: " + who + " does not read it for cos and sin");
  numbers.erase("mscale");
  numbers.erase("mscale_all_dim");
  const double factor = yarn_factor(layer, facts);
  numbers["attention_factor"] =
      facts.attn_factor.value_or(1) * (factor <= 1 ? 1 : 0.1 * std::log(factor) + 1);
}

void read_as_ggml(const EngineFacts& facts, LayerRope& layer, std::optional<std::int64_t>& seq_len,
                  Warnings& warnings) {
  ScalingSpec& spec = layer.spec;
  if (spec.rule == "yarn" && !facts.latent) plain_yarn("ggml", facts, layer, warnings);
  if (spec.rule == "dynamic") {
    spec = {};
    warnings.emplace_back(
        "rope_type dynamic: ggml has no such rule, so nothing is scaled: use yarn");
  }
  if (spec.rule == "llama3") {
    constexpr std::int64_t kAssumed = 8192;
    const std::int64_t original = facts.root_original.value_or(kAssumed);
    if (original != layer.original_context)
      warnings.push_back("original_max_position_embeddings: llama.cpp's converter takes " +
                         std::to_string(original) + ", the value at the root of config.json, or " +
                         "8192 where there is none: write it there too");
    layer.original_context = original;
    spec.numbers["original"] = static_cast<double>(original);
  }
  if (spec.rule == "longrope") {
    if (!seq_len) seq_len = facts.context;
    warnings.emplace_back(
        "rope_type longrope: ggml chooses the list once, by the size of the context it is started "
        "with, not by the length of the input");
  }
}

void read_as_vllm(const EngineFacts& facts, LayerRope& layer, std::optional<std::int64_t>& seq_len,
                  Warnings& warnings) {
  ScalingSpec& spec = layer.spec;
  if (spec.rule == "yarn" && !facts.latent) plain_yarn("vLLM (2025)", facts, layer, warnings);
  if (spec.rule == "dynamic" && facts.context) {
    seq_len = static_cast<std::int64_t>(
        std::clamp(static_cast<double>(*facts.context) * number(layer, "factor", 1), 1.0, 0x1p53));
    warnings.push_back("rope_type dynamic: vLLM makes the frequencies once, for " +
                       std::to_string(*seq_len) + " tokens, and uses them at every length");
  }
  if (spec.rule == "longrope" && spec.numbers.erase("attention_factor") > 0)
    warnings.emplace_back("attention_factor: vLLM does not read it for longrope");
}

void read_as_paper(LayerRope& layer, Warnings& warnings) {
  if (layer.spec.rule != "yarn") {
    warnings.push_back("rope_type " + layer.rope_type +
                       ": the paper says nothing of it; it is read as transformers does");
    return;
  }
  const ScalingSpec given = std::move(layer.spec);
  layer.spec = {};
  layer.spec.rule = "yarn-paper";
  for (const char* name : {"factor", "original", "beta_fast", "beta_slow"}) {
    const auto found = given.numbers.find(name);
    const bool beta = std::string_view(name).starts_with("beta");
    if (found != given.numbers.end() && !(beta && found->second == 0))
      layer.spec.numbers[name] = found->second;
  }
  warnings.emplace_back(
      "rope_type yarn: the paper's ramp runs over the turns of a pair, every implementation's over "
      "its index: no engine computes these numbers");
}

}  // namespace

std::optional<Engine> engine_of(std::string_view name) {
  const auto* const found = std::ranges::find(kEngineNames, name);
  if (found == kEngineNames.end()) return std::nullopt;
  return static_cast<Engine>(found - kEngineNames.begin());
}

std::vector<std::string> read_as(Engine engine, const EngineFacts& facts, LayerRope& layer,
                                 std::optional<std::int64_t>& seq_len) {
  std::vector<std::string> warnings;
  switch (engine) {
    case Engine::hf:
      break;
    case Engine::ggml:
      read_as_ggml(facts, layer, seq_len, warnings);
      break;
    case Engine::vllm:
      read_as_vllm(facts, layer, seq_len, warnings);
      break;
    case Engine::yarn_paper:
      read_as_paper(layer, warnings);
      break;
  }
  return warnings;
}

}  // namespace rope
