#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

Scaled apply_default(const ScalingSpec& /*spec*/, const ScalingContext& context) {
  ExactScaled result;
  for (const ExactReal& theta : unscaled_theta(context)) result.add(theta, Band::kept);
  return round_scaled(std::move(result));
}

}  // namespace

constinit const ScalingRule default_rule = {"default",
                                            "theta_k as they are",
                                            "θ_k = b^(−2k/r)",
                                            "Su et al., RoFormer, arXiv:2104.09864, §3.2.2",
                                            {},
                                            apply_default};

}  // namespace rope
