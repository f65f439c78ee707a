#include <array>
#include <cmath>

#include "rope/error.hpp"
#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr std::array<Parameter, 2> kProportionalParameters = {
    {{.name = "partial",
      .meaning = "the fraction of all pairs that turn",
      .domain = ParameterDomain::fraction,
      .otherwise = "rotary_dim/head_dim",
      .config_key = "partial_rotary_factor"},
     {.name = "factor",
      .meaning = "s, by which the frequencies of the pairs that turn are divided",
      .standard = 1,
      .config_key = "factor",
      .other_names = kNamesOfFactor}}};

/// How many pairs turn.
std::size_t live_pairs(const ScalingSpec& spec, const ScalingContext& context) {
  const std::optional<double> partial = optional_number(spec, "partial");
  if (!partial) return context.rotary_dim / 2;
  if (context.rotary_dim != context.head_dim)
    refuse_scaling(spec, "partial", "either partial or a separate rotated size", "both",
                   "Leave one of them out.");
  // int(partial·head_dim // 2) in double, as configs are read.
  return static_cast<std::size_t>(std::floor(*partial * static_cast<double>(context.head_dim) / 2));
}

Scaled apply_proportional(const ScalingSpec& spec, const ScalingContext& context) {
  if (context.head_dim % 2 != 0)
    throw ShapeError(Subject{"scaling proportional"},
                     "head_dim: expected an even integer, got " + std::to_string(context.head_dim),
                     "The whole head is rotated in pairs, although some of them turn by 0.");
  const ExactReal factor = optional_number(spec, "factor").value_or(1);
  const std::size_t live = live_pairs(spec, context);
  ExactScaled result;
  warn_of_small_factor(factor, result);
  result.fact("live_pairs", live);
  const std::vector<ExactReal> whole_head =
      exact_geometric(ExactReal(context.base), context.head_dim);
  for (std::size_t i = 0; i < whole_head.size(); ++i) {
    if (i < live) {
      result.add(whole_head[i] / factor, factor == 1 ? Band::kept : Band::scaled);
    } else {
      result.add(0, Band::off);
    }
  }
  return round_scaled(std::move(result));
}

}  // namespace

constinit const ScalingRule proportional_rule = {
    .name = "proportional",
    .summary =
        "the fastest pairs of the whole head turn and the rest do not: rotary_dim becomes head_dim",
    .formula = "θ'_i = b^(−2i/d)/s for i < ⌊partial·d/2⌋, else 0",
    .source =
        "Barbero et al., Round and Round We Go, arXiv:2410.06205 (p-RoPE); Hugging Face "
        "transformers",
    .parameters = kProportionalParameters,
    .example = "proportional:partial=0.25",
    .in_config = true,
    .apply = apply_proportional};

}  // namespace rope
