#include "rope/scaling/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "rope/error.hpp"
#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

std::string_view expected(ParameterDomain domain) {
  switch (domain) {
    case ParameterDomain::positive:
      return "a finite number above 0";
    case ParameterDomain::non_negative:
      return "a finite number of at least 0";
    case ParameterDomain::length:
      return "a whole number of tokens, at least 1";
    case ParameterDomain::fraction:
      return "a number from 0 to 1";
    case ParameterDomain::flag:
      return "0 or 1";
    case ParameterDomain::real:
      break;
  }
  return "a finite number";
}

bool within(ParameterDomain domain, double value) {
  switch (domain) {
    case ParameterDomain::positive:
      return std::isfinite(value) && value > 0;
    case ParameterDomain::non_negative:
      return std::isfinite(value) && value >= 0;
    case ParameterDomain::length:
      return value >= 1 && value <= 0x1p53 && value == std::floor(value);
    case ParameterDomain::fraction:
      return value >= 0 && value <= 1;
    case ParameterDomain::flag:
      return value == 0 || value == 1;
    case ParameterDomain::real:
      break;
  }
  return std::isfinite(value);
}

template <typename Range, typename Name>
std::string listed(const Range& range, Name name) {
  std::string text;
  for (const auto& entry : range) text += (text.empty() ? "" : ", ") + std::string(name(entry));
  return text;
}

void refuse_unknown(const ScalingSpec& spec, const ScalingRule& rule, const std::string& key,
                    bool list) {
  for (const ScalingParameter& parameter : rule.parameters) {
    if (parameter.name != key) continue;
    if (parameter.list == list) return;
    refuse_scaling(spec, key, list ? "one number" : "a list of numbers, one a pair",
                   list ? "a list" : "one number", "It is " + std::string(parameter.meaning) + ".");
  }
  refuse_scaling(spec, "parameters",
                 rule.parameters.empty()
                     ? "none"
                     : listed(rule.parameters, [](const auto& entry) { return entry.name; }),
                 "'" + key + "'",
                 rule.parameters.empty() ? "This rule takes no parameters." : "Leave it out.");
}

void check_parameters(const ScalingSpec& spec, const ScalingRule& rule) {
  for (const auto& [key, value] : spec.numbers) refuse_unknown(spec, rule, key, false);
  for (const auto& [key, values] : spec.lists) refuse_unknown(spec, rule, key, true);
  for (const ScalingParameter& parameter : rule.parameters) {
    const std::string remedy = "It is " + std::string(parameter.meaning) + ".";
    const auto check = [&](double value) {
      if (!within(parameter.domain, value))
        refuse_scaling(spec, parameter.name, expected(parameter.domain), number_text(value),
                       remedy);
    };
    bool given = false;
    if (const auto found = spec.numbers.find(parameter.name); found != spec.numbers.end()) {
      check(found->second);
      given = true;
    }
    if (const auto found = spec.lists.find(parameter.name); found != spec.lists.end()) {
      for (const double value : found->second) check(value);
      given = true;
    }
    if (parameter.required && !given)
      refuse_scaling(spec, parameter.name,
                     parameter.list ? "a list of numbers, one a pair" : expected(parameter.domain),
                     "nothing", remedy);
  }
}

void check_context(const ScalingContext& context) {
  if (!(context.base > 0) || !std::isfinite(context.base))
    throw DomainError("base: expected a finite number above 0, got " + number_text(context.base),
                      "Most models use 10000 or 500000.");
  if (context.rotary_dim < 1 || context.rotary_dim > kMaxRotaryDim)
    throw ShapeError("rotary_dim: expected an integer from 1 to " + std::to_string(kMaxRotaryDim) +
                         ", got " + std::to_string(context.rotary_dim),
                     "It is the number of rotated dimensions.");
  if (context.rotary_dim > context.head_dim || context.head_dim > kMaxRotaryDim)
    throw ShapeError("head_dim: expected " + std::to_string(context.rotary_dim) +
                         " (rotary_dim) to " + std::to_string(kMaxRotaryDim) + ", got " +
                         std::to_string(context.head_dim),
                     "A head is at least as large as what is rotated of it.");
  for (const auto& [name, length] :
       {std::pair("max_positions", context.max_positions), std::pair("seq_len", context.seq_len)})
    if (length && *length < 1)
      throw DomainError(
          std::string(name) + ": expected at least 1 token, got " + std::to_string(*length),
          "Lengths are counted in tokens.");
}

}  // namespace

Scaled scale(const ScalingSpec& spec, const ScalingContext& context) {
  const ScalingRule* const rule = find_scaling_rule(spec.rule);
  if (rule == nullptr)
    throw DomainError(
        "scaling: expected one of " +
            listed(scaling_rules(), [](const ScalingRule& known) { return known.name; }) +
            ", got '" + spec.rule + "'",
        "docs/scaling.md describes each.");
  check_context(context);
  check_parameters(spec, *rule);
  Scaled scaled = rule->apply(spec, context);
  if (!(scaled.attention_factor > 0) || !std::isfinite(scaled.attention_factor))
    refuse_scaling(spec, "attention factor", "a finite number above 0",
                   number_text(scaled.attention_factor),
                   "It comes from attention_factor, or from factor, mscale and mscale_all_dim.");
  return scaled;
}

RotaryEmbedding scaled_embedding(const ScalingSpec& spec, const ScalingContext& context,
                                 PairLayout layout) {
  Scaled scaled = scale(spec, context);
  RotaryEmbedding embedding;
  embedding.head_dim = context.head_dim;
  embedding.layout = layout;
  embedding.frequencies = std::move(scaled.frequencies);
  embedding.attention_factor = scaled.attention_factor;
  embedding.base = context.base;
  embedding.scaling = spec;
  embedding.bands = std::move(scaled.bands);
  embedding.max_positions = context.max_positions;
  embedding.seq_len = context.seq_len;
  if (embedding.rotary_dim() > embedding.head_dim)
    throw ShapeError("rotary_dim: expected an even integer up to head_dim " +
                         std::to_string(embedding.head_dim) + ", got " +
                         std::to_string(context.rotary_dim),
                     "The last frequency has no second dimension to turn.");
  return embedding;
}

}  // namespace rope
