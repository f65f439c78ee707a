#include "rope/precision/running_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rope/precision/bounds.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/precision/store_error.hpp"
#include "rope/precision/sum.hpp"

namespace rope {
namespace {

/// What the operations of a rotation may do to one number of its result.
class EntryError {
 public:
  EntryError(const Policy& policy, std::span<const double> y)
      : apply_(policy.apply),
        u_(limits(apply_).unit_roundoff),
        // Once: subnormal numbers are slow. Half of the smallest double would be 0.
        half_underflow_(
            larger(limits(apply_).underflow / 2, std::numeric_limits<double>::denorm_min())) {
    const StoreError store = store_error(policy);
    double largest = 0;
    if (store.of_largest > 0)
      for (const double value : y) largest = larger(largest, std::abs(value));
    relative_ = store.relative;
    flat_ = store.flat(largest);
  }

  /// Of the sum of the products xa and yb, neither of which has a factor of 0 or ±1.
  [[gnu::always_inline]] double ordinary(double x, double a, double y, double b,
                                         double stored) const {
    const double cast = cast_error(stored);
    return product(x, a) + product(y, b) + sum(stored, cast) + cast;
  }

  /// Of any factors.
  double any(double x, double a, double y, double b, double stored) const {
    const double cast = cast_error(stored);
    // A sum with a product that is not there is that of one number.
    const double of_sum = a == 0 || b == 0 ? 0 : sum(stored, cast);
    return any_product(x, a) + any_product(y, b) + of_sum + cast;
  }

 private:
  double cast_error(double stored) const { return relative_ * std::abs(stored) + flat_; }

  double sum(double stored, double cast) const {
    return u_ * (std::abs(stored) + cast) * (1 + 2 * u_);
  }

  /// |fl(xw) − xw|, at most. The rule is stated for the computed product, hence (1 + 2u).
  double product(double x, double w) const {
    return u_ * std::abs(x * w) * (1 + 2 * u_) + half_underflow_;
  }

  /// A factor of 0 or ±1 rounds x alone, and what that does is seen.
  double any_product(double x, double w) const {
    if (w == 0) return 0;
    return std::abs(w) == 1 ? std::abs(round_to(apply_, x) - x) : product(x, w);
  }

  Format apply_;
  double u_, half_underflow_, relative_ = 0, flat_ = 0;
};

/// Whether a product with one of them may be exact.
[[gnu::always_inline]] inline bool any_special(std::span<const double> factors) {
  double found = 0;  // no branch, and as wide as a factor: the loop becomes vector code
  for (const double w : factors) found = w * (w * w - 1) == 0 ? 1 : found;
  return found != 0;
}

struct Rotated {
  const RotaryEmbedding& embedding;
  const PairBlocks& blocks;
  std::span<const double> x, y;
};

/// The errors of all pairs, were they ordinary ones.
[[gnu::always_inline]] inline void ordinary_errors(EntryError error, const Rotated& of,
                                                   double* __restrict errors) {
  const double *x = of.x.data(), *y = of.y.data(), *cos = of.blocks.cos.data();
  const double *upper = of.blocks.upper.data(), *lower = of.blocks.lower.data();
  of.embedding.for_each_pair([=](std::size_t k, std::size_t i, std::size_t j) {
    errors[i] = error.ordinary(x[i], cos[k], x[j], upper[k], y[i]);
    errors[j] = error.ordinary(x[i], lower[k], x[j], cos[k], y[j]);
  });
}

/// Sets them, and says whether there may be others.
[[gnu::always_inline]] inline bool error_loop(EntryError error, const Rotated& of, double* errors) {
  ordinary_errors(error, of, errors);
  return any_special(of.blocks.cos) || any_special(of.blocks.upper) || any_special(of.blocks.lower);
}
bool errors_baseline(EntryError error, const Rotated& of, double* errors) {
  return error_loop(error, of, errors);
}
ROPE_TARGET_V3 bool errors_v3(EntryError error, const Rotated& of, double* errors) {
  return error_loop(error, of, errors);
}
ROPE_TARGET_V4 bool errors_v4(EntryError error, const Rotated& of, double* errors) {
  return error_loop(error, of, errors);
}

double error_at(const VectorWithError& v, std::size_t i) {
  return v.errors.empty() ? 0 : v.errors[i];
}

/// What errors of up to da and db make of the product ab.
double propagated_error(double a, double da, double b, double db) {
  const double from_a = std::abs(b) * da, from_b = std::abs(a) * db;
  return from_a + from_b + da * db;
}

double running_error(const Pipeline& pipeline, std::size_t d, double propagated,
                     double magnitudes) {
  const FormatLimits& accumulate = limits(pipeline.policy().accumulate);
  return (propagated + accumulate.unit_roundoff * magnitudes +
          static_cast<double>(d) * (accumulate.underflow / 2 + kBoundUnderflow)) *
         kBoundInflation;
}

BoundedScore bounded_score(const ScoreTask& of) {
  const Score score = of.pipeline.dot(of.a.values, of.b.values);
  return {score, dot_running_error(of.pipeline, of.a, of.b, score)};
}

/// A score summed from left to right, and what the errors of its vectors make of it so far.
template <class Round>
class RunningScore {
 public:
  RunningScore(const ScoreTask& of, Round round)
      : a_(of.a.values.data()),
        b_(of.b.values.data()),
        da_(of.a.errors.data()),
        db_(of.b.errors.data()),
        sum_(round, of.pipeline.exact_products()),
        propagated_(propagated_error(a_[0], da_[0], b_[0], db_[0])) {
    sum_.start(a_[0], b_[0]);
  }

  void add(std::size_t i) {
    sum_.add(a_[i], b_[i]);
    propagated_ += propagated_error(a_[i], da_[i], b_[i], db_[i]);
  }

  BoundedScore result(const ScoreTask& of) const {
    return {{sum_.value(), sum_.counted()},
            running_error(of.pipeline, of.a.values.size(), propagated_, sum_.counted())};
  }

 private:
  const double *a_, *b_, *da_, *db_;
  Sum<Magnitudes, Round> sum_;
  double propagated_;
};

}  // namespace

void rotation_running_error(const Pipeline& pipeline, const PairBlocks& blocks,
                            std::span<const double> x, std::span<const double> y,
                            std::span<double> errors) {
  const EntryError error(pipeline.policy(), y);
  const RotaryEmbedding& embedding = pipeline.embedding();
  const bool special = for_level(pipeline.level(), errors_baseline, errors_v3, errors_v4)(
      error, {embedding, blocks, x, y}, errors.data());
  if (special)
    embedding.for_each_pair([&](std::size_t k, std::size_t i, std::size_t j) {
      errors[i] = error.any(x[i], blocks.cos[k], x[j], blocks.upper[k], y[i]);
      errors[j] = error.any(x[i], blocks.lower[k], x[j], blocks.cos[k], y[j]);
    });
  // Numbers that pass through are of the store format already, unless that is scaled: seen.
  for (std::size_t i = 2 * blocks.cos.size(); i < x.size(); ++i) errors[i] = std::abs(x[i] - y[i]);
}

double dot_running_error(const Pipeline& pipeline, VectorWithError a, VectorWithError b,
                         const Score& score) {
  double propagated = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    propagated += propagated_error(a.values[i], error_at(a, i), b.values[i], error_at(b, i));
  return running_error(pipeline, a.values.size(), propagated, score.magnitudes);
}

void add_dot_errors(const Pipeline& pipeline, VectorWithError a, VectorWithError b,
                    std::vector<double>& errors) {
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    errors.push_back(std::abs(b.values[i]) * error_at(a, i));
    errors.push_back(std::abs(a.values[i]) * error_at(b, i));
  }
  const double u = limits(pipeline.policy().accumulate).unit_roundoff;
  for (const double rounded : pipeline.dot_rounded(a.values, b.values))
    errors.push_back(u * rounded);
}

std::array<BoundedScore, 2> bounded_scores(const ScoreTask& first, const ScoreTask& second) {
  const Policy &p = first.pipeline.policy(), &q = second.pipeline.policy();
  if (p.accumulate != q.accumulate || p.sum != SumOrder::sequential || q.sum != p.sum ||
      first.a.errors.empty() || first.b.errors.empty() || second.a.errors.empty() ||
      second.b.errors.empty())
    return {bounded_score(first), bounded_score(second)};
  return with_rounding(p.accumulate, [&](auto round) {
    RunningScore one(first, round), other(second, round);
    for (std::size_t i = 1; i < first.a.values.size(); ++i) {
      one.add(i);
      other.add(i);
    }
    return std::array{one.result(first), other.result(second)};
  });
}

}  // namespace rope
