#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "rope/error.hpp"
#include "rope/model/rules/reading.hpp"
#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

/// g(s, m) = 0.1·m·ln s + 1, and 1 if s ≤ 1.
double magnitude(double factor, double mscale) {
  return factor <= 1 ? 1 : 0.1 * mscale * std::log(factor) + 1;
}

// --- config.json -------------------------------------------------------------------------------

void warn_of_yarn_factor(const RuleInput& input) {
  const std::optional<double> factor = input.number("factor");
  const auto original = static_cast<double>(*input.layer.original_context);
  const std::string over = " over original_max_position_embeddings";
  if (!factor) {
    input.warn(input.key("factor") + " is null, so max_position_embeddings" + over + ", " +
               shown(input.implied_factor()) + ", is taken: write it");
    return;
  }
  if (!input.facts.context || input.facts.context_of_class) return;
  const double implied = input.implied_factor();
  const bool told = !input.facts.root_original && !input.fields.has(input.config_key("original"));
  if (*factor > implied && told) return;  // that the context stands in for it
  if (*factor > implied)
    input.warn(input.key("factor") + ": " + shown(*factor) + " times " +
               "original_max_position_embeddings, " + shown(original) + ", makes " +
               shown(*factor * original) + " tokens, which count as the context, though " +
               "max_position_embeddings is " + input.context_text() + ": write " +
               shown(*factor * original) + " there");
  else if (implied != *factor)
    input.warn(input.key("factor") + ": " + shown(*factor) + " counts, though " +
               input.context_text() + " positions" + over + " " + shown(original) + " make " +
               shown(implied) + ": correct one of the three");
}

/// The default too where 0 was given, as transformers writes it: `beta or 32`.
double beta(const RuleInput& input, std::string_view name) {
  const double given = input.number(name).value_or(0);
  return given == 0 ? *input.declared(name).standard : given;
}

void read_yarn(const RuleInput& input) {
  input.require_factor();
  input.take_all();
  const io::Json* const attention = input.fields.find("attention_factor");
  if (attention != nullptr && attention->is_number_integer())
    input.warn(input.key("attention_factor") + ": " + shown(*attention) + " is followed, though " +
               "transformers complains that it is no float: write " + shown(*attention) + ".0");
  warn_of_yarn_factor(input);
  const double fast = beta(input, "beta_fast");
  const double slow = beta(input, "beta_slow");
  if (fast < slow)
    input.warn(input.key("beta_fast") + " " + shown(fast) + " is below beta_slow " + shown(slow) +
               ", so the ramp runs the wrong way: exchange them");
  const std::optional<double> mscale = input.number("mscale");
  const std::optional<double> all_dim = input.number("mscale_all_dim");
  if (mscale && all_dim && attention != nullptr)
    input.warn(input.key("attention_factor") + " counts, and mscale and mscale_all_dim are " +
               "ignored for cos and sin: leave one or the others out");
  if (mscale.value_or(0) != 0 && all_dim.value_or(0) == 0)
    input.warn(input.key("mscale") + " is ignored without mscale_all_dim: the attention factor " +
               "is 0.1 ln(factor) + 1; give both, or attention_factor itself");
}

constexpr std::array<std::string_view, 2> kToldOfYarn = {"factor ", "beta_fast is below"};

/// DeepSeek's code scales the softmax too.
double yarn_softmax_factor(const LayerRope& layer) {
  const double factor = optional_number(layer.spec, "factor").value_or(1);
  const double mscale = optional_number(layer.spec, "mscale_all_dim").value_or(0);
  return magnitude(factor, mscale) * magnitude(factor, mscale);
}

// --- GGUF keys ---------------------------------------------------------------------------------

void yarn_of_gguf(GgufInput& input) {
  const Fields& fields = input.fields;
  const auto number = [&](std::string_view name) { return fields.number(input.key(name)); };
  take_declared(input, "yarn");
  if (const auto ext = number("rope.scaling.yarn_ext_factor"); ext && *ext != 1)
    fields.warn(fields.path() + input.key("rope.scaling.yarn_ext_factor") + " " + shown(*ext) +
                " mixes the ramp in llama.cpp's own way, which is not shown: these numbers are " +
                "those of 1");
  double attention = 1;
  for (const char* name : {"rope.scaling.attn_factor", "rope.scaling.yarn_attn_factor"})
    attention *= number(name).value_or(1);
  if (number("rope.scaling.yarn_log_multiplier"))
    input.notes.emplace_back(
        "yarn_log_multiplier: llama.cpp corrects the attention scale of this architecture by it");
  const io::Json& original = input.config["original_max_position_embeddings"];
  double factor = 1;
  if (input.context && !original.is_null())
    factor = static_cast<double>(*input.context) / original.get<double>();
  input.config["attention_factor"] = attention * magnitude(input.factor.value_or(factor), 1);
}

// --- engines -----------------------------------------------------------------------------------

/// The factor, given or from the lengths.
double factor_of(const EngineInput& input) {
  const std::optional<std::int64_t> context = input.facts.context;
  const std::optional<std::int64_t> original = input.layer.original_context;
  const double implied =
      context && original ? static_cast<double>(*context) / static_cast<double>(*original) : 1;
  return input.number("factor", implied);
}

/// A = attn_factor·(0.1 ln s + 1) and whole dimensions, whatever else the file says.
void plain_yarn(const std::string& who, EngineInput& input) {
  auto& numbers = input.layer.spec.numbers;
  if (input.number("truncate", 1) == 0)
    input.warn("truncate: " + who + " rounds the ends of the ramp all the same: the " +
               "frequencies between them differ from transformers'");
  numbers["truncate"] = 1;
  if (numbers.contains("attention_factor"))
    input.warn("attention_factor: " + who + " does not read it, but attn_factor, which " +
               "multiplies 0.1 ln(factor) + 1 instead of replacing it");
  if (input.number("mscale", 0) != 0)
    input.warn("mscale: " + who + " does not read it for cos and sin");
  numbers.erase("mscale");
  numbers.erase("mscale_all_dim");
  numbers["attention_factor"] = input.attn_factor.value_or(1) * magnitude(factor_of(input), 1);
}

/// The code of every engine takes DeepSeek-V4's factor back: A is 1 whatever the file says.
///
/// Source    vllm-project/vllm 06d0369d, models/deepseek_v4/common/rope.py (mscale 0);
///           ggml-org/llama.cpp 00395eb2, src/models/deepseek4.cpp (dsv4_rope_attn_factor).
bool leaves_length(EngineInput& input) {
  if (input.facts.model_type != "deepseek_v4") return false;
  if (input.number("attention_factor", 1) != 1)
    input.warn("attention_factor: the code of DeepSeek-V4 does not read it: A is 1");
  input.layer.spec.numbers["attention_factor"] = 1;
  return true;
}

/// Source    ggml-org/llama.cpp, conversion of Mistral 3 (add_rope_scaling_yarn_log_mul): the
///           magnitudes of mscale 1 and of mscale_all_dim, as in latent attention.
void yarn_of_ggml(EngineInput& input) {
  if (leaves_length(input) || input.facts.latent_attention()) return;
  if (input.facts.model_type != "ministral3") plain_yarn("ggml", input);
}

/// As transformers, but for DeepSeek-V4.
///
/// Source    vllm-project/vllm 0cd57848, model_executor/layers/rotary_embedding: __init__.py and
///           yarn_scaling_rope.py. Code of 2025 read attn_factor, and no attention_factor, mscale
///           or truncate.
void yarn_of_vllm(EngineInput& input) { leaves_length(input); }

void yarn_of_its_authors(EngineInput& input) { plain_yarn("the authors' code", input); }

void yarn_of_gpt_oss(EngineInput& input) {
  auto& numbers = input.layer.spec.numbers;
  if (input.number("truncate", 1) != 0)
    input.warn(
        "truncate: gpt-oss never rounds the ends of the ramp: the frequencies between them differ "
        "from transformers'");
  numbers["truncate"] = 0;
  for (const char* key : {"attention_factor", "mscale", "mscale_all_dim"})
    if (numbers.erase(key) > 0)
      input.warn(std::string(key) + ": gpt-oss does not read it: A is 0.1 ln(factor) + 1");
  numbers["attention_factor"] = magnitude(factor_of(input), 1);
}

void check_yarn_of_gpt_oss(const LayerRope& layer) {
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

void yarn_of_its_paper(EngineInput& input) {
  const ScalingSpec given = std::exchange(input.layer.spec, {"yarn-paper", {}, {}});
  for (const char* name : {"factor", "original", "beta_fast", "beta_slow"}) {
    const std::optional<double> number = optional_number(given, name);
    const bool beta = std::string_view(name).starts_with("beta");
    if (number && !(beta && *number == 0)) input.layer.spec.numbers[name] = *number;
  }
  input.warn(
      "rope_type yarn: the paper's ramp runs over the turns of a pair, every implementation's over "
      "its index: no engine computes these numbers");
}

constexpr std::array<EngineReading, 5> kEnginesOfYarn = {
    {{.engine = Engine::ggml, .read = yarn_of_ggml},
     {.engine = Engine::vllm, .read = yarn_of_vllm},
     {.engine = Engine::gpt_oss, .read = yarn_of_gpt_oss, .check = check_yarn_of_gpt_oss},
     {.engine = Engine::yarn, .read = yarn_of_its_authors},
     {.engine = Engine::yarn_paper, .read = yarn_of_its_paper}}};

}  // namespace

constinit const RuleReading yarn_reading = {.rule = "yarn",
                                            .read = read_yarn,
                                            .told = kToldOfYarn,
                                            .read_gguf = yarn_of_gguf,
                                            .engines = kEnginesOfYarn,
                                            .latent_softmax_factor = yarn_softmax_factor};

}  // namespace rope
