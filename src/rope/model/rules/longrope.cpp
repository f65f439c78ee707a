#include <array>
#include <cstdint>
#include <optional>

#include "rope/error.hpp"
#include "rope/model/rules/reading.hpp"

namespace rope {
namespace {

/// One divisor a pair. A list that the current length does not need may be wrong, with a warning.
void read_list(const RuleInput& input, std::string_view name, bool used) {
  constexpr std::string_view kOnePerPair = "a list of one number per pair";
  input.require(name, kOnePerPair);
  input.take(name);
  auto& lists = input.layer.spec.lists;
  const auto list = lists.find(name);
  if (list == lists.end())
    input.fields.refuse(input.config_key(name), kOnePerPair, "Write one number per pair.");
  const std::size_t pairs = (input.layer.rotary_dim + 1) / 2;
  if (list->second.size() == pairs) return;
  const std::string found = std::to_string(list->second.size());
  if (used)
    throw Error(
        ErrorKind::invalid_input,
        input.key(name) + ": expected " + std::to_string(pairs) +
            " numbers, one for each pair, found " + found,
        "head_dim, partial_rotary_factor and the lists must match: correct the one that is wrong.");
  input.warn(input.key(name) + " has " + found + " numbers instead of " + std::to_string(pairs) +
             ", one for each pair: inputs that need this list will fail; correct it");
  lists.erase(list);
}

void read_longrope(const RuleInput& input) {
  input.take("factor");
  input.take("original");
  input.take("attention_factor");
  const std::int64_t original = *input.layer.original_context;
  const bool beyond = input.options.seq_len && *input.options.seq_len > original;
  read_list(input, "short", !beyond);
  read_list(input, "long", beyond);
  auto& lists = input.layer.spec.lists;
  const bool has_long = lists.contains("long");
  if (!has_long) lists["long"] = lists["short"];  // warned of, and not used
  if (!lists.contains("short")) lists["short"] = lists["long"];
  const std::string over = "max_position_embeddings / original_max_position_embeddings";
  const std::optional<double> factor = input.number("factor");
  // Phi's own files have no factor: the lengths give it.
  if (!input.number("attention_factor") && !factor) input.require_context();
  if (factor && input.facts.context &&
      *factor * static_cast<double>(original) != static_cast<double>(*input.facts.context))
    input.warn(input.key("factor") + ": " + shown(*factor) + " is used by transformers v5; v4 " +
               "uses " + over + ": make them agree");
  if (!input.options.seq_len && (!has_long || lists["short"] != lists["long"]) &&
      input.options.engine != Engine::ggml && input.options.engine != Engine::vllm) {
    input.layer.serves = original;
    if (!has_long) return;
    input.warn(input.fields.path() +
               "rope_type longrope has two sets of frequencies: these apply " + "up to " +
               std::to_string(original) + " tokens; --seq-len " + std::to_string(original + 1) +
               " shows the others");
  }
}

void longrope_of_gguf(GgufInput& input) {
  throw Error(ErrorKind::invalid_input,
              input.fields.path() + input.key("rope.scaling.type") +
                  ": expected none, linear or yarn, found 'longrope', whose divisors are in "
                  "tensors (rope_factors_long, rope_factors_short) that this text does not contain",
              "Inspect the config.json that the file was made from.");
}

/// A by the lengths of the file, whatever it says of A and of the factor.
void take_factor_of_lengths(const std::string& who, EngineInput& input) {
  auto& numbers = input.layer.spec.numbers;
  if (numbers.erase("attention_factor") > 0)
    input.warn("attention_factor: " + who + " does not read it: A is sqrt(1 + ln s / ln L)");
  if (!input.facts.context) return;
  const double implied = static_cast<double>(*input.facts.context) /
                         static_cast<double>(*input.layer.original_context);
  if (input.number("factor", implied) != implied)
    input.warn("factor: " + who + " does not read it for longrope but uses " +
               number_text(implied) +
               ", which is max_position_embeddings divided by the original length");
  numbers.erase("factor");
}

/// Source    ggml-org/llama.cpp of 2026, conversion/phi.py; src/llama-model.cpp (get_rope_factors).
void longrope_of_ggml(EngineInput& input) {
  take_factor_of_lengths("ggml", input);
  if (!input.seq_len) input.seq_len = input.facts.context;
  input.warn(
      "rope_type longrope: ggml chooses the list once, by the context size it is started with, not "
      "by the length of the input");
}

/// What vLLM and SGLang read for any model, as Phi-3.5-MoE's own code does.
void take_magnitude_of_list(EngineInput& input) {
  const bool beyond = input.seq_len && *input.seq_len > *input.layer.original_context;
  if (const auto own = input.fields.number(beyond ? "long_mscale" : "short_mscale"))
    input.layer.spec.numbers["attention_factor"] = *own;
}

/// It starts with the original length where that stands at the root, or its class has it, and no
/// other length is asked for.
///
/// Source    vllm-project/vllm 0cd57848, rotary_embedding/phi3_long_rope_scaled_rope.py (#27431 of
///           October 2025); the length in config/model.py (_get_and_verify_max_len).
void longrope_of_vllm(EngineInput& input) {
  take_factor_of_lengths("vLLM", input);
  std::optional<std::int64_t> length = input.facts.root_original;
  if (!length && input.facts.model_type.starts_with("phi")) length = input.layer.original_context;
  if (!length) length = input.facts.context;
  if (!input.seq_len) {
    input.seq_len = length;
    if (length != input.facts.context) input.layer.serves = length;
  }
  input.warn(
      "rope_type longrope: vLLM chooses the list once, according to the length it is started with "
      "(max_model_len), not the length of the input: if max_model_len is above the original "
      "length, vLLM uses the long list for all inputs");
  take_magnitude_of_list(input);
}

/// The list changes where a position, not the number of tokens, is above the original length.
///
/// Source    sgl-project/sglang 0b1fd02d, rotary_embedding/rope_variant.py.
void longrope_of_sglang(EngineInput& input) {
  take_factor_of_lengths("SGLang", input);
  const std::int64_t original = *input.layer.original_context;
  if (input.seq_len == original + 1) {
    input.seq_len = original;
    input.warn("rope_type longrope: SGLang uses the long list from " +
               std::to_string(original + 2) + " tokens on");
  }
  take_magnitude_of_list(input);
}

/// Source    microsoft/LongRoPE c9e56aa5, rope/longrope.py (the policy su).
void longrope_of_its_authors(EngineInput& input) {
  take_factor_of_lengths("Microsoft's code", input);
}

/// Source    transformers 4.57, modeling_rope_utils.py.
void longrope_of_version_4(EngineInput& input) {
  if (input.facts.root_original && input.facts.context) input.layer.spec.numbers.erase("factor");
}

constexpr std::array<EngineReading, 5> kEnginesOfLongrope = {
    {{.engine = Engine::hf4, .read = longrope_of_version_4},
     {.engine = Engine::ggml, .read = longrope_of_ggml},
     {.engine = Engine::vllm, .read = longrope_of_vllm},
     {.engine = Engine::sglang, .read = longrope_of_sglang},
     {.engine = Engine::longrope, .read = longrope_of_its_authors}}};

// configuration_phi3.py and configuration_phi4_multimodal.py of transformers 5; that of Phi-2
// leaves the types as they are.
constexpr std::array<std::string_view, 2> kModelsOfPhi = {"phi3", "phi4"};
constexpr std::array<std::string_view, 2> kTypesOfPhi = {"su", "yarn"};

}  // namespace

constinit const RuleReading longrope_reading = {
    .rule = "longrope",
    .read = read_longrope,
    .read_gguf = longrope_of_gguf,
    .engines = kEnginesOfLongrope,
    .family = {.models = kModelsOfPhi, .whose = "Phi-3", .types = kTypesOfPhi}};

}  // namespace rope
