// What every scaling rule makes of θ_i, proved for each preset and for parameters that are drawn:
// the formulas of docs/scaling.md in intervals of 700 bits leave one double for θ_i and for A, and
// hold θ_i/2π mod 1 within 2^-128.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "rope/model/presets.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/documented_scaling.hpp"
#include "support/turn_interval.hpp"

namespace rope {
namespace {

using Real = test::DocumentedScaling::Real;

/// What is not proved of it: nothing, or the first thing.
std::string unproved(const ScalingSpec& spec, const ScalingContext& context, const Scaled& scaled) {
  const test::DocumentedScaling documented(spec, context);
  const Frequencies& of = scaled.frequencies;
  const std::vector<Real> theta = documented.theta();
  if (theta.size() != of.theta.size()) return "the number of pairs";
  for (std::size_t k = 0; k < theta.size(); ++k) {
    const std::string pair = " of pair " + std::to_string(k);
    if (!rounds_to(theta[k], of.theta[k])) return "θ" + pair;
    const Real two_pi = Real(2.0) * Real::pi();
    if (!rounds_to(two_pi / theta[k], of.wavelength[k])) return "λ" + pair;
    const Real turns = theta[k] / two_pi;
    if (!surely_at_most(test::turns_between(turns, of.turns[k]), Real(0x1p-128)))
      return "turns" + pair;
  }
  return rounds_to(documented.attention_factor(), scaled.attention_factor) ? "" : "A";
}

TEST(ScalingProof, EveryPresetHasTheFrequenciesOfItsRule) {
  int proved = 0;
  for (const std::string& preset : preset_names()) {
    const std::optional<std::int64_t> context = preset_model(preset).context;
    for (const std::optional<std::int64_t> length : {std::optional<std::int64_t>(), context}) {
      ReadOptions options;
      options.seq_len = length;
      for (const LayerRope& layer : preset_model(preset, options).layers) {
        if (!layer.rotates() || layer.spec.rule == "default") continue;
        EXPECT_EQ(
            unproved(layer.spec, {layer.base, layer.head_dim, layer.rotary_dim, context, length},
                     layer.scaled),
            "")
            << preset << ' ' << layer.name << ", " << length.value_or(0) << " tokens";
        ++proved;
      }
    }
  }
  EXPECT_GE(proved, 40);
  RecordProperty("layers", proved);
}

class Draws {
 public:
  ScalingContext context() {
    const std::size_t r = 2 * integer(2, 64);
    const double base = std::exp(real(0.1, 18));
    return {base, r + 2 * integer(0, 8), r, {}, static_cast<std::int64_t>(integer(1, 300000))};
  }
  ScalingSpec spec(std::string_view rule, const ScalingContext& context) {
    ScalingSpec spec{std::string(rule), {}, {}};
    auto& numbers = spec.numbers;
    const std::size_t pairs = context.rotary_dim / 2;
    const auto original = static_cast<double>(integer(256, 65536));
    if (rule != "truncation") numbers["factor"] = integer(0, 9) == 0 ? real(0.2, 1) : real(1, 64);
    if (rule == "ntk-mixed" && coin()) numbers["power"] = real(0.1, 2);
    for (const std::string_view has : {"dynamic", "yarn", "yarn-paper", "longrope", "llama3"})
      if (rule == has) numbers["original"] = original;
    if (rule == "yarn" || rule == "yarn-paper") {
      if (coin()) numbers["beta_fast"] = real(8, 64);
      if (coin()) numbers["beta_slow"] = real(0.25, 4);
      if (integer(0, 3) == 0) numbers["attention_factor"] = real(0.5, 2);
    }
    if (rule == "yarn") {
      if (coin()) numbers["truncate"] = 0;
      if (coin()) numbers["mscale"] = real(0.1, 2);
      if (coin()) numbers["mscale_all_dim"] = real(0.1, 2);
    }
    if (rule == "llama3") {
      numbers["low"] = real(0.25, 4);
      numbers["high"] = integer(0, 4) == 0 ? numbers["low"] : numbers["low"] + real(0, 16);
    }
    if (rule == "longrope")
      for (const char* name : {"short", "long"})
        for (std::size_t k = 0; k < pairs; ++k) spec.lists[name].push_back(real(0.5, 70));
    if (rule == "proportional" && coin()) numbers["partial"] = real(0, 1);
    if (rule == "truncation") {
      numbers["high"] = std::exp(real(-10, 0));
      numbers["low"] = numbers["high"] * real(0, 0.9);
      numbers["value"] = coin() ? numbers["high"] * real(0, 0.9) : 0;
    }
    return spec;
  }
  std::size_t integer(std::size_t low, std::size_t high) {
    return std::uniform_int_distribution<std::size_t>(low, high)(random_);
  }

 private:
  double real(double low, double high) {
    return std::uniform_real_distribution<>(low, high)(random_);
  }
  bool coin() { return integer(0, 1) == 1; }
  std::mt19937_64 random_{20261127};
};

TEST(ScalingProof, EveryRuleHasItsFormulaForParametersThatAreDrawn) {
  constexpr int kEach = 60;
  Draws draws;
  for (const ScalingRule& rule : scaling_rules().subspan(1))
    for (int i = 0; i < kEach; ++i) {
      ScalingContext context = draws.context();
      const ScalingSpec spec = draws.spec(rule.name, context);
      if (rule.name == "proportional" && spec.numbers.contains("partial"))
        context.rotary_dim = context.head_dim;  // one of the two says how many turn
      ASSERT_EQ(unproved(spec, context, scale(spec, context)), "")
          << scaling_text(spec) << ", base " << context.base << ", r " << context.rotary_dim
          << ", d " << context.head_dim << ", " << *context.seq_len << " tokens";
    }
}

// A parameter in its last bit, a θ_i or an A in theirs, and 2^-127 of a turn are seen.
TEST(ScalingProof, WhatIsOffByABitIsNotProved) {
  const ScalingContext context{1e6, 128, 128, {}, 131072};
  for (const char* text : {"linear:factor=4", "ntk:factor=4", "ntk-fixed:factor=4",
                           "ntk-mixed:factor=4", "dynamic:factor=4,original=32768",
                           "yarn:factor=4,original=32768", "yarn-paper:factor=4,original=32768",
                           "llama3:factor=4,low=1,high=4,original=8192", "proportional:factor=4"}) {
    const ScalingSpec spec = parse_scaling(text);
    const Scaled right = scale(spec, context);
    ASSERT_EQ(unproved(spec, context, right), "") << text;
    ScalingSpec other = spec;
    other.numbers["factor"] = std::nextafter(4.0, 5.0);
    EXPECT_NE(unproved(other, context, right), "") << text;
    Scaled wrong = right;
    wrong.frequencies.theta[40] = std::nextafter(right.frequencies.theta[40], 1.0);
    EXPECT_EQ(unproved(spec, context, wrong), "θ of pair 40") << text;
    wrong = right;
    wrong.frequencies.wavelength[40] = std::nextafter(right.frequencies.wavelength[40], 1.0);
    EXPECT_EQ(unproved(spec, context, wrong), "λ of pair 40") << text;
    wrong = right;
    wrong.frequencies.turns[40].low += 2;
    EXPECT_EQ(unproved(spec, context, wrong), "turns of pair 40") << text;
    wrong = right;
    wrong.attention_factor = std::nextafter(right.attention_factor, 2.0);
    EXPECT_EQ(unproved(spec, context, wrong), "A") << text;
  }
}

}  // namespace
}  // namespace rope
