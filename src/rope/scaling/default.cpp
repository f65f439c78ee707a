#include <array>

#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr std::array<std::string_view, 1> kNamesOfDefault = {"none"};

Scaled apply_default(const ScalingSpec& /*spec*/, const ScalingContext& context) {
  ExactScaled result;
  for (const ExactReal& theta : unscaled_theta(context)) result.add(theta, Band::kept);
  return round_scaled(std::move(result));
}

}  // namespace

constinit const ScalingRule default_rule = {
    .name = "default",
    .summary = "theta_i unchanged",
    .formula = "θ_i = b^(−2i/r)",
    .source = "Su et al., RoFormer, arXiv:2104.09864, §3.2.2",
    .other_names = kNamesOfDefault,
    .in_config = true,
    .apply = apply_default};

}  // namespace rope
