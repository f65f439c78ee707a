#include <array>
#include <nlohmann/json.hpp>

#include "rope/model/rules/reading.hpp"

namespace rope {
namespace {

/// A factor of 1 or 0 stands for none.
void linear_of_gguf(GgufInput& input) {
  if (input.factor.value_or(1) != 1 && *input.factor != 0) take_declared(input, "linear");
}

constexpr std::array<EngineReading, 3> kEnginesOfLinear = {
    {{.engine = Engine::ggml}, {.engine = Engine::vllm}, {.engine = Engine::sglang}}};

}  // namespace

constinit const RuleReading linear_reading = {
    .rule = "linear", .read_gguf = linear_of_gguf, .engines = kEnginesOfLinear};

}  // namespace rope
