// ErrorBounds of rotated vectors and of scores; those of the entries they are made of are in
// bounds.cpp.

#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "rope/precision/bounds.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/store_error.hpp"

namespace rope {
namespace {

/// ρ: error of one vector turned in the plane of each pair, relative to its length, and κ: its
/// absolute part from underflow, for a vector of d numbers. Before the cast to the store format.
struct RotationError {
  double relative;
  double absolute;
};

RotationError rotation_error(const Policy& policy, double d) {
  const FormatLimits& apply = limits(policy.apply);
  const double u = apply.unit_roundoff;
  return {std::numbers::sqrt2 * (2 * u + u * u),
          std::sqrt(d) * (apply.underflow * (1 + u) + kBoundUnderflow)};
}

/// The same after the cast.
RotationError stored_error(const Policy& policy, double d) {
  const RotationError rotation = rotation_error(policy, d);
  const StoreError store = store_error(policy);
  const double cast = store.relative + std::sqrt(d) * store.of_largest;  // max|x| ≤ ‖x‖
  return {compounded(rotation.relative, cast),
          rotation.absolute * (1 + cast) + std::sqrt(d) * store.absolute};
}

/// ν: error of a sum of d products relative to Σ|a_i b_i| (Jeannerod and Rump 2013); for a tree the
/// roundings on the way from a leaf to the root.
double sum_error(const Pipeline& pipeline, std::size_t d) {
  const Policy& policy = pipeline.policy();
  const double u = limits(policy.accumulate).unit_roundoff;
  const int products = pipeline.exact_products() ? 0 : 1;
  if (policy.sum == SumOrder::pairwise) {
    const int levels = std::numeric_limits<std::size_t>::digits - std::countl_zero(d - 1);
    const int height = levels + products;
    return std::expm1(height * std::log1p(u));
  }
  return (static_cast<double>(d) - 1 + products) * u;
}

/// What d products may lose by underflow, and what their sum makes of it; sums lose nothing.
double sum_underflow(const Policy& policy, std::size_t d, double sum) {
  return static_cast<double>(d) *
         (limits(policy.accumulate).underflow / 2 * (1 + sum) + kBoundUnderflow);
}

}  // namespace

double ErrorBounds::rotated(const Position& position, std::span<const double> x,
                            std::vector<double>& per_pair) const {
  const RotaryEmbedding& embedding = pipeline_.embedding();
  const double factor = embedding.attention_factor;
  const RotationError rotation = rotation_error(pipeline_.policy(), 2);
  const StoreError store = store_error(pipeline_.policy());
  faithfulness(position, per_pair);
  double largest = 0;
  std::vector<double> lengths(per_pair.size());  // at most that of a pair before the cast
  for (std::size_t k = 0; k < per_pair.size(); ++k) {
    const auto [i, j] = embedding.dimensions(k);
    const double exact = factor * pair_length(x[i], x[j]);
    const double evaluation = rotation.relative * (1 + per_pair[k]) * exact + rotation.absolute;
    lengths[k] = (1 + per_pair[k]) * exact + evaluation;
    largest = larger(largest, lengths[k]);
    per_pair[k] = per_pair[k] * exact + evaluation;
  }
  for (std::size_t i = embedding.rotary_dim(); i < x.size(); ++i)
    largest = larger(largest, std::abs(x[i]));
  const double flat = store.flat(largest);
  for (std::size_t k = 0; k < per_pair.size(); ++k)
    per_pair[k] =
        (per_pair[k] + store.relative * lengths[k] + std::numbers::sqrt2 * flat) * kBoundInflation;
  // What passes through is of the store format already, unless that is scaled.
  return store.of_largest > 0 ? (store.relative * largest + flat) * kBoundInflation : 0;
}

double ErrorBounds::rotated_score(double q_norm, double k_norm) const {
  const Policy& policy = pipeline_.policy();
  const std::size_t d = pipeline_.embedding().head_dim;
  const RotationError rotation = stored_error(policy, static_cast<double>(d));
  const double longer = (1 + table_error_) * stretch(pipeline_.embedding());
  const double yq = longer * q_norm, yk = longer * k_norm;
  const double dq = rotation.relative * yq + rotation.absolute;
  const double dk = rotation.relative * yk + rotation.absolute;
  const double sum = sum_error(pipeline_, d);
  return (sum * (yq + dq) * (yk + dk) + yq * dk + dq * yk + dq * dk +
          sum_underflow(policy, d, sum)) *
         kBoundInflation;
}

double ErrorBounds::relative_score(double q_norm, double k_norm) const {
  const Policy& policy = pipeline_.policy();
  const std::size_t d = pipeline_.embedding().head_dim;
  const RotationError rotation = stored_error(policy, static_cast<double>(d));
  const double scale = stretch(pipeline_.embedding());
  const double yk = (1 + table_error_) * scale * k_norm, yq = scale * q_norm;
  const double dk = rotation.relative * yk + rotation.absolute;
  // The right side's q is multiplied by A in double.
  const double factor = pipeline_.embedding().attention_factor;
  const double dq =
      factor == 1 ? 0 : 0x1p-53 * yq + std::sqrt(static_cast<double>(d)) * kBoundUnderflow;
  const double sum = sum_error(pipeline_, d);
  return (sum * (yq + dq) * (yk + dk) + yq * dk + (dq == 0 ? 0 : dq * (yk + dk)) +
          sum_underflow(policy, d, sum)) *
         kBoundInflation;
}

double stretch(const RotaryEmbedding& embedding) {
  const double factor = embedding.attention_factor;
  return embedding.rotary_dim() < embedding.head_dim ? larger(1.0, factor) : factor;
}

}  // namespace rope
