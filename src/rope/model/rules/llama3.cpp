#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "rope/error.hpp"
#include "rope/model/rules/reading.hpp"
#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr std::array<std::string_view, 2> kTurns = {"low", "high"};

void read_llama3(const RuleInput& input) {
  input.require_factor();
  input.take("factor");
  input.take("original");
  for (const std::string_view name : kTurns) input.require(name, "a number of turns");
  for (const std::string_view name : kTurns) {
    input.take(name);
    if (!input.number(name))
      input.fields.refuse(input.config_key(name), "a number",
                          "Llama 3.1 has low_freq_factor 1 and high_freq_factor 4.");
  }
  const double low = *input.number("low");
  const double high = *input.number("high");
  if (high <= low)
    input.warn(input.key("high") + " " + shown(high) + " is not above low_freq_factor " +
               shown(low) + ", so no pair is blended: Llama 3.1 uses 4 and 1");
  const std::int64_t original = *input.layer.original_context;
  if (input.facts.context && !input.facts.context_of_class && original >= *input.facts.context &&
      input.fields.has(input.config_key("original")))
    input.warn(input.key("original") + " " + std::to_string(original) +
               " is not below max_position_embeddings " + input.context_text() +
               ", so the context is not extended, although slow pairs are still divided: write the "
               "length before extension");
}

constexpr std::array<std::string_view, 2> kToldOfLlama3 = {"high is below",
                                                           "original is not below"};

/// What stands in Meta's code.
struct MetaConstant {
  std::string_view name;
  double value;
};
constexpr std::int64_t kMetaOriginal = 8192;

/// Of Llama 3, found by a grid search for 3.1. The first two are constants of Llama 4 as well; the
/// others are its defaults.
///
/// Source    meta-llama/llama-models a9c89c47, models/llama3/model.py; models/llama4: args.py and
///           model.py (apply_scaling).
constexpr std::array<MetaConstant, 4> kConstantsOfLlama3 = {
    {{"low", 1}, {"original", kMetaOriginal}, {"factor", 8}, {"high", 4}}};
constexpr std::array<MetaConstant, 4> kConstantsOfLlama4 = {
    {{"low", 1}, {"original", kMetaOriginal}, {"factor", 16}, {"high", 1}}};

std::string key_of_llama3(std::string_view name) {
  return std::string(find_parameter(llama3_rule.parameters, name)->config_key);
}

/// Everybody but transformers asks first which pairs to keep, so where high is below low those
/// between the two are kept, as if low were high.
void keep_before_scaling(const std::string& who, EngineInput& input) {
  auto& numbers = input.layer.spec.numbers;
  if (numbers.at("high") >= numbers.at("low")) return;
  input.warn(key_of_llama3("high") + " is below " + key_of_llama3("low") + ": " + who +
             " keeps the pairs between the two, which transformers divides");
  numbers["low"] = numbers.at("high");
}

/// Whatever the file says, but for the factor and the upper number of turns of Llama 4.
void llama3_of_llama_models(EngineInput& input) {
  const bool llama4 = input.facts.model_type.starts_with("llama4");
  for (const MetaConstant& constant :
       std::span(kConstantsOfLlama3).first(llama4 ? 2 : kConstantsOfLlama3.size())) {
    double& value = input.layer.spec.numbers[std::string(constant.name)];
    if (value != constant.value)
      input.warn(key_of_llama3(constant.name) + ": llama-models does not read it: " +
                 number_text(constant.value) + " is fixed in its code");
    value = constant.value;
  }
  input.layer.original_context = kMetaOriginal;
  keep_before_scaling("Meta's code", input);
}

void llama3_of_ggml(EngineInput& input) {
  const std::int64_t original = input.facts.root_original.value_or(kMetaOriginal);
  if (original != input.layer.original_context)
    input.warn("original_max_position_embeddings: llama.cpp's converter uses " +
               std::to_string(original) + ", the value at the root of config.json, or " +
               "8192 if there is none: write the key there too");
  input.layer.original_context = original;
  input.layer.spec.numbers["original"] = static_cast<double>(original);
  keep_before_scaling("llama.cpp's converter", input);
}

/// Source    vllm-project/vllm 0cd57848, rotary_embedding/llama3_rope.py; sgl-project/sglang
///           0b1fd02d, rotary_embedding/rope_variant.py.
void llama3_of_vllm(EngineInput& input) { keep_before_scaling("vLLM", input); }
void llama3_of_sglang(EngineInput& input) { keep_before_scaling("SGLang", input); }

constexpr std::array<EngineReading, 4> kEnginesOfLlama3 = {
    {{.engine = Engine::ggml, .read = llama3_of_ggml},
     {.engine = Engine::vllm, .read = llama3_of_vllm},
     {.engine = Engine::sglang, .read = llama3_of_sglang},
     {.engine = Engine::llama_models, .read = llama3_of_llama_models}}};

}  // namespace

constinit const RuleReading llama3_reading = {
    .rule = "llama3", .read = read_llama3, .told = kToldOfLlama3, .engines = kEnginesOfLlama3};

io::Json llama3_of_params(const Fields& root) {
  io::Json config = io::Json::object();
  if (!root.flag("use_scaled_rope").value_or(false)) return config;
  config["rope_type"] = "llama3";
  // Its files alone name the layers without rotation so.
  const bool llama4 = root.has("nope_layer_interval");
  for (const MetaConstant& constant : llama4 ? kConstantsOfLlama4 : kConstantsOfLlama3)
    config[key_of_llama3(constant.name)] = constant.value;
  std::optional<double> factor = root.number("rope_scaling_factor");
  if (!factor) factor = root.number("rope_scale_factor");
  if (factor)
    config["factor"] = *factor;
  else if (!llama4)
    root.warn(root.path() + "use_scaled_rope: the file does not give the factor, so 8 is used, " +
              "as in Meta's code for Llama 3.1; Llama 3.2 1B and 3B need 32: write " +
              "\"rope_scaling_factor\": 32");
  if (const std::optional<double> high = root.number("rope_high_freq_factor"))
    config["high_freq_factor"] = *high;
  return config;
}

}  // namespace rope
