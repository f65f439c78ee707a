#include "rope/scaling/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "rope/error.hpp"
#include "rope/parameters/suggest.hpp"
#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

std::string names_of_rules() {
  std::vector<std::string_view> names;
  for (const ScalingRule& rule : scaling_rules()) names.push_back(rule.name);
  return alternatives(names);
}

void check_context(const ScalingContext& context) {
  if (!(context.base > 0) || !std::isfinite(context.base))
    throw DomainError(Subject{"base"},
                      "expected a finite number above 0, got " + number_text(context.base),
                      "Most models use 10000 or 500000.");
  if (context.rotary_dim < 1 || context.rotary_dim > kMaxRotaryDim)
    throw ShapeError(Subject{"rotary_dim"},
                     "expected an integer from 1 to " + std::to_string(kMaxRotaryDim) + ", got " +
                         std::to_string(context.rotary_dim),
                     "rotary_dim is the number of rotated dimensions.");
  if (context.rotary_dim > context.head_dim || context.head_dim > kMaxRotaryDim)
    throw ShapeError(Subject{"head_dim"},
                     "expected " + std::to_string(context.rotary_dim) + " (rotary_dim) to " +
                         std::to_string(kMaxRotaryDim) + ", got " +
                         std::to_string(context.head_dim),
                     "A head is at least as large as its rotated part.");
  for (const auto& [name, length] :
       {std::pair("max_positions", context.max_positions), std::pair("seq_len", context.seq_len)})
    if (length && *length < 1)
      throw DomainError(Subject{name}, "expected at least 1 token, got " + std::to_string(*length),
                        "Lengths are counted in tokens.");
}

}  // namespace

void check_scaling(const ScalingSpec& spec) {
  const ScalingRule* const rule = find_scaling_rule(spec.rule);
  if (rule == nullptr) {
    const std::string likely = likely_scaling_rule(spec.rule);
    throw DomainError(
        Subject{"scaling"}, "expected " + names_of_rules() + ", got '" + spec.rule + "'",
        likely.empty() ? "For example yarn:factor=4,original=32768; rope glossary yarn explains it."
                       : "Did you mean " + likely + "?");
  }
  check_parameters("scaling " + spec.rule, rule->parameters, {spec.numbers, spec.lists});
}

Scaled scale(const ScalingSpec& spec, const ScalingContext& context) {
  check_scaling(spec);
  check_context(context);
  Scaled scaled = find_scaling_rule(spec.rule)->apply(spec, context);
  if (!(scaled.attention_factor > 0) || !std::isfinite(scaled.attention_factor))
    refuse_scaling(spec, "attention factor", "a finite number above 0",
                   number_text(scaled.attention_factor),
                   "It comes from attention_factor, or from factor, mscale and mscale_all_dim.");
  return scaled;
}

RotaryEmbedding scaled_embedding(const ScalingSpec& spec, const ScalingContext& context,
                                 PairLayout layout, std::vector<std::string>* warnings) {
  Scaled scaled = scale(spec, context);
  if (warnings != nullptr) *warnings = std::move(scaled.warnings);
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
    throw ShapeError(Subject{"rotary_dim"},
                     "expected an even integer up to head_dim " +
                         std::to_string(embedding.head_dim) + ", got " +
                         std::to_string(context.rotary_dim),
                     "The last frequency has no second dimension to turn.");
  return embedding;
}

}  // namespace rope
