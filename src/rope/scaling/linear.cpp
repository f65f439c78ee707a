#include <array>

#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr std::array<Parameter, 1> kLinearParameters = {
    {{.name = "factor", .meaning = "s, by which all frequencies are divided", .required = true}}};

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
    "linear",          "position interpolation: every frequency divided by factor",
    "θ'_k = θ_k/s",    "Chen et al., Position Interpolation, arXiv:2306.15595",
    kLinearParameters, apply_linear};

}  // namespace rope
