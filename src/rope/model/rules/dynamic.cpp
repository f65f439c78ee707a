#include <algorithm>
#include <array>

#include "rope/model/rules/reading.hpp"

namespace rope {
namespace {

void read_dynamic(const RuleInput& input) {
  input.take_all();
  if (!input.options.seq_len && input.options.engine == Engine::hf)
    input.warn(input.fields.path() +
               "rope_type dynamic depends on the length of the input: these are the frequencies up "
               "to " +
               input.context_text() + " tokens; --seq-len N gives those at N");
  input.require_context();
}

constexpr std::array<std::string_view, 1> kToldOfDynamic = {"without a sequence length"};

void dynamic_of_ggml(EngineInput& input) {
  input.layer.spec = {};
  input.warn("rope_type dynamic: ggml has no such rule, so nothing is scaled: use yarn");
}

void dynamic_of_vllm(EngineInput& input) {
  if (!input.facts.context) return;
  const double length = static_cast<double>(*input.facts.context) * input.number("factor", 1);
  input.seq_len = static_cast<std::int64_t>(std::clamp(length, 1.0, 0x1p53));
  input.warn("rope_type dynamic: vLLM makes the frequencies once, for " +
             std::to_string(*input.seq_len) + " tokens, and uses them at every length");
}

constexpr std::array<EngineReading, 2> kEnginesOfDynamic = {
    {{.engine = Engine::ggml, .read = dynamic_of_ggml},
     {.engine = Engine::vllm, .read = dynamic_of_vllm}}};

}  // namespace

constinit const RuleReading dynamic_reading = {
    .rule = "dynamic", .read = read_dynamic, .told = kToldOfDynamic, .engines = kEnginesOfDynamic};

}  // namespace rope
