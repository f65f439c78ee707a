#include "rope/precision/running_error.hpp"

#include <algorithm>
#include <cmath>

#include "rope/precision/bounds.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/precision/store_error.hpp"

namespace rope {
namespace {

/// |fl(xw) − xw|, at most. A factor of 0 or ±1 rounds x alone, and what that does is seen.
double product_error(Format apply, double u, double half_underflow, double x, double w) {
  if (w == 0) return 0;
  if (std::abs(w) == 1) return std::abs(round_to(apply, x) - x);
  // The rule is stated for the computed product, hence (1 + 2u).
  return u * std::abs(x * w) * (1 + 2 * u) + half_underflow;
}

}  // namespace

void rotation_running_error(const Pipeline& pipeline, const PairBlocks& blocks,
                            std::span<const double> x, std::span<const double> y,
                            std::span<double> errors) {
  const Format apply = pipeline.policy().apply;
  const double u = limits(apply).unit_roundoff;
  const double half_underflow = limits(apply).underflow / 2;  // once: subnormal numbers are slow
  const StoreError store = store_error(pipeline.policy());
  double largest = 0;
  if (store.of_largest > 0)
    for (const double value : y) largest = larger(largest, std::abs(value));
  const double flat = store.flat(largest);
  const auto entry_error = [&](double first, double a, double second, double b, double stored) {
    const double cast = store.relative * std::abs(stored) + flat;
    // A sum with a product that is not there is that of one number.
    const double sum = a == 0 || b == 0 ? 0 : u * (std::abs(stored) + cast) * (1 + 2 * u);
    return product_error(apply, u, half_underflow, first, a) +
           product_error(apply, u, half_underflow, second, b) + sum + cast;
  };
  for (std::size_t k = 0; k < blocks.cos.size(); ++k) {
    const auto [i, j] = pipeline.embedding().dimensions(k);
    errors[i] = entry_error(x[i], blocks.cos[k], x[j], blocks.upper[k], y[i]);
    errors[j] = entry_error(x[i], blocks.lower[k], x[j], blocks.cos[k], y[j]);
  }
  // Numbers that pass through are of the store format already, unless that is scaled: seen.
  for (std::size_t i = 2 * blocks.cos.size(); i < x.size(); ++i) errors[i] = std::abs(x[i] - y[i]);
}

ScoreError dot_running_error(const Pipeline& pipeline, VectorWithError a, VectorWithError b,
                             const Score& score) {
  const FormatLimits& accumulate = limits(pipeline.policy().accumulate);
  const auto wide = [](double x) { return static_cast<long double>(x); };
  double propagated = 0;
  ScoreError error;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double da = a.errors.empty() ? 0 : a.errors[i];
    const double db = b.errors.empty() ? 0 : b.errors[i];
    const double from_a = std::abs(b.values[i]) * da, from_b = std::abs(a.values[i]) * db;
    propagated += from_a + from_b + da * db;
    error.squares += wide(from_a) * wide(from_a) + wide(from_b) * wide(from_b);
  }
  const auto d = static_cast<double>(a.values.size());
  const double u = accumulate.unit_roundoff;
  error.rigorous =
      (propagated + u * score.magnitudes + d * (accumulate.underflow / 2 + kBoundUnderflow)) *
      kBoundInflation;
  error.squares += wide(u) * wide(u) * score.squares;
  return error;
}

}  // namespace rope
