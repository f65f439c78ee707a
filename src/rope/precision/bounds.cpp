#include "rope/precision/bounds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace rope {
namespace {

constexpr double kSqrt2 = std::numbers::sqrt2;
constexpr double kPi = std::numbers::pi;

/// Bits from the first to the last one of a significand.
int significant_bits(double value) {
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);
  const auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  return 53 - std::countr_zero(digits);
}

/// P: rounding error of the product of two numbers of the format whose significands have the given
/// numbers of bits: 0 where it is exact, half a unit in the last place of the product otherwise.
double product_rounding(const FormatLimits& format, double a, int a_bits, double b, int b_bits) {
  if (a == 0 || b == 0 || a_bits + b_bits <= format.precision) return 0;
  // The power of two at or below the product; 0 for subnormal numbers. The double product may have
  // rounded up to a power of two, which only enlarges the bound.
  constexpr std::uint64_t kExponentBits = 0x7ff0000000000000U;
  const auto power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(a * b) & kExponentBits);
  return std::max(power * format.unit_roundoff, format.underflow / 2);
}

/// |fl(p) − p| for an integer p, in integers: p itself need not be a double.
double conversion_error(double converted, std::int64_t position) {
  __extension__ using Int128 = __int128;
  const Int128 difference = static_cast<Int128>(converted) - position;
  return std::abs(static_cast<double>(difference));
}

double angle_table_error(const Policy& policy, const Hypotheses& hypotheses) {
  if (policy.angle_rule == AngleRule::exact) return kSqrt2 * kCosSinError;
  const double computed = kSqrt2 * hypotheses.libm_ulp * limits(policy.angle).unit_roundoff;
  const FormatLimits table = limits(policy.table);
  const bool cast = table.precision < limits(policy.angle).precision;
  return computed + (cast ? table.unit_roundoff / kSqrt2 : 0);
}

/// ρ: relative error of one rotated vector, and κ: its absolute part from underflow, per √d.
struct RotationError {
  double relative;
  double absolute;
};

RotationError rotation_error(const Policy& policy) {
  const FormatLimits apply = limits(policy.apply);
  const FormatLimits store = limits(policy.store);
  const double u = apply.unit_roundoff;
  RotationError error{kSqrt2 * (2 * u + u * u), apply.underflow * (1 + u)};
  if (store.precision < apply.precision) {
    error.relative = (1 + error.relative) * (1 + store.unit_roundoff) - 1;
    error.absolute += store.underflow / 2;
  }
  return error;
}

}  // namespace

double chord(double x) { return 2 * std::sin(std::min(x, kPi) / 2); }

ErrorBounds::ErrorBounds(const Pipeline& pipeline, Hypotheses hypotheses)
    : pipeline_(pipeline),
      hypotheses_(hypotheses),
      table_error_(angle_table_error(pipeline.policy(), hypotheses)) {
  for (const double theta : pipeline.theta()) theta_bits_.push_back(significant_bits(theta));
}

double ErrorBounds::table_error(std::int64_t position) const {
  return position == 0 ? 0 : table_error_;
}

void ErrorBounds::add_angle_errors(std::int64_t position, std::vector<double>& sums) const {
  if (position == 0) return;
  if (pipeline_.policy().angle_rule == AngleRule::exact) {
    // θ_k/2π is known to 2^-128; the upper 64 bits of the product are used.
    const double turns = std::abs(static_cast<double>(position)) * 0x1p-128 + 0x1p-64;
    for (double& sum : sums) sum += 2 * kPi * turns;
    return;
  }
  const FormatLimits format = limits(pipeline_.policy().angle);
  const std::span<const double> theta = pipeline_.theta();
  const double converted = pipeline_.position(position);
  const double residual = conversion_error(converted, position);
  const int bits = significant_bits(converted);
  for (std::size_t k = 0; k < sums.size(); ++k)
    sums[k] +=
        residual * theta[k] + product_rounding(format, converted, bits, theta[k], theta_bits_[k]);
}

double ErrorBounds::frequency_error(std::size_t pair) const {
  const Policy& policy = pipeline_.policy();
  if (policy.angle_rule == AngleRule::exact) return 0;
  const RotaryEmbedding& embedding = pipeline_.embedding();
  const double theta = embedding.frequencies.theta[pair];
  const FormatLimits f = limits(policy.angle);
  const double u = f.unit_roundoff;
  if (!embedding.base) {  // given frequencies: one rounding to the format
    return significant_bits(theta) <= f.precision ? 0 : u * theta + f.underflow / 2;
  }
  if (pair == 0) return 0;  // base^0
  const auto dim = static_cast<double>(embedding.rotary_dim());
  const double exponent = static_cast<double>(2 * pair) / dim;
  const bool exponent_exact = std::has_single_bit(embedding.rotary_dim());
  const bool base_exact = significant_bits(*embedding.base) <= f.precision;
  const double slope =
      exponent * u *
      ((exponent_exact ? 0 : std::abs(std::log(*embedding.base))) + (base_exact ? 0 : 1 + u));
  const double pow_error = 2 * hypotheses_.pow_ulp * u;
  const double relative = policy.angle == Format::float32
                              ? std::exp(slope) * (1 + u) / (1 - pow_error) - 1
                              : std::exp(slope) * (1 + pow_error) - 1;
  return relative * theta + f.underflow;
}

void ErrorBounds::identity(std::int64_t m, std::int64_t n, std::int64_t distance,
                           std::vector<double>& per_pair) const {
  const double em = table_error(m), en = table_error(n), er = table_error(distance);
  per_pair.assign(pipeline_.theta().size(), 0);
  for (const std::int64_t position : {m, n, distance}) add_angle_errors(position, per_pair);
  for (double& bound : per_pair) bound = (chord(bound) + em + en + em * en + er) * kBoundInflation;
}

void ErrorBounds::shift(std::int64_t m, std::int64_t n, std::int64_t by,
                        std::vector<double>& per_pair) const {
  const double em = table_error(m), en = table_error(n);
  const double es = table_error(m + by), et = table_error(n + by);
  per_pair.assign(pipeline_.theta().size(), 0);
  for (const std::int64_t position : {m, n, m + by, n + by}) add_angle_errors(position, per_pair);
  for (double& bound : per_pair)
    bound = (chord(bound) + em + en + em * en + es + et + es * et) * kBoundInflation;
}

void ErrorBounds::faithfulness(std::int64_t position, std::vector<double>& per_pair) const {
  const double distance = std::abs(static_cast<double>(position));
  per_pair.assign(pipeline_.theta().size(), 0);
  add_angle_errors(position, per_pair);
  for (std::size_t k = 0; k < per_pair.size(); ++k)
    per_pair[k] = (chord(per_pair[k] + distance * frequency_error(k)) + table_error(position)) *
                  kBoundInflation;
}

double ErrorBounds::rotated_score() const {
  const auto d = static_cast<double>(pipeline_.embedding().head_dim);
  const RotationError rotation = rotation_error(pipeline_.policy());
  const double nu = d * limits(pipeline_.policy().accumulate).unit_roundoff;
  const double y = 1 + table_error_;
  const double dy = rotation.relative * y + std::sqrt(d) * rotation.absolute;
  return (nu * (y + dy) * (y + dy) + 2 * y * dy + dy * dy) * kBoundInflation;
}

double ErrorBounds::relative_score() const {
  const auto d = static_cast<double>(pipeline_.embedding().head_dim);
  const RotationError rotation = rotation_error(pipeline_.policy());
  const double nu = d * limits(pipeline_.policy().accumulate).unit_roundoff;
  const double y = 1 + table_error_;
  const double dy = rotation.relative * y + std::sqrt(d) * rotation.absolute;
  return (nu * (y + dy) + dy) * kBoundInflation;
}

void rotation_running_error(const Pipeline& pipeline, const PairBlocks& blocks,
                            std::span<const double> x, std::span<const double> y,
                            std::span<double> errors) {
  const FormatLimits apply = limits(pipeline.policy().apply);
  const FormatLimits store = limits(pipeline.policy().store);
  const double store_roundoff = store.precision < apply.precision ? store.unit_roundoff : 0;
  const auto exact_factor = [](double w) { return w == 0 || std::abs(w) == 1; };
  const auto entry_error = [&](double first, double a, double second, double b, double sum) {
    const double p = exact_factor(a) ? 0 : std::abs(first * a);
    const double q = exact_factor(b) ? 0 : std::abs(second * b);
    const double s = a == 0 || b == 0 ? 0 : std::abs(sum);
    if (p == 0 && q == 0 && s == 0) return store_roundoff * std::abs(sum);
    // (1 + 2u): |product| here is the exact product, the rule is stated for the rounded one.
    return apply.unit_roundoff * (p + q + s) * (1 + 2 * apply.unit_roundoff) + apply.underflow +
           store_roundoff * std::abs(sum);
  };
  for (std::size_t k = 0; k < blocks.cos.size(); ++k) {
    const auto [i, j] = pipeline.embedding().dimensions(k);
    errors[i] = entry_error(x[i], blocks.cos[k], x[j], blocks.upper[k], y[i]);
    errors[j] = entry_error(x[i], blocks.lower[k], x[j], blocks.cos[k], y[j]);
  }
  for (std::size_t i = 2 * blocks.cos.size(); i < x.size(); ++i) errors[i] = 0;
}

double dot_running_error(const Pipeline& pipeline, VectorWithError a, VectorWithError b) {
  const FormatLimits accumulate = limits(pipeline.policy().accumulate);
  double propagated = 0, rounded = 0, sum = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double da = a.errors.empty() ? 0 : a.errors[i];
    const double db = b.errors.empty() ? 0 : b.errors[i];
    propagated += std::abs(b.values[i]) * da + std::abs(a.values[i]) * db + da * db;
    const double product = round_to(pipeline.policy().accumulate, a.values[i] * b.values[i]);
    sum = round_to(pipeline.policy().accumulate, sum + product);
    rounded += std::abs(product) + (i == 0 ? 0 : std::abs(sum));
  }
  const auto d = static_cast<double>(a.values.size());
  return (propagated + accumulate.unit_roundoff * rounded + d * accumulate.underflow) *
         kBoundInflation;
}

}  // namespace rope
