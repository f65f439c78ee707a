#include <array>

#include "rope/error.hpp"
#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr std::array<Parameter, 3> kTruncationParameters = {
    {{.name = "low",
      .meaning = "a, in radians per token: frequencies up to a become 0",
      .required = true,
      .domain = ParameterDomain::non_negative},
     {.name = "high",
      .meaning = "c, in radians per token: frequencies of at least c are kept",
      .required = true},
     {.name = "value",
      .meaning = "beta, in radians per token: frequencies in between become beta",
      .required = true,
      .domain = ParameterDomain::non_negative}}};

Scaled apply_truncation(const ScalingSpec& spec, const ScalingContext& context) {
  const double low = required_number(spec, "low");
  const double high = required_number(spec, "high");
  const double value = required_number(spec, "value");
  if (!(low < high))
    refuse_scaling(spec, "low", "less than high, " + number_text(high), number_text(low),
                   "Frequencies up to low become 0; those from high on are kept.");
  ExactScaled result;
  if (value >= high)
    result.warnings.emplace_back("value is not below high, so slow pairs turn faster than before");
  for (const ExactReal& theta : unscaled_theta(context)) {
    if (theta >= high) {
      result.add(theta, Band::kept);
    } else if (theta <= low || value == 0) {
      result.add(0, Band::off);
    } else {
      result.add(value, Band::scaled);
    }
  }
  return round_scaled(std::move(result));
}

}  // namespace

constinit const ScalingRule truncation_rule = {
    .name = "truncation",
    .summary =
        "base truncation: fast pairs kept, middle ones set to one small value, slow ones to 0",
    .formula = "θ'_i = θ_i if θ_i ≥ c; β if a < θ_i < c; 0 if θ_i ≤ a",
    .source = "Pal et al., Giraffe, arXiv:2308.10882 (truncated basis)",
    .parameters = kTruncationParameters,
    .example = "truncation:low=1e-4,high=1e-2,value=1e-3",
    .apply = apply_truncation};

}  // namespace rope
