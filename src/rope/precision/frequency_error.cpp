#include "rope/precision/frequency_error.hpp"

#include <bit>
#include <cmath>

#include "rope/precision/rounding.hpp"

namespace rope {
namespace {

/// Relative error of pow(b, exponent) in a format: of pow itself, of its exponent (unless that is
/// an exact quotient) and of b.
double power_error(Format format, double base, double exponent, bool exact_exponent,
                   const Hypotheses& hypotheses) {
  const double u = limits(format).unit_roundoff;
  const bool exact_base = significant_bits(base) <= limits(format).precision;
  const double slope =
      exponent * u * ((exact_exponent ? 0 : std::abs(std::log(base))) + (exact_base ? 0 : 1 + u));
  // Not exp(slope)·(1 + 2λu) − 1, which in float64 is a multiple of 2u: too small by up to u.
  return std::expm1(slope + std::log1p(2 * hypotheses.pow_ulp * u));
}

/// τ_i: relative error of a frequency that is no worse than the format of the angle makes it.
double granted_relative_error(const Policy& policy, double base, std::size_t dim, std::size_t pair,
                              const Hypotheses& hypotheses) {
  const FormatLimits& angle = limits(policy.angle);
  const bool exact_exponent = std::has_single_bit(dim);
  const bool narrow = angle.precision < limits(Format::float32).precision;
  const double cast = narrow ? angle.unit_roundoff : 0;
  const auto i = static_cast<double>(pair), r = static_cast<double>(dim);
  if (policy.angle_rule == AngleRule::product) {
    const Format format = policy.angle == Format::float64 ? Format::float64 : Format::float32;
    const double power = power_error(format, base, 2 * i / r, exact_exponent, hypotheses);
    // 1/pow: the reciprocal of 1 − ε, and its own rounding.
    const double u = limits(format).unit_roundoff;
    const double relative = format == Format::float32 ? (u + power) / (1 - power) : power;
    return compounded(relative, cast);
  }
  // i factors s, each off by σ; or pow(s, i), which rounds once more.
  const double sigma =
      compounded(power_error(Format::float32, base, 2 / r, exact_exponent, hypotheses), cast);
  const double powers = std::expm1(i * std::log1p(sigma));
  if (policy.angle_rule == AngleRule::recurrence) return powers;
  const double once = 2 * hypotheses.pow_ulp * limits(Format::float32).unit_roundoff;
  return compounded(compounded(powers, once), cast);
}

}  // namespace

double granted_frequency_error(const Pipeline& pipeline, std::size_t pair,
                               const Hypotheses& hypotheses) {
  const Policy& policy = pipeline.policy();
  if (policy.angle_rule == AngleRule::exact) return 0;
  const RotaryEmbedding& embedding = pipeline.embedding();
  const double theta = embedding.frequencies.theta[pair];
  const FormatLimits& f = limits(policy.angle);
  if (!embedding.geometric_base()) {  // given or scaled frequencies: one rounding to the format
    // θ_i itself was rounded to double.
    const double known =
        embedding.base ? (0x1p-53 + hypotheses.rule_roundings * f.unit_roundoff) * theta : 0;
    if (round_to(policy.angle, theta) == theta) return known;
    return known + f.unit_roundoff * theta + f.underflow / 2;
  }
  if (pair == 0) return 0;  // base^0
  return granted_relative_error(policy, *embedding.base, embedding.rotary_dim(), pair, hypotheses) *
             theta +
         f.underflow;
}

double actual_frequency_error(const Pipeline& pipeline, std::size_t pair) {
  const Policy& policy = pipeline.policy();
  if (policy.angle_rule == AngleRule::exact) return 0;
  const double theta = pipeline.embedding().frequencies.theta[pair];
  const double known = pipeline.embedding().base ? 0x1p-53 * theta : 0;  // given θ_i are exact
  const double power = policy.angle_rule == AngleRule::recurrence ? 0x1p-51 * theta : 0;
  return std::abs(pipeline.theta()[pair] - theta) + known + power;
}

}  // namespace rope
