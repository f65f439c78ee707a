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

void read_as_gpt_oss(const EngineFacts& facts, LayerRope& layer, Warnings& warnings) {
  auto& numbers = layer.spec.numbers;
  if (number(layer, "truncate", 1) != 0)
    warnings.emplace_back(
        "truncate: gpt-oss never rounds the ends of the ramp: the frequencies between them differ "
        "from transformers'");
  numbers["truncate"] = 0;
  for (const char* key : {"attention_factor", "mscale", "mscale_all_dim"})
    if (numbers.erase(key) > 0)
      warnings.push_back(std::string(key) + ": gpt-oss does not read it: A is 0.1 ln(factor) + 1");
  const double factor = yarn_factor(layer, facts);
  numbers["attention_factor"] = factor <= 1 ? 1 : 0.1 * std::log(factor) + 1;
}

/// Values found by a grid search stand in the code: for Llama 3.1, whatever the file says.
void read_as_llama_models(LayerRope& layer, Warnings& warnings) {
  struct Constant {
    const char* name;
    const char* key;
    double value;
  };
  for (const Constant& constant :
       {Constant{"factor", "factor", 8}, Constant{"low", "low_freq_factor", 1},
        Constant{"high", "high_freq_factor", 4},
        Constant{"original", "original_max_position_embeddings", 8192}}) {
    double& value = layer.spec.numbers[constant.name];
    if (value != constant.value)
      warnings.push_back(std::string(constant.key) + ": llama-models does not read it: " +
                         number_text(constant.value) + " stands in its code");
    value = constant.value;
  }
  layer.original_context = 8192;
}

void read_as_longrope(LayerRope& layer, Warnings& warnings) {
  if (layer.spec.numbers.erase("attention_factor") > 0)
    warnings.emplace_back(
        "attention_factor: Microsoft's code does not read it: A is sqrt(1 + ln s / ln L)");
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

std::string_view name(Engine engine) { return kEngineNames.at(static_cast<std::size_t>(engine)); }

std::optional<Engine> engine_of(std::string_view name) {
  const auto* const found = std::ranges::find(kEngineNames, name);
  if (found == kEngineNames.end()) return std::nullopt;
  return static_cast<Engine>(found - kEngineNames.begin());
}

bool knows(Engine engine, std::string_view rule) {
  if (rule == "default") return true;
  switch (engine) {
    case Engine::hf:
      return true;
    case Engine::ggml:
    case Engine::vllm:
      return rule != "proportional";
    case Engine::gpt_oss:
    case Engine::yarn:
    case Engine::yarn_paper:
      return rule == "yarn";
    case Engine::llama_models:
      return rule == "llama3";
    case Engine::longrope:
      return rule == "longrope";
  }
  return false;
}

std::vector<std::string> read_as(Engine engine, const EngineFacts& facts, LayerRope& layer,
                                 std::optional<std::int64_t>& seq_len) {
  Warnings warnings;
  if (!knows(engine, layer.spec.rule))
    return {"rope_type " + layer.rope_type + ": " + std::string(name(engine)) +
            " knows nothing of it; it is read as transformers does"};
  if (layer.spec.rule == "default") return warnings;
  switch (engine) {
    case Engine::hf:
      break;
    case Engine::ggml:
      read_as_ggml(facts, layer, seq_len, warnings);
      break;
    case Engine::vllm:
      read_as_vllm(facts, layer, seq_len, warnings);
      break;
    case Engine::gpt_oss:
      read_as_gpt_oss(facts, layer, warnings);
      break;
    case Engine::llama_models:
      read_as_llama_models(layer, warnings);
      break;
    case Engine::longrope:
      read_as_longrope(layer, warnings);
      break;
    case Engine::yarn:
      plain_yarn("the authors' code", facts, layer, warnings);
      break;
    case Engine::yarn_paper:
      read_as_paper(layer, warnings);
      break;
  }
  return warnings;
}

void check_as(Engine engine, const LayerRope& layer) {
  if (engine != Engine::gpt_oss || layer.spec.rule != "yarn") return;
  const auto end = [&](std::string_view name) {
    const auto found =
        std::ranges::find(layer.scaled.facts, name, &std::pair<std::string, double>::first);
    return found == layer.scaled.facts.end() ? 0.0 : found->second;
  };
  const double low = end("dimension_fast");
  const double high = end("dimension_slow");
  const double last = static_cast<double>(layer.scaled.frequencies.pairs()) - 1;
  if (!(0 < low && low < high && high < last))
    throw DomainError("gpt-oss asserts that the ramp lies between pair 0 and pair " +
                          number_text(last) + ", and it runs from " + number_text(low) + " to " +
                          number_text(high),
                      "beta_fast, beta_slow and original_max_position_embeddings decide where.");
}

}  // namespace rope
