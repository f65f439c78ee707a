#include <array>

#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr std::array<Parameter, 1> kNtkFixedParameters = {
    {required_factor("s, by which the base is multiplied and the slowest pair slowed down")}};

Scaled apply_ntk_fixed(const ScalingSpec& spec, const ScalingContext& context) {
  const ExactReal factor = required_number(spec, "factor");
  const ExactReal base = ExactReal(context.base) * factor;
  const ExactReal divisor = pow(factor, 2 / ExactReal(context.rotary_dim));
  ExactScaled result;
  warn_of_small_factor(factor, result);
  result.fact("scaled_base", base);
  const std::vector<ExactReal> raised = exact_geometric(base, context.rotary_dim);
  for (std::size_t i = 0; i < raised.size(); ++i) {
    Band band = i + 1 == raised.size() ? Band::scaled : Band::blended;
    if (factor == 1) band = Band::kept;
    result.add(raised[i] / divisor, band);
  }
  return round_scaled(std::move(result));
}

}  // namespace

constinit const ScalingRule ntk_fixed_rule = {
    .name = "ntk-fixed",
    .summary = "NTK-fixed: base times factor, then all frequencies divided by factor^(2/r)",
    .formula = "θ'_i = (b·s)^(−2i/r)/s^(2/r)",
    .source = "Su, kexue.fm/archives/9706; vLLM NTKScalingRotaryEmbedding",
    .parameters = kNtkFixedParameters,
    .example = "ntk-fixed:factor=4",
    .apply = apply_ntk_fixed};

}  // namespace rope
