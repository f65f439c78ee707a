#include "rope/precision/running_error.hpp"

#include <algorithm>
#include <cmath>

#include "rope/precision/bounds.hpp"
#include "rope/precision/measured.hpp"

namespace rope {
namespace {

/// What casting a rotated vector to the store format may have changed.
class CastError {
 public:
  /// `y`: the vector as it was stored.
  CastError(const Policy& policy, std::span<const double> y) {
    const FormatLimits& store = limits(policy.store);
    if (store.precision >= limits(policy.apply).precision) return;
    relative_ = store.unit_roundoff;
    absolute_ = store.underflow / 2;
    if (policy.store != Format::float8) return;
    // Scaled by max|y|/448: three roundings in float32 beside the cast.
    const double u32 = limits(Format::float32).unit_roundoff;
    double largest = 0;
    for (const double value : y) largest = larger(largest, std::abs(value));
    relative_ = relative_ * (1 + 4 * u32) + 4 * u32;
    absolute_ *= largest / store.largest * (1 + 4 * u32);
  }

  double of(double stored) const { return relative_ * std::abs(stored) + absolute_; }

 private:
  double relative_ = 0, absolute_ = 0;
};

}  // namespace

void rotation_running_error(const Pipeline& pipeline, const PairBlocks& blocks,
                            std::span<const double> x, std::span<const double> y,
                            std::span<double> errors) {
  const FormatLimits& apply = limits(pipeline.policy().apply);
  const CastError cast(pipeline.policy(), y);
  const auto exact_factor = [](double w) { return w == 0 || std::abs(w) == 1; };
  const auto entry_error = [&](double first, double a, double second, double b, double sum) {
    const double p = exact_factor(a) ? 0 : std::abs(first * a);
    const double q = exact_factor(b) ? 0 : std::abs(second * b);
    const double s = a == 0 || b == 0 ? 0 : std::abs(sum);
    if (p == 0 && q == 0 && s == 0) return cast.of(sum);
    // |product| here is the exact one, |sum| the stored one: the rule is stated for the computed
    // ones, hence (1 + 2u) and what the cast may have taken away.
    return apply.unit_roundoff * (p + q + s + cast.of(sum)) * (1 + 2 * apply.unit_roundoff) +
           apply.underflow + cast.of(sum);
  };
  for (std::size_t k = 0; k < blocks.cos.size(); ++k) {
    const auto [i, j] = pipeline.embedding().dimensions(k);
    errors[i] = entry_error(x[i], blocks.cos[k], x[j], blocks.upper[k], y[i]);
    errors[j] = entry_error(x[i], blocks.lower[k], x[j], blocks.cos[k], y[j]);
  }
  // Numbers that pass through are of the store format already, unless that is scaled.
  for (std::size_t i = 2 * blocks.cos.size(); i < x.size(); ++i) errors[i] = std::abs(x[i] - y[i]);
}

ScoreError dot_running_error(const Pipeline& pipeline, VectorWithError a, VectorWithError b,
                             const Score& score) {
  const FormatLimits& accumulate = limits(pipeline.policy().accumulate);
  double propagated = 0;
  ScoreError error;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double da = a.errors.empty() ? 0 : a.errors[i];
    const double db = b.errors.empty() ? 0 : b.errors[i];
    const double from_a = std::abs(b.values[i]) * da, from_b = std::abs(a.values[i]) * db;
    propagated += from_a + from_b + da * db;
    error.squares += from_a * from_a + from_b * from_b;
  }
  const auto d = static_cast<double>(a.values.size());
  const double u = accumulate.unit_roundoff;
  error.rigorous = (propagated + u * score.magnitudes + d * accumulate.underflow) * kBoundInflation;
  error.squares += u * u * score.squares;
  return error;
}

}  // namespace rope
