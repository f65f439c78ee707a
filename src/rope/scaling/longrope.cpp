#include <array>

#include "rope/error.hpp"
#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr std::array<std::string_view, 1> kNamesOfLongrope = {"su"};
constexpr std::array<Parameter, 5> kLongropeParameters = {
    {{.name = "short",
      .meaning = "the divisor of each frequency, for sequences up to original",
      .required = true,
      .list = true,
      .config_key = "short_factor"},
     {.name = "long",
      .meaning = "the divisor of each frequency, for sequences longer than original",
      .required = true,
      .list = true,
      .config_key = "long_factor"},
     kOriginal,
     implied_factor("s in the formula of A"),
     attention_factor_parameter("sqrt(1 + ln s/ln L), and 1 if s is at most 1")}};

const std::vector<double>& checked_list(const ScalingSpec& spec, std::string_view name,
                                        std::size_t pairs) {
  const std::vector<double>& list = spec.lists.find(name)->second;
  if (list.size() != pairs)
    throw ShapeError(Subject{"scaling longrope"},
                     std::string(name) + ": expected " + std::to_string(pairs) +
                         " numbers, one per pair, got " + std::to_string(list.size()),
                     "The lists fit only one rotary_dim: set it to twice their length.");
  return list;
}

ExactReal attention_factor(const ScalingSpec& spec, const ScalingContext& context,
                           const ExactReal& original, ExactScaled& result) {
  if (const std::optional<double> given = optional_number(spec, "attention_factor")) return *given;
  const ExactReal factor = extension_factor(spec, context, original, result);
  if (factor <= 1) return 1;
  if (original == 1)
    refuse_scaling(spec, "original", "more than 1 token", "1",
                   "The formula for the attention factor divides by ln original: give "
                   "attention_factor itself.");
  return sqrt(1 + log(factor) / log(original));
}

Scaled apply_longrope(const ScalingSpec& spec, const ScalingContext& context) {
  const std::vector<ExactReal> unscaled = unscaled_theta(context);
  const std::vector<double>& short_list = checked_list(spec, "short", unscaled.size());
  const std::vector<double>& long_list = checked_list(spec, "long", unscaled.size());
  const ExactReal original = original_length(spec, context);
  const bool beyond = context.seq_len && ExactReal(*context.seq_len) > original;
  ExactScaled result;
  result.fact("long", beyond ? 1 : 0);
  const std::vector<double>& divisors = beyond ? long_list : short_list;
  for (std::size_t i = 0; i < unscaled.size(); ++i)
    result.add(unscaled[i] / divisors[i], divisors[i] == 1 ? Band::kept : Band::scaled);
  result.attention_factor = attention_factor(spec, context, original, result);
  return round_scaled(std::move(result));
}

}  // namespace

constinit const ScalingRule longrope_rule = {
    .name = "longrope",
    .summary = "LongRoPE: a divisor for every pair, one list up to original, another beyond it",
    .formula =
        "θ'_i = θ_i/short_i, or θ_i/long_i if the sequence is longer than L; A = √(1 + ln s/ln L)",
    .source =
        "Ding et al., LongRoPE, arXiv:2402.13753; Hugging Face transformers, "
        "modeling_rope_utils.py",
    .parameters = kLongropeParameters,
    .example = "longrope:short=@short.json,long=@long.json,original=4096",
    .other_names = kNamesOfLongrope,
    .in_config = true,
    .depends_on_length = true,
    .apply = apply_longrope};

}  // namespace rope
