#include <array>

#include "rope/model/rules/reading.hpp"

namespace rope {
namespace {

void without_factor(const std::string& who, EngineInput& input) {
  if (input.number("factor", 1) != 1)
    input.warn("factor: " + who + " does not read it for proportional");
  input.layer.spec.numbers.erase("factor");
}

/// Source    vllm-project/vllm 0cd57848, rotary_embedding: __init__.py and gemma4_rope.py;
///           sgl-project/sglang 0b1fd02d, rotary_embedding/rope_variant.py.
void proportional_of_vllm(EngineInput& input) { without_factor("vLLM", input); }
void proportional_of_sglang(EngineInput& input) { without_factor("SGLang", input); }

constexpr std::array<EngineReading, 2> kEnginesOfProportional = {
    {{.engine = Engine::vllm, .read = proportional_of_vllm},
     {.engine = Engine::sglang, .read = proportional_of_sglang}}};

}  // namespace

constinit const RuleReading proportional_reading = {.rule = "proportional",
                                                    .engines = kEnginesOfProportional};

}  // namespace rope
