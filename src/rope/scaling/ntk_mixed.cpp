#include <array>

#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr double kDefaultPower = 0.625;

constexpr std::array<Parameter, 2> kNtkMixedParameters = {
    {required_factor("s, by which the slowest pair is slowed down"),
     {.name = "power",
      .meaning = "B in exp(a m^B), the divisor of each pair",
      .standard = kDefaultPower}}};

Scaled apply_ntk_mixed(const ScalingSpec& spec, const ScalingContext& context) {
  const ExactReal factor = required_number(spec, "factor");
  const ExactReal power = optional_number(spec, "power").value_or(kDefaultPower);
  const std::vector<ExactReal> unscaled = unscaled_theta(context);
  const ExactReal a = log(factor) / pow(ExactReal(context.rotary_dim) / 2, power);
  ExactScaled result;
  warn_of_small_factor(factor, result);
  result.fact("a", a);
  for (std::size_t i = 0; i < unscaled.size(); ++i) {
    Band band = 2 * (i + 1) == context.rotary_dim ? Band::scaled : Band::blended;
    if (factor == 1) band = Band::kept;
    result.add(unscaled[i] / exp(a * pow(ExactReal(i + 1), power)), band);
  }
  return round_scaled(std::move(result));
}

}  // namespace

constinit const ScalingRule ntk_mixed_rule = {
    .name = "ntk-mixed",
    .summary =
        "NTK-mixed: each pair divided by exp(a m^power), which reaches factor at the last pair",
    .formula = "θ'_i = θ_i/exp(a·(i+1)^B), a·(r/2)^B = ln s, B = 0.625",
    .source = "Su, kexue.fm/archives/9706; vLLM NTKScalingRotaryEmbedding, mixed_b",
    .parameters = kNtkMixedParameters,
    .example = "ntk-mixed:factor=4",
    .apply = apply_ntk_mixed};

}  // namespace rope
