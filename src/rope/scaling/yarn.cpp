#include <algorithm>
#include <array>

#include "rope/error.hpp"
#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr double kDefaultBetaFast = 32;
constexpr double kDefaultBetaSlow = 1;

constexpr std::array<Parameter, 9> kYarnParameters = {
    {implied_factor("s"),
     kOriginal,
     {.name = "beta_fast",
      .meaning = "a pair with at least this many turns in L is kept; 0 means the default",
      .domain = ParameterDomain::non_negative,
      .standard = kDefaultBetaFast,
      .config_key = "beta_fast",
      .gguf_key = "rope.scaling.yarn_beta_fast"},
     {.name = "beta_slow",
      .meaning = "a pair with fewer turns in L is scaled; 0 means the default",
      .domain = ParameterDomain::non_negative,
      .standard = kDefaultBetaSlow,
      .config_key = "beta_slow",
      .gguf_key = "rope.scaling.yarn_beta_slow"},
     {.name = "truncate",
      .meaning = "round the ends of the ramp outwards to whole dimensions",
      .domain = ParameterDomain::flag,
      .standard = 1,
      .config_key = "truncate"},
     {.name = "step",
      .meaning = "turn a ramp that ends before it begins into a step at its start, as in llama.cpp",
      .domain = ParameterDomain::flag,
      .standard = 0},
     attention_factor_parameter("from factor, mscale and mscale_all_dim"),
     {.name = "mscale",
      .meaning = "with mscale_all_dim, A = g(s, mscale)/g(s, mscale_all_dim)",
      .domain = ParameterDomain::real,
      .config_key = "mscale"},
     {.name = "mscale_all_dim",
      .meaning = "see mscale; the two are used only if neither is 0",
      .domain = ParameterDomain::real,
      .config_key = "mscale_all_dim"}}};

/// The default too where 0 was given, as implementations write it: `beta or 32`.
double beta(const ScalingSpec& spec, std::string_view name, double standard) {
  const double given = optional_number(spec, name).value_or(0);
  return given == 0 ? standard : given;
}

/// The index, as a real number, of the pair that makes `turns` turns in L tokens.
ExactReal dimension_of_turns(const ScalingContext& context, const ExactReal& original,
                             const ExactReal& turns) {
  return ExactReal(context.rotary_dim) * log(original / (turns * exact_two_pi())) /
         (2 * log(ExactReal(context.base)));
}

ExactReal attention_factor(const ScalingSpec& spec, const ExactReal& factor) {
  if (const std::optional<double> given = optional_number(spec, "attention_factor")) return *given;
  const double mscale = optional_number(spec, "mscale").value_or(0);
  const double mscale_all_dim = optional_number(spec, "mscale_all_dim").value_or(0);
  if (mscale == 0 || mscale_all_dim == 0) return yarn_magnitude(factor, 1);
  const ExactReal denominator = yarn_magnitude(factor, mscale_all_dim);
  if (denominator == 0)
    refuse_scaling(spec, "mscale_all_dim", "a value with 0.1·mscale_all_dim·ln s + 1 above 0",
                   number_text(mscale_all_dim), "Choose one above 0.");
  return yarn_magnitude(factor, mscale) / denominator;
}

/// The factor given and the one that the lengths imply may contradict each other; the given one
/// counts.
void warn_of_contradiction(const ScalingSpec& spec, const ScalingContext& context,
                           const ExactReal& original, ExactScaled& result) {
  const std::optional<double> factor = optional_number(spec, "factor");
  if (!factor || !context.max_positions || !optional_number(spec, "original")) return;
  const ExactReal implied = ExactReal(*context.max_positions) / original;
  if (implied == 1 || implied == *factor) return;
  result.warnings.push_back("factor " + number_text(*factor) + " is used, though " +
                            std::to_string(*context.max_positions) +
                            " positions divided by original " +
                            number_text(static_cast<double>(original)) + " give " +
                            number_text(static_cast<double>(implied)));
}

Scaled apply_yarn(const ScalingSpec& spec, const ScalingContext& context) {
  if (context.rotary_dim % 2 != 0)
    throw ShapeError(
        Subject{"scaling yarn"},
        "rotary_dim: expected an even integer, got " + std::to_string(context.rotary_dim),
        "Implementations fail in that case too; choose a rotated fraction that gives an even "
        "size.");
  if (context.base == 1)
    refuse_scaling(spec, "base", "a base other than 1", "1",
                   "The ramp divides by ln base; with base 1, all pairs turn at the same rate.");
  const ExactReal original = original_length(spec, context);
  ExactScaled result;
  const ExactReal factor = extension_factor(spec, context, original, result);
  warn_of_no_extension(spec, factor, result);
  warn_of_small_factor(factor, result);
  warn_of_contradiction(spec, context, original, result);

  const double fast = beta(spec, "beta_fast", kDefaultBetaFast);
  const double slow = beta(spec, "beta_slow", kDefaultBetaSlow);
  ExactReal low = dimension_of_turns(context, original, fast);
  ExactReal high = dimension_of_turns(context, original, slow);
  result.fact("dimension_fast", low);
  result.fact("dimension_slow", high);
  if (optional_number(spec, "truncate").value_or(1) != 0) {
    low = floor(low);
    high = ceil(high);
  }
  // The clamps are one-sided, and at r−1, not at the last pair r/2−1, as in the authors' code,
  // transformers, vLLM, SGLang and llama.cpp. OpenAI's torch code of gpt-oss clamps nothing and
  // asserts that both ends lie among the pairs.
  low = std::max(low, ExactReal(0));
  high = std::min(high, ExactReal(context.rotary_dim - 1));
  const bool step = high < low && optional_number(spec, "step").value_or(0) != 0;
  if (step) high = low;
  if (low == high) high += ExactReal(1) / 1000;
  if (fast < slow)
    result.warnings.emplace_back(high < low
                                     ? "beta_fast is below beta_slow: the ramp runs the wrong way"
                                     : "beta_fast is below beta_slow; usually it is above");
  else if (high < low)
    result.warnings.emplace_back(
        low > 0 ? "the ramp begins after the last pair, so every frequency is scaled: original is "
                  "too long"
                : "the ramp ends before it begins, so no frequency is scaled: original is too "
                  "short");
  result.fact("ramp_low", low);
  result.fact("ramp_high", high);

  const std::vector<ExactReal> unscaled = unscaled_theta(context);
  for (std::size_t i = 0; i < unscaled.size(); ++i) {
    const ExactReal ramp = (ExactReal(i) - low) / (high - low);
    add_blend(unscaled[i], factor, std::clamp(ramp, ExactReal(0), ExactReal(1)), result);
  }
  result.attention_factor = attention_factor(spec, factor);
  return round_scaled(std::move(result));
}

}  // namespace

constinit const ScalingRule yarn_rule = {
    .name = "yarn",
    .summary =
        "YaRN as in its code: fast pairs kept, slow ones divided by factor, with a ramp in between "
        "over the pair index",
    .formula =
        "θ'_i = θ_i(1 − ρ_i) + θ_i/s·ρ_i, ρ_i = clamp((i − low)/(high − low), 0, 1), "
        "low, high = r·ln(L/(2πβ))/(2 ln b) for β = beta_fast, beta_slow; A = 0.1 ln s + 1",
    .source =
        "Peng et al., YaRN, arXiv:2309.00071; Hugging Face transformers, modeling_rope_utils.py",
    .parameters = kYarnParameters,
    .example = "yarn:factor=4,original=32768",
    .in_config = true,
    .apply = apply_yarn};

}  // namespace rope
