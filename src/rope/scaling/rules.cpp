#include "rope/scaling/rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "rope/error.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope {

std::span<const ScalingRule> scaling_rules() {
  static const std::array rules = {default_rule,   linear_rule,       ntk_rule,
                                   ntk_fixed_rule, ntk_mixed_rule,    dynamic_rule,
                                   yarn_rule,      yarn_paper_rule,   longrope_rule,
                                   llama3_rule,    proportional_rule, truncation_rule};
  return rules;
}

const ScalingRule* find_scaling_rule(std::string_view name) {
  const std::span<const ScalingRule> rules = scaling_rules();
  const auto found = std::ranges::find(rules, name, &ScalingRule::name);
  return found == rules.end() ? nullptr : &*found;
}

std::string likely_scaling_rule(std::string_view word) {
  std::vector<std::string> names;
  for (const ScalingRule& rule : scaling_rules()) {
    if (std::ranges::count(rule.other_names, word) > 0) return std::string(rule.name);
    names.emplace_back(rule.name);
  }
  return likely_word(word, names);
}

bool has_one_list(const ScalingSpec& spec) {
  return !spec.lists.empty() && std::ranges::all_of(spec.lists, [&](const auto& named) {
    return named.second == spec.lists.begin()->second;
  });
}

bool depends_on_length(const ScalingSpec& spec) {
  const ScalingRule* const rule = find_scaling_rule(spec.rule);
  return rule != nullptr && rule->depends_on_length && !has_one_list(spec);
}

Scaled round_scaled(ExactScaled exact) {
  Scaled result;
  result.frequencies = round_frequencies(exact.theta);
  result.attention_factor = static_cast<double>(exact.attention_factor);
  result.bands = std::move(exact.bands);
  result.warnings = std::move(exact.warnings);
  result.facts = std::move(exact.facts);
  return result;
}

std::vector<ExactReal> unscaled_theta(const ScalingContext& context) {
  return exact_geometric(ExactReal(context.base), context.rotary_dim);
}

std::optional<double> optional_number(const ScalingSpec& spec, std::string_view name) {
  const auto found = spec.numbers.find(name);
  return found == spec.numbers.end() ? std::nullopt : std::optional(found->second);
}

double required_number(const ScalingSpec& spec, std::string_view name) {
  return spec.numbers.find(name)->second;
}

void refuse_scaling(const ScalingSpec& spec, std::string_view what, std::string_view expected,
                    std::string_view found, std::string remedy) {
  refuse_parameter("scaling " + spec.rule, what, expected, found, std::move(remedy));
}

double original_length(const ScalingSpec& spec, const ScalingContext& context) {
  if (const std::optional<double> original = optional_number(spec, "original")) return *original;
  if (!context.max_positions)
    refuse_scaling(spec, "original", "the length the model was trained for, in tokens", "nothing",
                   "Give original, or the model's number of positions.");
  return static_cast<double>(*context.max_positions);
}

ExactReal extension_factor(const ScalingSpec& spec, const ScalingContext& context,
                           const ExactReal& original, ExactScaled& result) {
  if (const std::optional<double> factor = optional_number(spec, "factor")) return *factor;
  if (!context.max_positions)
    refuse_scaling(spec, "factor", "a number above 0", "nothing",
                   "Give factor, or the model's number of positions: factor is then that number "
                   "divided by original.");
  ExactReal factor = ExactReal(*context.max_positions) / original;
  result.fact("factor", factor);
  return factor;
}

void warn_of_no_extension(const ScalingSpec& spec, const ExactReal& factor, ExactScaled& result) {
  if (factor == 1 && !optional_number(spec, "factor"))
    result.warnings.emplace_back(
        "nothing is scaled: factor is not given, and original equals the number of positions");
}

void warn_of_small_factor(const ExactReal& factor, ExactScaled& result) {
  if (factor < 1)
    result.warnings.emplace_back(
        "a factor below 1 raises the frequencies and shortens the context");
}

ExactReal dimension_of_base_change(const ScalingSpec& spec, const ScalingContext& context) {
  if (context.rotary_dim == 2)
    throw ShapeError(
        Subject{"scaling " + spec.rule}, "rotary_dim: expected a size other than 2, got 2",
        "The exponent d/(d-2) would divide by zero; a single pair has frequency 1 for any base.");
  return {context.rotary_dim};
}

Band band_of_base_change(std::size_t pair, std::size_t pairs, bool changed) {
  if (pair == 0 || !changed) return Band::kept;
  return pair + 1 == pairs ? Band::scaled : Band::blended;
}

void add_blend(const ExactReal& theta, const ExactReal& factor, const ExactReal& ramp,
               ExactScaled& result) {
  if (ramp == 0) {
    result.add(theta, Band::kept);
  } else if (ramp == 1) {
    result.add(theta / factor, Band::scaled);
  } else {
    result.add(theta / factor * ramp + theta * (1 - ramp), Band::blended);
  }
}

ExactReal yarn_magnitude(const ExactReal& factor, const ExactReal& mscale) {
  if (factor <= 1) return 1;
  return mscale * log(factor) / 10 + 1;
}

}  // namespace rope
