#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/rotary/exact_real.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {

// Each rule is defined in the source file named after it; rules.cpp collects the rules in a table.
extern const ScalingRule default_rule;
extern const ScalingRule linear_rule;
extern const ScalingRule ntk_rule;
extern const ScalingRule ntk_fixed_rule;
extern const ScalingRule ntk_mixed_rule;
extern const ScalingRule dynamic_rule;
extern const ScalingRule yarn_rule;
extern const ScalingRule yarn_paper_rule;
extern const ScalingRule longrope_rule;
extern const ScalingRule llama3_rule;
extern const ScalingRule proportional_rule;
extern const ScalingRule truncation_rule;

// Declarations shared by several rules.
inline constexpr std::array<std::string_view, 2> kNamesOfFactor = {"scale", "scaling_factor"};
inline constexpr std::array<std::string_view, 3> kNamesOfOriginal = {
    "max_position_embeddings", "original_context_length", "original_max_seq_len"};
inline constexpr std::array<std::string_view, 1> kNamesOfAttentionFactor = {"attn_factor"};

/// The parameter s, for rules that cannot derive s from anything else.
constexpr Parameter required_factor(std::string_view meaning) {
  return {.name = "factor",
          .meaning = meaning,
          .required = true,
          .config_key = "factor",
          .gguf_key = "rope.scaling.factor",
          .other_names = kNamesOfFactor};
}

/// The parameter s, for rules that can also derive s from the lengths: see extension_factor.
constexpr Parameter implied_factor(std::string_view meaning) {
  Parameter factor = required_factor(meaning);
  factor.required = false;
  factor.otherwise = "the model's positions / original";
  return factor;
}

/// The parameter L: see original_length.
inline constexpr Parameter kOriginal = {.name = "original",
                                        .meaning = "L, the trained length",
                                        .domain = ParameterDomain::length,
                                        .otherwise = "the model's positions",
                                        .config_key = "original_max_position_embeddings",
                                        .gguf_key = "rope.scaling.original_context_length",
                                        .other_names = kNamesOfOriginal};

/// The parameter A; `otherwise` is the formula that applies if A is not given.
constexpr Parameter attention_factor_parameter(std::string_view otherwise) {
  return {.name = "attention_factor",
          .meaning = "A itself",
          .otherwise = otherwise,
          .config_key = "attention_factor",
          .other_names = kNamesOfAttentionFactor};
}

/// The θ_i that a rule computes, before they are rounded.
struct ExactScaled {
  std::vector<ExactReal> theta;
  std::vector<Band> bands;
  ExactReal attention_factor = 1;
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, double>> facts;

  void add(ExactReal value, Band band) {
    theta.push_back(std::move(value));
    bands.push_back(band);
  }
  void fact(std::string name, const ExactReal& value) {
    facts.emplace_back(std::move(name), static_cast<double>(value));
  }
};

/// Rounds each θ_i, each number of turns and A once.
Scaled round_scaled(ExactScaled exact);

/// The θ_i before any rule is applied.
std::vector<ExactReal> unscaled_theta(const ScalingContext& context);

/// The parameter, or nothing if it was not given.
std::optional<double> optional_number(const ScalingSpec& spec, std::string_view name);

/// The parameter; scale() has already checked that it is present.
double required_number(const ScalingSpec& spec, std::string_view name);

/// Throws DomainError and never returns: "scaling yarn: factor: expected a number above 0, got -1".
[[noreturn]] void refuse_scaling(const ScalingSpec& spec, std::string_view what,
                                 std::string_view expected, std::string_view found,
                                 std::string remedy);

/// L: `original`, or else max_positions. Throws DomainError if neither is given.
double original_length(const ScalingSpec& spec, const ScalingContext& context);

/// s: `factor`, or else max_positions/L, which is then also added to the facts of `result`. Throws
/// DomainError if neither is given.
ExactReal extension_factor(const ScalingSpec& spec, const ScalingContext& context,
                           const ExactReal& original, ExactScaled& result);

/// Adds a warning if the factor is below 1, which shortens the context.
void warn_of_small_factor(const ExactReal& factor, ExactScaled& result);

/// Adds a warning if the ratio of lengths (extension_factor) is 1.
void warn_of_no_extension(const ScalingSpec& spec, const ExactReal& factor, ExactScaled& result);

/// The d of the exponent d/(d−2). Throws ShapeError if d is 2, because the exponent would divide by
/// zero.
ExactReal dimension_of_base_change(const ScalingSpec& spec, const ScalingContext& context);

/// The band of a pair after a change of base, which keeps the frequency of pair 0 and divides that
/// of the last pair by the whole factor.
Band band_of_base_change(std::size_t pair, std::size_t pairs, bool changed);

/// Adds θ(1 − ramp) + θ/factor·ramp, with ramp from 0 (kept) to 1 (scaled).
void add_blend(const ExactReal& theta, const ExactReal& factor, const ExactReal& ramp,
               ExactScaled& result);

/// YaRN's magnitude g(s, m): 0.1·m·ln s + 1, or 1 if s ≤ 1.
ExactReal yarn_magnitude(const ExactReal& factor, const ExactReal& mscale);

}  // namespace rope
