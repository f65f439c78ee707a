#include <array>

#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr std::array<Parameter, 4> kLlama3Parameters = {
    {required_factor("s, by which slow pairs are divided"),
     {.name = "low",
      .meaning = "low_freq_factor: pairs with fewer turns in L are scaled",
      .required = true,
      .config_key = "low_freq_factor"},
     {.name = "high",
      .meaning = "high_freq_factor: pairs with more turns in L are kept",
      .required = true,
      .config_key = "high_freq_factor"},
     kOriginal}};

Scaled apply_llama3(const ScalingSpec& spec, const ScalingContext& context) {
  const ExactReal factor = required_number(spec, "factor");
  const ExactReal low = required_number(spec, "low");
  const ExactReal high = required_number(spec, "high");
  const ExactReal original = original_length(spec, context);
  ExactScaled result;
  warn_of_small_factor(factor, result);
  if (high < low)
    result.warnings.emplace_back(
        "high is below low: implementations treat the pairs between the two differently; they are "
        "scaled here, as in Hugging Face's code");
  if (context.max_positions && optional_number(spec, "original") &&
      original >= *context.max_positions)
    result.warnings.emplace_back(
        "original is not below the model's positions, so there is nothing to extend");
  const ExactReal longest_kept = original / high;    // tokens
  const ExactReal shortest_scaled = original / low;  // tokens
  result.fact("longest_kept", longest_kept);
  result.fact("shortest_scaled", shortest_scaled);
  for (const ExactReal& theta : unscaled_theta(context)) {
    const ExactReal wavelength = exact_two_pi() / theta;
    if (wavelength > shortest_scaled) {
      result.add(theta / factor, Band::scaled);
    } else if (wavelength < longest_kept || high == low) {  // equal: no middle to divide by
      result.add(theta, Band::kept);
    } else {
      const ExactReal kept = (original / wavelength - low) / (high - low);
      add_blend(theta, factor, 1 - kept, result);
    }
  }
  return round_scaled(std::move(result));
}

}  // namespace

constinit const ScalingRule llama3_rule = {
    .name = "llama3",
    .summary =
        "Llama 3.1: fast pairs kept, slow ones divided by factor, with a ramp in between over the "
        "turns in original",
    .formula =
        "λ_i < L/high: θ_i; λ_i > L/low: θ_i/s; else (1 − σ)θ_i/s + σθ_i, σ = (L/λ_i − low)/(high "
        "− "
        "low)",
    .source =
        "Meta, llama-models, models/llama3/model.py; Hugging Face transformers, "
        "modeling_rope_utils.py",
    .parameters = kLlama3Parameters,
    .example = "llama3:factor=8,low=1,high=4,original=8192",
    .in_config = true,
    .apply = apply_llama3};

}  // namespace rope
