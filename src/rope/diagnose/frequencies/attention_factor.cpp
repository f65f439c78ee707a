#include "rope/diagnose/frequencies/attention_factor.hpp"

#include <cmath>
#include <utility>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/precision/largest.hpp"

namespace rope {

std::vector<Spectrum> with_factors(const Spectrum& spectrum, const MeasuredAngles& angles) {
  const double measured = angles.factor;
  const double slack = 8 * angles.factor_error + 1e-15;
  std::vector<Spectrum> variants;
  const auto add = [&](double factor, double error) {
    for (const Spectrum& variant : variants)
      if (variant.embedding.attention_factor == factor) return;
    Spectrum variant = spectrum;
    variant.rule_factor = spectrum.embedding.attention_factor;
    variant.embedding.attention_factor = factor;
    variant.factor_error = error;
    variant.factor_low = smaller(factor, measured - slack);
    variant.factor_high = larger(factor, measured + slack);
    variants.push_back(std::move(variant));
  };
  // Applied twice, a factor is squared.
  const double of_rule = spectrum.embedding.attention_factor;
  for (const double width : {slack, 1e-2})
    for (const double known : {1.0, of_rule, of_rule * of_rule})
      if (std::abs(known - measured) <= width) add(known, 0);
  const double round = simplest_number(measured - slack, measured + slack);
  add(round, 0);
  if (round != measured) add(measured, 2 * angles.factor_error / measured + 0x1p-50);
  return variants;
}

}  // namespace rope
