#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "rope/model/rules/reading.hpp"
#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

const EngineReading* engine_reading(Engine engine, std::string_view rule) {
  const std::span<const EngineReading> engines = find_reading(rule).engines;
  const auto found = std::ranges::find(engines, engine, &EngineReading::engine);
  return found == engines.end() ? nullptr : &*found;
}

/// Source    vllm-project/vllm 0cd57848 (__init__.py) and sgl-project/sglang 108c36c0 (factory.py),
///           rotary_embedding: get_rope asks for dual chunks first.
bool asks_for_no_rule(Engine engine, EngineInput& input) {
  if (engine != Engine::vllm && engine != Engine::sglang) return false;
  if (!input.facts.dual_chunks || input.layer.spec.rule == "default") return false;
  input.layer.spec = {};
  input.warn("rope_type " + input.layer.rope_type + ": " + std::string(name(engine)) +
             " scales nothing with dual_chunk_attention_config");
  return true;
}

}  // namespace

std::span<const RuleReading> rule_readings() {
  static const std::array readings = {linear_reading,   dynamic_reading, yarn_reading,
                                      longrope_reading, llama3_reading,  proportional_reading};
  return readings;
}

const RuleReading& find_reading(std::string_view rule) {
  static const RuleReading as_declared = {};
  const std::span<const RuleReading> readings = rule_readings();
  const auto found = std::ranges::find(readings, rule, &RuleReading::rule);
  return found == readings.end() ? as_declared : *found;
}

double EngineInput::number(std::string_view name, double otherwise) const {
  return optional_number(layer.spec, name).value_or(otherwise);
}

bool knows(Engine engine, std::string_view rule) {
  return engine == Engine::hf || engine == Engine::hf4 || rule == "default" ||
         engine_reading(engine, rule) != nullptr;
}

void read_as(Engine engine, EngineInput& input) {
  const LayerRope& layer = input.layer;
  if (asks_for_no_rule(engine, input)) return;
  if (!knows(engine, layer.spec.rule))
    input.warn("rope_type " + layer.rope_type + ": " + std::string(name(engine)) +
               " does not support it; it is read as in transformers");
  const EngineReading* const reading = engine_reading(engine, layer.spec.rule);
  if (reading != nullptr && reading->read != nullptr) reading->read(input);
}

void check_as(Engine engine, const LayerRope& layer) {
  const EngineReading* const reading = engine_reading(engine, layer.spec.rule);
  if (reading != nullptr && reading->check != nullptr) reading->check(layer);
}

void take_declared(GgufInput& input, std::string_view rule) {
  input.config["rope_type"] = rule;
  for (const Parameter& parameter : find_scaling_rule(rule)->parameters) {
    if (parameter.gguf_key.empty()) continue;
    io::Json& value = input.config[std::string(parameter.config_key)];
    const std::optional<double> given = parameter.name == "factor"
                                            ? input.factor
                                            : input.fields.number(input.key(parameter.gguf_key));
    if (given) value = *given;
  }
}

}  // namespace rope
