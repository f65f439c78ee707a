#include <algorithm>
#include <array>

#include "rope/model/rules/reading.hpp"

namespace rope {
namespace {

void read_dynamic(const RuleInput& input) {
  input.take_all();
  const Engine engine = input.options.engine;
  if (!input.options.seq_len && (engine == Engine::hf || engine == Engine::hf4))
    input.warn(input.fields.path() +
               "rope_type dynamic depends on the length of the input: these are the frequencies up "
               "to " +
               input.context_text() + " tokens; --seq-len N shows those for N tokens");
  input.require_context();
}

constexpr std::array<std::string_view, 1> kToldOfDynamic = {"without a sequence length"};

void dynamic_of_ggml(EngineInput& input) {
  input.layer.spec = {};
  input.warn("rope_type dynamic: ggml does not support it and scales nothing: use yarn");
}

void made_once(const std::string& who, std::int64_t length, EngineInput& input) {
  input.seq_len = length;
  input.warn("rope_type dynamic: " + who + " computes the frequencies once, for " +
             std::to_string(length) + " tokens, and uses them at every length");
}

/// For all positions of the model, over those it was trained on, which few files name.
///
/// Source    vllm-project/vllm 0cd57848, rotary_embedding: __init__.py and
///           dynamic_ntk_scaling_rope.py. Code up to April 2026 did as SGLang.
void dynamic_of_vllm(EngineInput& input) {
  if (!input.facts.context) return;
  made_once("vLLM", *input.facts.context, input);
  if (const std::optional<double> trained = input.fields.number("max_trained_positions"))
    input.layer.spec.numbers["original"] = *trained;
  else
    input.warn("rope_type dynamic: without max_trained_positions, vLLM scales nothing: use yarn");
}

/// Source    sgl-project/sglang 0b1fd02d, rotary_embedding/rope_variant.py.
void dynamic_of_sglang(EngineInput& input) {
  if (!input.facts.context) return;
  const double length = static_cast<double>(*input.facts.context) * input.number("factor", 1);
  made_once("SGLang", static_cast<std::int64_t>(std::clamp(length, 1.0, 0x1p53)), input);
}

constexpr std::array<EngineReading, 3> kEnginesOfDynamic = {
    {{.engine = Engine::ggml, .read = dynamic_of_ggml},
     {.engine = Engine::vllm, .read = dynamic_of_vllm},
     {.engine = Engine::sglang, .read = dynamic_of_sglang}}};

}  // namespace

constinit const RuleReading dynamic_reading = {
    .rule = "dynamic", .read = read_dynamic, .told = kToldOfDynamic, .engines = kEnginesOfDynamic};

}  // namespace rope
