#include <algorithm>
#include <array>

#include "rope/error.hpp"
#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr double kDefaultBeta = 32;
constexpr double kDefaultAlpha = 1;

constexpr std::array<Parameter, 5> kYarnPaperParameters = {
    {implied_factor("s"),
     kOriginal,
     {.name = "beta_fast",
      .meaning = "the paper's beta: a pair with at least this many turns in L is kept",
      .standard = kDefaultBeta},
     {.name = "beta_slow",
      .meaning = "the paper's alpha: a pair with fewer turns in L is scaled",
      .standard = kDefaultAlpha},
     attention_factor_parameter("0.1 ln s + 1")}};

Scaled apply_yarn_paper(const ScalingSpec& spec, const ScalingContext& context) {
  const double beta = optional_number(spec, "beta_fast").value_or(kDefaultBeta);
  const double alpha = optional_number(spec, "beta_slow").value_or(kDefaultAlpha);
  if (!(beta > alpha))
    refuse_scaling(spec, "beta_fast", "more than beta_slow, " + number_text(alpha),
                   number_text(beta), "Pairs with at least beta_fast turns are kept.");
  const ExactReal original = original_length(spec, context);
  ExactScaled result;
  const ExactReal factor = extension_factor(spec, context, original, result);
  warn_of_no_extension(spec, factor, result);
  warn_of_small_factor(factor, result);
  for (const ExactReal& theta : unscaled_theta(context)) {
    const ExactReal turns = original * theta / exact_two_pi();
    const ExactReal kept = (turns - alpha) / (ExactReal(beta) - alpha);
    add_blend(theta, factor, 1 - std::clamp(kept, ExactReal(0), ExactReal(1)), result);
  }
  const std::optional<double> given = optional_number(spec, "attention_factor");
  result.attention_factor = given ? ExactReal(*given) : yarn_magnitude(factor, 1);
  return round_scaled(std::move(result));
}

}  // namespace

constinit const ScalingRule yarn_paper_rule = {
    .name = "yarn-paper",
    .summary =
        "YaRN as in its paper: the ramp runs over the turns in original, not over the pair "
        "index",
    .formula = "θ'_i = (1 − γ)θ_i/s + γθ_i, γ = clamp((L/λ_i − α)/(β − α), 0, 1); A = 0.1 ln s + 1",
    .source = "Peng et al., YaRN, arXiv:2309.00071, §3.2 to 3.4",
    .parameters = kYarnPaperParameters,
    .example = "yarn-paper:factor=4,original=32768",
    .apply = apply_yarn_paper};

}  // namespace rope
