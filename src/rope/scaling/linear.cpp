#include <array>

#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr std::array<std::string_view, 1> kNamesOfLinear = {"pi"};
constexpr std::array<Parameter, 1> kLinearParameters = {
    {required_factor("s, by which all frequencies are divided")}};

Scaled apply_linear(const ScalingSpec& spec, const ScalingContext& context) {
  const ExactReal factor = required_number(spec, "factor");
  ExactScaled result;
  warn_of_small_factor(factor, result);
  for (const ExactReal& theta : unscaled_theta(context))
    result.add(theta / factor, factor == 1 ? Band::kept : Band::scaled);
  return round_scaled(std::move(result));
}

}  // namespace

constinit const ScalingRule linear_rule = {
    .name = "linear",
    .summary = "position interpolation: every frequency divided by factor",
    .formula = "θ'_i = θ_i/s",
    .source = "Chen et al., Position Interpolation, arXiv:2306.15595",
    .parameters = kLinearParameters,
    .example = "linear:factor=4",
    .other_names = kNamesOfLinear,
    .in_config = true,
    .apply = apply_linear};

}  // namespace rope
