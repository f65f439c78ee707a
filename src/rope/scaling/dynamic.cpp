#include <algorithm>
#include <array>

#include "rope/scaling/rules.hpp"

namespace rope {
namespace {

// A config.json has no key for it: transformers takes max_position_embeddings.
constexpr std::array<std::string_view, 2> kNamesOfPositions = {"max_position_embeddings",
                                                               "original_max_position_embeddings"};
constexpr std::array<Parameter, 2> kDynamicParameters = {
    {required_factor("s, which sets how fast the base grows with the length"),
     {.name = "original",
      .meaning = "L, the length up to which nothing changes",
      .domain = ParameterDomain::length,
      .otherwise = "the model's positions",
      .other_names = kNamesOfPositions}}};

Scaled apply_dynamic(const ScalingSpec& spec, const ScalingContext& context) {
  const ExactReal factor = required_number(spec, "factor");
  const ExactReal d = dimension_of_base_change(spec, context);
  const ExactReal original = original_length(spec, context);
  ExactScaled result;
  if (factor < 1)
    result.warnings.emplace_back(
        "a factor below 1 stretches the slowest pair by less than the growth in length");
  if (!context.seq_len)
    result.warnings.emplace_back(
        "without a sequence length, dynamic scaling changes nothing: it depends on the length of "
        "the input");
  const ExactReal at_hand = context.seq_len.value_or(0);
  const ExactReal length = std::max(at_hand, original);
  const ExactReal growth = factor * length / original - (factor - 1);
  const ExactReal base = ExactReal(context.base) * pow(growth, d / (d - 2));
  result.fact("scaled_base", base);
  result.theta = exact_geometric(base, context.rotary_dim);
  for (std::size_t i = 0; i < result.theta.size(); ++i)
    result.bands.push_back(band_of_base_change(i, result.theta.size(), growth != 1));
  return round_scaled(std::move(result));
}

}  // namespace

constinit const ScalingRule dynamic_rule = {
    .name = "dynamic",
    .summary = "dynamic NTK: a base that grows with the sequence length beyond original",
    .formula = "b' = b·(s·S/L − (s − 1))^(r/(r−2)), S = max(sequence length, L)",
    .source =
        "emozilla, Dynamically scaled RoPE, 2023; Hugging Face transformers, "
        "modeling_rope_utils.py",
    .parameters = kDynamicParameters,
    .example = "dynamic:factor=4,original=4096",
    .in_config = true,
    .depends_on_length = true,
    .apply = apply_dynamic};

}  // namespace rope
