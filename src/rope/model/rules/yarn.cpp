#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "rope/error.hpp"
#include "rope/model/gguf_architectures.hpp"
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
  const std::string over = " divided by original_max_position_embeddings";
  if (!factor) {
    input.warn(input.key("factor") + " is null, so max_position_embeddings" + over + ", " +
               shown(input.implied_factor()) + ", is used: set it");
    return;
  }
  if (!input.facts.context || input.facts.context_of_class) return;
  const double implied = input.implied_factor();
  const bool told = !input.facts.root_original && !input.fields.has(input.config_key("original"));
  if (*factor > implied && told) return;  // that the context stands in for it
  if (*factor > implied)
    input.warn(input.key("factor") + ": " + shown(*factor) + " times " +
               "original_max_position_embeddings, " + shown(original) + ", makes " +
               shown(*factor * original) + " tokens, which is used as the context, though " +
               "max_position_embeddings is " + input.context_text() + ": write " +
               shown(*factor * original) + " there");
  else if (implied != *factor)
    input.warn(input.key("factor") + ": " + shown(*factor) + " is used, though " +
               input.context_text() + " positions" + over + ", " + shown(original) + ", give " +
               shown(implied) + ": correct one of the three");
}

/// The default too where 0 was given, as transformers writes it: `beta or 32`.
double beta(const RuleInput& input, std::string_view name) {
  const double given = input.number(name).value_or(0);
  return given == 0 ? *input.declared(name).standard : given;
}

/// transformers looks for truncate beside the objects of the layer types, where none can stand.
///
/// Source    transformers 5, modeling_rope_utils.py: config.rope_parameters.get("truncate", True).
void leave_truncate_of_layer_type(const RuleInput& input) {
  if (!input.facts.in_layer_type || input.options.engine != Engine::hf) return;
  if (input.number("truncate") == 0)
    input.warn(input.key("truncate") + ": false is ignored by transformers v5 in the parameters " +
               "of a layer type: the ends of the ramp are rounded; leave it out");
  input.layer.spec.numbers.erase("truncate");
}

void read_yarn(const RuleInput& input) {
  input.require_factor();
  input.take_all();
  leave_truncate_of_layer_type(input);
  const io::Json* const attention = input.fields.find("attention_factor");
  if (attention != nullptr && attention->is_number_integer())
    input.warn(input.key("attention_factor") + ": " + shown(*attention) + " is used, though " +
               "transformers warns that it is not a float: write " + shown(*attention) + ".0");
  warn_of_yarn_factor(input);
  const double fast = beta(input, "beta_fast");
  const double slow = beta(input, "beta_slow");
  if (fast < slow)
    input.warn(input.key("beta_fast") + " " + shown(fast) + " is below beta_slow " + shown(slow) +
               ": swap them");
  const std::optional<double> mscale = input.number("mscale");
  const std::optional<double> all_dim = input.number("mscale_all_dim");
  if (mscale && all_dim && attention != nullptr)
    input.warn(input.key("attention_factor") +
               " takes precedence, so mscale and mscale_all_dim are " +
               "ignored for cos and sin: remove it or the other two");
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

/// What llama.cpp takes for the ends of the ramp where it does not read them.
constexpr std::array<std::pair<std::string_view, double>, 2> kBetasOfGgml = {
    {{"beta_fast", 32}, {"beta_slow", 1}}};

/// The loaders of these architectures read the betas that a file holds, and take this beta_fast
/// where it holds none; the common loader reads neither.
///
/// Source    ggml-org/llama.cpp 00395eb2, src/models: deepseek4.cpp, laguna.cpp; grok.cpp of
/// 8a5c4e03; mistral3.cpp of 2026 (as in jimbothigpen/llama-yggdrasil 15d4178a).
constexpr std::array<std::pair<std::string_view, double>, 4> kArchitecturesWithBetas = {
    {{"deepseek4", 32}, {"grok", 8}, {"laguna", 32}, {"mistral3", 32}}};

void take_betas_of_loader(GgufInput& input) {
  for (const auto& [architecture, fast] : kArchitecturesWithBetas)
    if (input.architecture == architecture) {
      if (io::Json& beta = input.config["beta_fast"]; beta.is_null()) beta = fast;
      return;
    }
  for (const auto& [name, theirs] : kBetasOfGgml) {
    io::Json& beta = input.config[std::string(name)];
    if (beta.is_number() && beta != theirs)
      input.fields.warn(input.fields.path() + input.key("rope.scaling.yarn_") + std::string(name) +
                        ": llama.cpp does not read it for " + input.architecture + ": it is " +
                        number_text(theirs) + " unless the command line says otherwise");
    beta = theirs;
  }
}

/// What multiplies cos and sin, but for rope.scaling.attn_factor: of DeepSeek's architectures 1,
/// for their code scales the softmax instead or takes ggml's factor back.
///
/// Source    ggml-org/llama.cpp of 2026: src/llama-context.cpp (#17945), src/models/deepseek2.cpp
///           (TAG_DEEPSEEK2_YARN_LOG_MUL_FIX, kq_scale), deepseek4.cpp (dsv4_rope_attn_factor).
double magnitude_of_ggml(const std::string& architecture, double factor, double all_dim) {
  if (architecture == "deepseek4") return 1;
  if (all_dim == 0) return magnitude(factor, 1);
  if (gguf_latent_attention(architecture)) return 1;
  return magnitude(factor, 1) / magnitude(factor, all_dim);
}

void yarn_of_gguf(GgufInput& input) {
  const Fields& fields = input.fields;
  const auto number = [&](std::string_view name) { return fields.number(input.key(name)); };
  take_declared(input, "yarn");
  take_betas_of_loader(input);
  if (const auto ext = number("rope.scaling.yarn_ext_factor"); ext && *ext != 1)
    fields.warn(fields.path() + input.key("rope.scaling.yarn_ext_factor") + " " + shown(*ext) +
                " makes llama.cpp blend the frequencies in its own way, which is not shown: these "
                "numbers are " +
                "for the value 1");
  if (const auto own = number("rope.scaling.yarn_attn_factor"); own && *own != 1)
    fields.warn(fields.path() + input.key("rope.scaling.yarn_attn_factor") + " " + shown(*own) +
                " is ignored: llama.cpp overwrites it with its own attention factor");
  const io::Json& original = input.config["original_max_position_embeddings"];
  double factor = 1;
  if (input.context && !original.is_null())
    factor = static_cast<double>(*input.context) / original.get<double>();
  const double all_dim = number("rope.scaling.yarn_log_multiplier").value_or(0);
  if (all_dim != 0 && gguf_latent_attention(input.architecture))
    input.config["mscale_all_dim"] = all_dim / 0.1;  // which the converter multiplies by 0.1
  input.config["attention_factor"] =
      number("rope.scaling.attn_factor").value_or(1) *
      magnitude_of_ggml(input.architecture, input.factor.value_or(factor), all_dim);
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

void round_ends(const std::string& who, EngineInput& input) {
  if (input.number("truncate", 1) == 0)
    input.warn("truncate: " + who + " rounds the ends of the ramp regardless, so the " +
               "frequencies between them differ from transformers'");
  input.layer.spec.numbers["truncate"] = 1;
}

/// A counts, whatever the file says of it.
void take_magnitude(const std::string& who, double a, EngineInput& input) {
  auto& numbers = input.layer.spec.numbers;
  if (numbers.contains("attention_factor"))
    input.warn("attention_factor: " + who + " does not read it: A is " + number_text(a));
  numbers["attention_factor"] = a;
}

/// A = g(1), with no mscale.
void take_plain_magnitude(const std::string& who, double multiplier, EngineInput& input) {
  if (input.number("mscale", 0) != 0)
    input.warn("mscale: " + who + " does not read it for cos and sin");
  for (const char* key : {"mscale", "mscale_all_dim"}) input.layer.spec.numbers.erase(key);
  take_magnitude(who, multiplier * magnitude(factor_of(input), 1), input);
}

/// The code of every engine takes DeepSeek-V4's factor back: A is 1 whatever the file says.
///
/// Source    vllm-project/vllm 06d0369d, models/deepseek_v4/common/rope.py (mscale 0);
///           ggml-org/llama.cpp 00395eb2, src/models/deepseek4.cpp (dsv4_rope_attn_factor);
///           sgl-project/sglang, deepseek_v4_rope.py (precompute_freqs_cis).
bool leaves_length(EngineInput& input) {
  if (input.facts.model_type != "deepseek_v4") return false;
  if (input.number("attention_factor", 1) != 1)
    input.warn("attention_factor: the code of DeepSeek-V4 does not read it: A is 1");
  input.layer.spec.numbers["attention_factor"] = 1;
  return true;
}

/// The converter writes the betas for every model; the loaders of Laguna and Ministral 3 read them.
void take_betas_of_ggml(EngineInput& input) {
  if (input.facts.model_type == "laguna" || input.facts.model_type == "ministral3") return;
  for (const auto& [key, theirs] : kBetasOfGgml) {
    if (const double given = input.number(key, 0); given != 0 && given != theirs)
      input.warn(std::string(key) + ": ggml does not read it: it is " + number_text(theirs) +
                 " unless the command line says otherwise");
    input.layer.spec.numbers[std::string(key)] = theirs;
  }
}

/// 0 where the rule found no such number.
double fact(const Scaled& scaled, std::string_view name) {
  const auto found = std::ranges::find(scaled.facts, name, &std::pair<std::string, double>::first);
  return found == scaled.facts.end() ? 0.0 : found->second;
}

/// A ramp that ends before it begins runs backwards in transformers; ggml divides by
/// max(0.001, high − low), which makes a step at low of it.
///
/// Source    ggml-org/llama.cpp 00395eb2, ggml/src/ggml-cpu/ops.cpp (rope_yarn_ramp).
void take_step_of_ggml(EngineInput& input) {
  LayerRope& layer = input.layer;
  const Scaled scaled = scale(layer.spec, {layer.base, layer.head_dim, layer.rotary_dim,
                                           input.facts.context, input.seq_len});
  const double low = fact(scaled, "ramp_low");
  if (fact(scaled, "ramp_high") >= low) return;
  layer.spec.numbers["step"] = 1;
  input.warn(
      "original_max_position_embeddings: the ramp ends before it begins, so ggml keeps the pairs "
      "up to " +
      number_text(low) + " and scales the others");
}

/// The magnitude of mscale over that of mscale_all_dim, where the converter writes the latter; the
/// former is taken to be the same in latent attention, and 1 in Ministral 3 and Mistral 4.
///
/// Source    ggml-org/llama.cpp of 2026, src/llama-context.cpp (#17945); conversion: base.py
///           (yarn_attn_factor, which is overwritten), deepseek.py, mistral3.py.
void yarn_of_ggml(EngineInput& input) {
  if (leaves_length(input)) return;
  round_ends("ggml", input);
  take_betas_of_ggml(input);
  take_step_of_ggml(input);
  const std::string_view type = input.facts.model_type;
  const double all_dim = input.number("mscale_all_dim", 0);
  if (all_dim == 0 || !(input.facts.latent_attention() || type == "ministral3"))
    return take_plain_magnitude("ggml", 1, input);
  const double mscale = type == "ministral3" || type == "mistral4" ? 1 : all_dim;
  if (const double given = input.number("mscale", mscale); given != mscale)
    input.warn("mscale: ggml does not read it: " + number_text(mscale) + " is used instead");
  const double factor = factor_of(input);
  take_magnitude("ggml", magnitude(factor, mscale) / magnitude(factor, all_dim), input);
}

/// The class for DeepSeek's latent attention reads mscale and mscale_all_dim, each with a default,
/// and neither truncate nor attention_factor.
///
/// Source    vllm-project/vllm 0cd57848, rotary_embedding: __init__.py (deepseek_yarn) and
///           deepseek_scaling_rope.py; sgl-project/sglang, rotary_embedding: factory.py of 108c36c0
///           and rope_variant.py of 0b1fd02d.
void yarn_of_latent_attention(const std::string& who, double multiplier, EngineInput& input) {
  round_ends(who, input);
  const double factor = factor_of(input);
  const double mscale = input.number("mscale", 1);
  const double all_dim = input.number("mscale_all_dim", 0);
  if (mscale != 0 && all_dim == 0 && mscale != 1)
    input.warn("mscale: " + who + " reads it even without mscale_all_dim");
  take_magnitude(who, multiplier * magnitude(factor, mscale) / magnitude(factor, all_dim), input);
}

/// As transformers, but for DeepSeek.
///
/// Source    vllm-project/vllm 0cd57848, model_executor/layers/rotary_embedding: __init__.py and
///           yarn_scaling_rope.py. Code of 2025 read attn_factor, and no attention_factor, mscale
///           or, before #28244, truncate.
void yarn_of_vllm(EngineInput& input) {
  if (!leaves_length(input) && input.facts.latent_attention())
    yarn_of_latent_attention("vLLM", 1, input);
}

/// attn_factor multiplies, and mscale counts beside mscale_all_dim, even where one is 0.
///
/// Source    sgl-project/sglang, rotary_embedding: factory.py of 108c36c0 and yarn.py of 0b1fd02d.
void yarn_of_sglang(EngineInput& input) {
  if (leaves_length(input)) return;
  const double multiplier = input.fields.number("attn_factor").value_or(1);
  if (multiplier != 1) input.warn("attn_factor: SGLang multiplies the attention factor by it");
  if (input.facts.latent_attention()) return yarn_of_latent_attention("SGLang", multiplier, input);
  const double factor = factor_of(input);
  const bool both = input.layer.spec.numbers.contains("mscale") &&
                    input.layer.spec.numbers.contains("mscale_all_dim");
  const double a = both ? magnitude(factor, input.number("mscale", 1)) /
                              magnitude(factor, input.number("mscale_all_dim", 1))
                        : magnitude(factor, 1);
  take_magnitude("SGLang", multiplier * a, input);
}

/// Its class, with the betas of the file; the authors' modelling code hands the factor and the
/// original length on, no more: attn_factor stays 1.
///
/// Source    jquesnelle/yarn 995db5b5, scaled_rope/LlamaYaRNScaledRotaryEmbedding.py,
///           modeling_llama_yarn.py.
void yarn_of_its_authors(EngineInput& input) {
  round_ends("the authors' code", input);
  take_plain_magnitude("the authors' code", 1, input);
}

/// Source    openai/gpt-oss 7b583341, gpt_oss/torch/model.py; triton and metal have the same
///           formula, metal without the assertion.
void yarn_of_gpt_oss(EngineInput& input) {
  auto& numbers = input.layer.spec.numbers;
  if (input.number("truncate", 1) != 0)
    input.warn(
        "truncate: gpt-oss never rounds the ends of the ramp, so the frequencies between them "
        "differ from transformers'");
  numbers["truncate"] = 0;
  for (const char* key : {"attention_factor", "mscale", "mscale_all_dim"})
    if (numbers.erase(key) > 0)
      input.warn(std::string(key) + ": gpt-oss does not read it: A is 0.1 ln(factor) + 1");
  numbers["attention_factor"] = magnitude(factor_of(input), 1);
}

void check_yarn_of_gpt_oss(const LayerRope& layer) {
  const double low = fact(layer.scaled, "dimension_fast");
  const double high = fact(layer.scaled, "dimension_slow");
  const double last = static_cast<double>(layer.scaled.frequencies.pairs()) - 1;
  if (!(0 < low && low < high && high < last))
    throw DomainError(
        "gpt-oss asserts that the ramp lies between pair 0 and pair " + number_text(last) +
            ", but it runs from " + number_text(low) + " to " + number_text(high),
        "beta_fast, beta_slow and original_max_position_embeddings determine where it lies.");
}

void yarn_of_its_paper(EngineInput& input) {
  const ScalingSpec given = std::exchange(input.layer.spec, {"yarn-paper", {}, {}});
  for (const char* name : {"factor", "original", "beta_fast", "beta_slow"}) {
    const std::optional<double> number = optional_number(given, name);
    const bool beta = std::string_view(name).starts_with("beta");
    if (number && !(beta && *number == 0)) input.layer.spec.numbers[name] = *number;
  }
  input.warn(
      "rope_type yarn: the paper's ramp runs over the turns of a pair, but every engine here runs "
      "it over the pair's index, so none of them computes these numbers");
}

constexpr std::array<EngineReading, 6> kEnginesOfYarn = {
    {{.engine = Engine::ggml, .read = yarn_of_ggml},
     {.engine = Engine::vllm, .read = yarn_of_vllm},
     {.engine = Engine::sglang, .read = yarn_of_sglang},
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
