#include <array>

#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

constexpr std::array<std::string_view, 1> kNamesOfNtk = {"ntk-aware"};
constexpr std::array<Parameter, 1> kNtkParameters = {
    {required_factor("s, by which the slowest pair is slowed down")}};

Scaled apply_ntk(const ScalingSpec& spec, const ScalingContext& context) {
  const ExactReal factor = required_number(spec, "factor");
  const ExactReal d = dimension_of_base_change(spec, context);
  const ExactReal base = ExactReal(context.base) * pow(factor, d / (d - 2));
  ExactScaled result;
  warn_of_small_factor(factor, result);
  result.fact("scaled_base", base);
  result.theta = exact_geometric(base, context.rotary_dim);
  for (std::size_t i = 0; i < result.theta.size(); ++i)
    result.bands.push_back(band_of_base_change(i, result.theta.size(), factor != 1));
  return round_scaled(std::move(result));
}

}  // namespace

constinit const ScalingRule ntk_rule = {
    .name = "ntk",
    .summary = "NTK-aware: a larger base, which keeps pair 0 and slows the last pair by factor",
    .formula = "b' = b·s^(r/(r−2)), θ'_i = b'^(−2i/r)",
    .source = "bloc97, NTK-aware scaled RoPE, 2023; Peng et al., YaRN, arXiv:2309.00071, §3.1",
    .parameters = kNtkParameters,
    .example = "ntk:factor=4",
    .other_names = kNamesOfNtk,
    .apply = apply_ntk};

}  // namespace rope
