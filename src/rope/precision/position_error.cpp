#include "rope/precision/position_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/precision/twofold.hpp"
#include "rope/random/random.hpp"

namespace rope {
namespace {

constexpr std::uint64_t kSeed = 42;
constexpr std::int64_t kAllPairsUpTo = 22;  // 276 pairs of positions
constexpr int kDrawnPairs = 256;
constexpr int kScoredPairs = 16, kVectorsPerPair = 8;

/// |conj(a)·b/A² − c/A|, where what cancels has twice the digits.
double block_error(const CosSin& a, const CosSin& b, const CosSin& c, double factor) {
  const Twofold cos =
      exact_product(a.cos, b.cos) + exact_product(a.sin, b.sin) - exact_product(c.cos, factor);
  const Twofold sin =
      exact_product(a.cos, b.sin) - exact_product(a.sin, b.cos) - exact_product(c.sin, factor);
  return std::sqrt(cos.high * cos.high + sin.high * sin.high) / (factor * factor);
}

/// The same in doubles. Entries over A have a length of 1, or a little more where they are rounded:
/// then no part of the sum is off by more than 7.2·2^-53, and the whole by less than kQuickNoise.
double quick_error(const CosSin& a, const CosSin& b, const CosSin& c, double factor) {
  const double a_cos = a.cos / factor, a_sin = a.sin / factor;
  const double b_cos = b.cos / factor, b_sin = b.sin / factor;
  const double cos = a_cos * b_cos + a_sin * b_sin - c.cos / factor;
  const double sin = a_cos * b_sin - a_sin * b_cos - c.sin / factor;
  return std::sqrt(cos * cos + sin * sin);
}
constexpr double kQuickNoise = 0x1p-48;

struct PositionPair {
  std::int64_t m, n;
};

/// Positions up to N where errors are likely to be large, and others.
std::vector<PositionPair> draw_pairs(const Pipeline& pipeline, std::int64_t last) {
  std::vector<PositionPair> pairs;
  if (last <= kAllPairsUpTo) {
    for (std::int64_t n = 0; n <= last; ++n)
      for (std::int64_t m = 0; m <= n; ++m) pairs.push_back({m, n});
    return pairs;
  }
  RandomStream random(kSeed, static_cast<std::uint64_t>(last));
  const auto just_above = [&](double position) {
    const auto start = static_cast<std::int64_t>(std::ceil(position));
    return std::min<std::int64_t>(start + random.integer(0, 64), last);
  };
  for (int i = 0; i < kDrawnPairs; ++i) {
    std::int64_t n = random.integer(last / 2, last), m = -1;
    if (i % 8 == 1) n = just_above(std::exp2(std::floor(std::log2(static_cast<double>(last)))));
    if (i % 8 >= 4) {
      const auto k = static_cast<std::size_t>(
          random.integer(0, static_cast<std::int64_t>(pipeline.theta().size()) - 1));
      const double theta = pipeline.theta()[k], angle = static_cast<double>(last) * theta;
      if (angle > 0) n = just_above(std::exp2(std::floor(std::log2(angle))) / theta);
    }
    if (i % 8 == 2) m = std::max<std::int64_t>(n - random.integer(0, 64), 0);
    if (i % 8 == 3) m = n / 2 + random.integer(0, std::min<std::int64_t>(n / 2, 8));
    pairs.push_back({m < 0 ? random.integer(0, n) : m, n});
  }
  return pairs;
}

class Sampler {
 public:
  Sampler(const Pipeline& pipeline, Against against)
      : pipeline_(pipeline), against_(against), bounds_(pipeline), pairs_(pipeline.theta().size()) {
    sofar_.per_pair.assign(pairs_, 0);
  }

  PositionError up_to(std::int64_t last, std::span<const FoundError> known) {
    const double factor = pipeline_.embedding().attention_factor;
    sofar_.position = last;
    for (std::size_t k = 0; k < pairs_; ++k)
      sofar_.bound = larger(sofar_.bound, error_bound_up_to(bounds_, against_, last, k));
    for (const FoundError& found : known)
      if (found.n <= last) add(found);
    const std::vector<PositionPair> drawn = draw_pairs(pipeline_, last);
    for (const PositionPair& p : drawn) {
      rows(p);
      for (std::size_t k = 0; k < pairs_; ++k) {
        const CosSin a = entry(at_m_, k), b = entry(at_n_, k), c = entry(at_distance_, k);
        // Most are no larger than what this pair had before.
        if (quick_error(a, b, c, factor) + kQuickNoise <= sofar_.per_pair[k]) continue;
        add({block_error(a, b, c, factor), p.m, p.n, k});
      }
    }
    sofar_.random_rms = score_errors(drawn, last);
    return sofar_;
  }

 private:
  static CosSin entry(const RotationRow& row, std::size_t k) { return {row.cos[k], row.sin[k]}; }

  void rows(const PositionPair& p) {
    pipeline_.table_row(p.m, at_m_);
    pipeline_.table_row(p.n, at_n_);
    if (against_ == Against::identity) {
      pipeline_.table_row(p.n - p.m, at_distance_);
    } else {
      at_distance_ = rotation_row(pipeline_.embedding(), p.n - p.m);
    }
  }

  /// An error that is no number is larger than any.
  void add(FoundError found) {
    if (std::isnan(found.error)) found.error = std::numeric_limits<double>::infinity();
    sofar_.per_pair[found.pair] = larger(sofar_.per_pair[found.pair], found.error);
    if (exceeds(found.error, sofar_.worst.error)) sofar_.worst = found;
  }

  /// rms of |left − right|/(‖q‖‖k‖), everything in the policy's arithmetic but an exact right side.
  double score_errors(const std::vector<PositionPair>& drawn, std::int64_t last) {
    const std::size_t d = pipeline_.embedding().head_dim;
    const Pipeline exact(*find_policy("exact"), pipeline_.embedding());
    const Pipeline& right_side = against_ == Against::identity ? pipeline_ : exact;
    RandomStream random(kSeed + 1, static_cast<std::uint64_t>(last));
    std::vector<double> q(d), k(d), turned_q(d), turned_k(d);
    const double factor = pipeline_.embedding().attention_factor;
    double squares = 0;
    for (int i = 0; i < kScoredPairs; ++i) {
      rows(drawn[static_cast<std::size_t>(i) * drawn.size() / kScoredPairs]);
      for (int v = 0; v < kVectorsPerPair; ++v) {
        double norms = 1;
        for (std::vector<double>* x : {&q, &k}) {
          random.fill_normal(*x);
          double square = 0;
          for (double& value : *x) {
            value = round_to(pipeline_.policy().input(), value);
            square += value * value;
          }
          norms *= square;
        }
        pipeline_.rotate(RotationForm::elementwise, at_m_, q, turned_q);
        pipeline_.rotate(RotationForm::elementwise, at_n_, k, turned_k);
        const double left = pipeline_.dot(turned_q, turned_k).value;
        right_side.rotate(RotationForm::elementwise, at_distance_, k, turned_k);
        scale_rotated(pipeline_.embedding(), q);
        const double error = (left - right_side.dot(q, turned_k).value) / (factor * factor);
        squares += error * error / norms;
      }
    }
    return std::sqrt(squares / (kScoredPairs * kVectorsPerPair));
  }

  const Pipeline& pipeline_;
  Against against_;
  ErrorBounds bounds_;
  std::size_t pairs_;
  PositionError sofar_;
  RotationRow at_m_, at_n_, at_distance_;
};

}  // namespace

double position_error(const Pipeline& pipeline, Against against, std::int64_t m, std::int64_t n,
                      std::size_t pair) {
  const double factor = pipeline.embedding().attention_factor;
  const auto exact = [&] {
    const CosSin unit = cos_sin((n - m) * pipeline.embedding().frequencies.turns[pair]);
    return CosSin{unit.cos * factor, unit.sin * factor};
  };
  const CosSin right = against == Against::identity ? pipeline.table_entry(n - m, pair) : exact();
  return block_error(pipeline.table_entry(m, pair), pipeline.table_entry(n, pair), right, factor);
}

double error_bound_up_to(const ErrorBounds& bounds, Against against, std::int64_t last,
                         std::size_t pair) {
  return against == Against::identity ? bounds.identity_up_to(last, pair)
                                      : bounds.exact_up_to(last, pair);
}

std::int64_t last_finite_position(const Policy& policy, std::int64_t last) {
  if (policy.angle_rule == AngleRule::exact) return last;
  const FormatLimits& format = limits(policy.position);
  if (static_cast<double>(last) <= format.largest) return last;
  // Half a gap more rounds down to the largest number still; a tie goes to infinity.
  const double gap = format.largest * 2 * format.unit_roundoff / (1 - format.unit_roundoff);
  const auto overflow = static_cast<std::int64_t>(format.largest + gap / 2);
  std::int64_t position = std::min<std::int64_t>(last, overflow);
  while (!std::isfinite(round_to(policy.position, static_cast<double>(position)))) --position;
  return position;
}

std::vector<PositionError> sample_errors(const Pipeline& pipeline, Against against,
                                         std::span<const std::int64_t> positions,
                                         std::span<const FoundError> known) {
  Sampler sampler(pipeline, against);
  std::vector<PositionError> errors;
  for (const std::int64_t position : positions) errors.push_back(sampler.up_to(position, known));
  return errors;
}

}  // namespace rope
