#include "rope/precision/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"

namespace rope {
namespace {

constexpr double kSqrt2 = std::numbers::sqrt2;
constexpr double kPi = std::numbers::pi;

/// |fl(p) − p| for an integer p, in integers: p itself need not be a double.
double conversion_error(double converted, std::int64_t position) {
  __extension__ using Int128 = __int128;
  const Int128 difference = static_cast<Int128>(converted) - position;
  return std::abs(static_cast<double>(difference));
}

/// What taking whole turns off an angle adds: 2π itself is a rounded number, once a turn, and the
/// rest of at most half a turn is rounded to float32.
double reduction_error(double angle) {
  constexpr double kTwoPiError = 2.4493e-16;  // |fl(2π) − 2π|
  const double turns = std::ceil(std::abs(angle) / (2 * kPi) + 0.5);
  return turns * kTwoPiError + limits(Format::float32).unit_roundoff * kPi;
}

/// Rounding of an angle that was multiplied i times in a row: |p|s^i((1 + u)^i − 1), and underflow.
/// Infinite where one of the products may overflow.
double recurrence_rounding(const FormatLimits& format, double angle, std::size_t factors) {
  const auto i = static_cast<double>(factors);
  const double error =
      angle * std::expm1(i * std::log1p(format.unit_roundoff)) + i * format.underflow / 2;
  return angle + error <= format.largest ? error : HUGE_VAL;
}

double cos_sin_error(const Policy& policy, const Hypotheses& hypotheses) {
  if (policy.angle_rule == AngleRule::exact) return kSqrt2 * kCosSinError;
  const FormatLimits &trig = limits(policy.trig()), &table = limits(policy.table);
  const double computed = kSqrt2 * hypotheses.libm_ulp * trig.unit_roundoff;
  // A number in [1/2, 1) is cast with an error of at most u/2, in both components.
  return computed + (table.precision < trig.precision ? table.unit_roundoff / kSqrt2 : 0);
}

/// What multiplying by the attention factor A adds to an entry, relative to A.
double factor_error(const Policy& policy) {
  if (policy.angle_rule == AngleRule::exact) return 0x1p-53 * (1 + 2 * kCosSinError);
  // A itself is rounded, then the product; λ ulp of libm are in the entry already.
  const double u = limits(policy.trig()).unit_roundoff;
  return 2 * u + 8 * u * u + limits(policy.trig()).underflow;
}

/// Casting an entry of up to A to the table format, relative to A.
double factor_cast_error(const Policy& policy, double factor) {
  const FormatLimits &trig = limits(policy.trig()), &table = limits(policy.table);
  if (policy.angle_rule == AngleRule::exact || table.precision >= trig.precision) return 0;
  const double largest = factor * (1 + 8 * trig.unit_roundoff);
  return kSqrt2 * half_ulp(table, largest) / factor;
}

/// Adds what errors of the frequencies make of a distance in tokens.
void add_frequency_errors(std::int64_t distance, const std::vector<double>& of_theta,
                          std::vector<double>& sums) {
  const double tokens = std::abs(static_cast<double>(distance));
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += tokens * of_theta[i];
}

/// Any number of the format within `granted` of θ_i: how large it is at most, and the bits that it
/// may have.
Significand any_frequency(Format format, double theta, double granted) {
  if (granted == 0) return significand_of(theta);
  const FormatLimits& f = limits(format);
  // The last place of the smallest of them: a full significand below it.
  const double last = power_of_two_below(larger(theta - granted, 0.0)) * 2 * f.unit_roundoff;
  return {theta + granted, f.precision, larger(last, f.underflow)};
}

/// Puts bound(x) in the place of every x; those of neighbouring pairs often are the same.
template <class Bound>
void replace_each(std::vector<double>& per_pair, Bound bound) {
  if (per_pair.empty()) return;
  double of = per_pair.front(), bounded = bound(of);
  for (double& x : per_pair) {
    if (x != of) {
      of = x;
      bounded = bound(x);
    }
    x = bounded;
  }
}

}  // namespace

double pair_length(double x, double y) {
  const double longer = larger(std::abs(x), std::abs(y));
  const double shorter = smaller(std::abs(x), std::abs(y));
  if (!(longer > 0) || std::isinf(longer)) return longer + shorter;
  const double ratio = shorter / longer;
  return longer * std::sqrt(1 + ratio * ratio);
}

double chord(double x) { return 2 * std::sin(smaller(x, kPi) / 2); }

ErrorBounds::ErrorBounds(const Pipeline& pipeline, Hypotheses hypotheses)
    : pipeline_(pipeline),
      hypotheses_(hypotheses),
      table_error_(cos_sin_error(pipeline.policy(), hypotheses)) {
  const Policy& policy = pipeline.policy();
  if (const double factor = pipeline.embedding().attention_factor; factor != 1) {
    const double computed = kSqrt2 * hypotheses.libm_ulp * limits(policy.trig()).unit_roundoff;
    const double before = policy.angle_rule == AngleRule::exact ? table_error_ : computed;
    const double by_factor = factor_error(policy);
    table_error_ = before + by_factor * (1 + before) + factor_cast_error(policy, factor);
    // cos 0 = 1 and sin 0 = 0 are exact, and so is the product of the exact policy.
    if (policy.angle_rule != AngleRule::exact)
      error_at_0_ = by_factor + factor_cast_error(policy, factor);
  }
  for (std::size_t i = 0; i < pipeline.theta().size(); ++i) {
    granted_.push_back(rope::granted_frequency_error(pipeline, i, hypotheses));
    actual_.push_back(actual_frequency_error(pipeline, i));
    own_.push_back(significand_of(pipeline.theta()[i]));
    any_.push_back(any_frequency(policy.frequency, pipeline.embedding().frequencies.theta[i],
                                 granted_.back()));
  }
}

double ErrorBounds::table_error(std::int64_t position) const {
  return position == 0 ? error_at_0_ : table_error_;
}

void ErrorBounds::add_angle_errors(std::int64_t position, std::vector<double>& sums) const {
  add_angle_errors(position, own_, sums);
}

void ErrorBounds::add_angle_errors(std::int64_t position, const std::vector<Significand>& theta,
                                   std::vector<double>& sums) const {
  if (position == 0) return;
  const Policy& policy = pipeline_.policy();
  if (policy.angle_rule == AngleRule::exact) {
    // θ_i/2π is known to 2^-128; the upper 64 bits of the product are used.
    const double turns = std::abs(static_cast<double>(position)) * 0x1p-128 + 0x1p-64;
    for (double& sum : sums) sum += 2 * kPi * turns;
    return;
  }
  const FormatLimits& format = limits(policy.angle);
  const double converted = pipeline_.position(position);
  if (!std::isfinite(converted)) {
    sums.assign(sums.size(), std::numeric_limits<double>::infinity());
    return;
  }
  const double residual = conversion_error(converted, position);
  const Significand held = significand_of(converted);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double angle = held.magnitude * theta[i].magnitude;
    sums[i] += residual * theta[i].magnitude;
    if (policy.angle_rule == AngleRule::recurrence)  // i roundings, one a factor
      sums[i] += recurrence_rounding(format, angle, i);
    else
      sums[i] += product_rounding(format, held, theta[i]);
    if (policy.reduced) sums[i] += reduction_error(angle);
  }
}

double ErrorBounds::largest_angle_error(double position, std::size_t pair) const {
  if (position < 1) return 0;
  const Policy& policy = pipeline_.policy();
  if (policy.angle_rule == AngleRule::exact) return 2 * kPi * (position * 0x1p-128 + 0x1p-64);
  const FormatLimits &format = limits(policy.angle), &integers = limits(policy.position);
  const double theta = own_[pair].magnitude;
  const double converted = round_to(policy.position, position);
  if (!std::isfinite(converted)) return std::numeric_limits<double>::infinity();
  // Every integer of up to p bits is there; beyond, half the gap.
  const bool exact = position <= std::ldexp(1.0, integers.precision);
  double error = exact ? 0 : half_ulp(integers, converted) * theta;
  // 2^j itself has one bit, and those below it j.
  const int bits = std::min<int>(integers.precision, std::ilogb(larger(position - 1, 1.0)) + 1);
  if (policy.angle_rule == AngleRule::recurrence)
    error += recurrence_rounding(format, converted * theta, pair);
  else
    error += product_rounding(format, {converted, bits, 1}, own_[pair]);
  // A turn more: the turns of m and of n − m need not end where this looks.
  return error + (policy.reduced ? reduction_error(converted * theta + 2 * kPi) : 0);
}

double ErrorBounds::granted_frequency_error(std::size_t pair) const { return granted_[pair]; }

double ErrorBounds::frequency_error(std::size_t pair) const { return actual_[pair]; }

void ErrorBounds::identity(std::int64_t m, std::int64_t n, std::int64_t distance,
                           std::vector<double>& per_pair) const {
  const double em = table_error(m), en = table_error(n), er = table_error(distance);
  per_pair.assign(pipeline_.theta().size(), 0);
  for (const std::int64_t position : {m, n, distance}) add_angle_errors(position, per_pair);
  replace_each(per_pair,
               [&](double x) { return (chord(x) + em + en + em * en + er) * kBoundInflation; });
}

double ErrorBounds::largest_angle_defect(double last, std::size_t pair) const {
  const Policy& policy = pipeline_.policy();
  const bool product =
      policy.angle_rule != AngleRule::exact && policy.angle_rule != AngleRule::recurrence;
  const double one = largest_angle_error(last, pair);
  if (product && !policy.reduced && last <= std::ldexp(1.0, limits(policy.position).precision)) {
    // Nothing but the three angles is rounded, and nθ̂ − mθ̂ − rθ̂ is 0: so fl(nθ̂) − fl(mθ̂) − fl(rθ̂)
    // is a whole multiple of the smallest of the three units in the last place. Of the largest sum
    // of three half units, that leaves twice the largest one.
    return 2 * one;
  }
  // D grows in steps, where the angle or the position reaches a power of two. So D_m + D_{n−m} is
  // largest where m or n − m stands at a step.
  double both = one;
  const auto try_step = [&](double step) {
    for (const double m : {std::floor(step), std::ceil(step), std::floor(step) + 1})
      if (m >= 0 && m <= last)
        both = larger(both, largest_angle_error(m, pair) + largest_angle_error(last - m, pair));
  };
  const double theta = pipeline_.theta()[pair];
  const int octaves = std::ilogb(last);
  for (int e = 0; e <= octaves; ++e) try_step(std::ldexp(1.0, e));
  // Where the angle passes a power of two: from the last one down to that of θ̂ itself.
  const double highest = power_of_two_below(last * theta);
  for (int e = 0; highest > 0 && e <= octaves + 1; ++e) try_step(std::ldexp(highest, -e) / theta);
  return one + both;
}

double ErrorBounds::identity_up_to(std::int64_t last, std::size_t pair) const {
  const double e = table_error(last);
  return (chord(largest_angle_defect(static_cast<double>(last), pair)) + 3 * e + e * e) *
         kBoundInflation;
}

double ErrorBounds::exact_up_to(std::int64_t last, std::size_t pair) const {
  const auto n = static_cast<double>(last);
  const double e = table_error(last);
  return (chord(2 * largest_angle_error(n, pair) + n * actual_[pair]) + 2 * e + e * e) *
         kBoundInflation;
}

void ErrorBounds::shift(std::int64_t m, std::int64_t n, std::int64_t by,
                        std::vector<double>& per_pair) const {
  const double em = table_error(m), en = table_error(n);
  const double es = table_error(m + by), et = table_error(n + by);
  per_pair.assign(pipeline_.theta().size(), 0);
  for (const std::int64_t position : {m, n, m + by, n + by}) add_angle_errors(position, per_pair);
  replace_each(per_pair, [&](double x) {
    return (chord(x) + em + en + em * en + es + et + es * et) * kBoundInflation;
  });
}

void ErrorBounds::exact(std::int64_t m, std::int64_t n, std::int64_t distance,
                        std::vector<double>& per_pair) const {
  const double em = table_error(m), en = table_error(n);
  per_pair.assign(pipeline_.theta().size(), 0);
  for (const std::int64_t position : {m, n}) add_angle_errors(position, per_pair);
  add_frequency_errors(distance, actual_, per_pair);
  replace_each(per_pair,
               [&](double x) { return (chord(x) + em + en + em * en) * kBoundInflation; });
}

void ErrorBounds::row(std::int64_t position, const std::vector<Significand>& theta,
                      const std::vector<double>& of_theta, std::vector<double>& per_pair) const {
  per_pair.assign(pipeline_.theta().size(), 0);
  add_angle_errors(position, theta, per_pair);
  add_frequency_errors(position, of_theta, per_pair);
  replace_each(per_pair,
               [&](double x) { return (chord(x) + table_error(position)) * kBoundInflation; });
}

void ErrorBounds::exact(std::int64_t position, std::vector<double>& per_pair) const {
  row(position, own_, actual_, per_pair);
}

void ErrorBounds::faithfulness(std::int64_t position, std::vector<double>& per_pair) const {
  row(position, any_, granted_, per_pair);
}

/// Fills per_pair with what bound(axis, …) gives to the pairs of each axis.
template <typename Bound>
void ErrorBounds::by_axis(std::vector<double>& per_pair, Bound bound) const {
  const Axes& axes = pipeline_.embedding().axes;
  bound(0, per_pair);
  std::vector<double> of_axis;
  for (std::size_t axis = 1; axis < axes.count(); ++axis) {
    bound(axis, of_axis);
    for (std::size_t i = 0; i < per_pair.size(); ++i)
      if (axes.of_pair[i] == axis) per_pair[i] = of_axis[i];
  }
}

void ErrorBounds::faithfulness(const Position& position, std::vector<double>& per_pair) const {
  by_axis(per_pair, [&](std::size_t axis, std::vector<double>& limits) {
    faithfulness(position[axis], limits);
  });
}

void ErrorBounds::identity(const Position& m, const Position& n,
                           std::vector<double>& per_pair) const {
  by_axis(per_pair, [&](std::size_t axis, std::vector<double>& limits) {
    identity(m[axis], n[axis], n[axis] - m[axis], limits);
  });
}

void ErrorBounds::shift(const Position& m, const Position& n, const Position& by,
                        std::vector<double>& per_pair) const {
  by_axis(per_pair, [&](std::size_t axis, std::vector<double>& limits) {
    shift(m[axis], n[axis], by[axis], limits);
  });
}

}  // namespace rope
