#include "rope/diagnose/nearest/noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <span>
#include <utility>

#include "rope/diagnose/nearest/least_squares.hpp"
#include "rope/diagnose/nearest/nearest_offset.hpp"
#include "rope/diagnose/positions/offsets.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/pipeline.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/verify/fitting_policies.hpp"
#include "rope/verify/output_check.hpp"
#include "rope/verify/output_residual.hpp"

namespace rope {
namespace {

/// A pair (x, y), turned.
CosSin turned_pair(const RotationRow& row, std::size_t pair, double x, double y) {
  return {x * row.cos[pair] - y * row.sin[pair], x * row.sin[pair] + y * row.cos[pair]};
}

double squared_length(const RotatedTensors& tensors, std::size_t row) {
  double sum = 0;
  for (std::size_t i = row; i < row + tensors.dim; ++i) sum += tensors.x[i] * tensors.x[i];
  return sum;
}

/// Finds where an embedding comes nearest, token by token.
class Placing {
 public:
  Placing(const RotatedTensors& tensors, const RotaryEmbedding& embedding)
      : tensors_(tensors), embedding_(embedding) {}

  /// Nothing if a token is near at no position.
  std::optional<std::vector<Position>> positions() const {
    std::vector<Position> result;
    result.reserve(tensors_.tokens);
    std::int64_t before = -1, step = 1;
    for (std::size_t t = 0; t < tensors_.tokens; ++t) {
      const std::optional<std::int64_t> found = position_of(t, before, step);
      if (!found) return std::nullopt;
      if (t > 0) step = *found - before;
      before = *found;
      result.emplace_back(*found);
    }
    return result;
  }

 private:
  /// The position after the one before is tried first, then the start of a sequence and padding.
  std::optional<std::int64_t> position_of(std::size_t token, std::int64_t before,
                                          std::int64_t step) const {
    // Beside the right position, the fastest pair is off by a radian.
    constexpr double kRight = 1 - 5e-4;
    std::vector<std::complex<double>> turns(embedding_.pairs());
    double weight = 0;
    for (std::size_t k = 0; k < turns.size(); ++k) {
      turns[k] = turn_of(token, k);
      weight += std::abs(turns[k]);
    }
    if (!(weight > 0)) return before + step;  // zeros stand anywhere
    NearestOffset nearest(turns, embedding_.frequencies.theta, 1, kRight * weight);
    for (const std::int64_t near :
         std::array{before + 1, before + step, before, INT64_C(0), INT64_C(1)})
      if (nearest.score(near) > kRight * weight) return near;
    const auto [offset, score] = nearest.within(kFarthestOffset);
    return offset != 0 ? std::optional(offset) : std::nullopt;
  }

  /// Σ z̄v over the vectors of a token.
  std::complex<double> turn_of(std::size_t token, std::size_t pair) const {
    const auto [i, j] = embedding_.dimensions(pair);
    std::complex<double> sum = 0;
    for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
      const std::size_t row = tensors_.row(token, lane);
      sum += std::conj(std::complex(tensors_.x[row + i], tensors_.x[row + j])) *
             std::complex(tensors_.y[row + i], tensors_.y[row + j]);
    }
    return sum;
  }

  const RotatedTensors& tensors_;
  const RotaryEmbedding& embedding_;
};

/// |y − R x| over |x|, without a bound; `pipeline`: with the table that it has, or exact.
double relative_difference(const RotatedTensors& tensors, const RotaryEmbedding& embedding,
                           std::span<const Position> positions,
                           const Pipeline* pipeline = nullptr) {
  double error = 0, size = 0;
  RotationRow row;
  for (std::size_t t = 0; t < tensors.tokens; ++t) {
    if (pipeline != nullptr)
      pipeline->table_row(positions[t], row);
    else
      row = rotation_row(embedding, positions[t]);
    for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
      const std::size_t at = tensors.row(t, lane);
      for (std::size_t k = 0; k < embedding.pairs(); ++k) {
        const auto [i, j] = embedding.dimensions(k);
        const CosSin right = turned_pair(row, k, tensors.x[at + i], tensors.x[at + j]);
        error += std::pow(tensors.y[at + i] - right.cos, 2);
        error += std::pow(tensors.y[at + j] - right.sin, 2);
      }
      for (std::size_t i = embedding.rotary_dim(); i < tensors.dim; ++i)
        error += std::pow(tensors.y[at + i] - tensors.x[at + i], 2);
      size += squared_length(tensors, at);
    }
  }
  return size > 0 ? std::sqrt(error / size) : 1;
}

/// What y differs by from one pipeline of an embedding.
class PipelineResidual {
 public:
  PipelineResidual(const RotatedTensors& tensors, const RotaryEmbedding& embedding,
                   const FittingPolicy& way)
      : tensors_(tensors),
        embedding_(embedding),
        way_(way),
        granted_(way.policy, embedding, way.result) {}

  bool is_noise(std::span<const Position> positions) {
    ResidualRecorder recorder({tensors_.tokens, tensors_.lanes, tensors_.dim}, 0);
    for (std::size_t t = 0; t < tensors_.tokens; ++t) {
      const RotationRow row = rotation_row(embedding_, positions[t]);
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane)
        recorder.add(errors(positions[t], row, tensors_.row(t, lane)));
    }
    return recorder.residual().noise;
  }

 private:
  std::span<const OutputError> errors(const Position& position, const RotationRow& row,
                                      std::size_t at) {
    x_.resize(tensors_.dim);
    tensors_.x.read(at, x_);
    if (way_.casts_input)
      for (double& value : x_) value = round_to(way_.policy.input(), value);
    const double through = granted_.bounds.rotated(position, x_, limits_);
    errors_.clear();
    for (std::size_t k = 0; k < embedding_.pairs(); ++k) {
      const auto [i, j] = embedding_.dimensions(k);
      OutputError one;
      one.bound = limits_[k];
      one.pair = k;
      one.found = {tensors_.y[at + i], tensors_.y[at + j]};
      one.expected = turned_pair(row, k, x_[i], x_[j]);
      errors_.push_back(one);
    }
    for (std::size_t i = embedding_.rotary_dim(); i < tensors_.dim; ++i) {
      OutputError one;
      one.bound = through;
      one.pair = i;
      one.passes_through = true;
      one.found = {tensors_.y[at + i], 0};
      one.expected = {x_[i], 0};
      errors_.push_back(one);
    }
    return errors_;
  }

  const RotatedTensors& tensors_;
  const RotaryEmbedding& embedding_;
  const FittingPolicy& way_;
  OutputBounds granted_;
  std::vector<double> x_, limits_;
  std::vector<OutputError> errors_;
};

/// The positions given; otherwise those that fit, by a sample first: few tokens tell that none do.
std::optional<std::vector<Position>> placed(const RotatedTensors& tensors,
                                            const RotaryEmbedding& embedding,
                                            const DiagnosisRequest& request) {
  if (request.axis_positions) return request.axis_positions;
  if (embedding.axes.several()) return std::nullopt;
  if (request.positions && !request.counted)
    return std::vector<Position>(request.positions->begin(), request.positions->end());
  if (!request.anywhere) return std::nullopt;
  constexpr std::size_t kFew = 8, kLanes = 8;
  const RotatedTensors few = some_tokens(tensors, spread(tensors.tokens, kFew), kLanes);
  if (!Placing(few, embedding).positions()) return std::nullopt;
  return Placing(tensors, embedding).positions();
}

/// The pipelines that may have made y of x.
std::vector<FittingPolicy> ways_of(const RotatedTensors& tensors) {
  const Format y = narrowest_format(tensors, &RotatedTensors::y);
  const double most = limits(y).largest;
  const bool fits = every_number(tensors, &RotatedTensors::x,
                                 [most](double value) { return std::abs(value) <= most; });
  return fitting_policies(narrowest_format(tensors, &RotatedTensors::x), y, fits);
}

/// The pipeline beside which least is left: all vectors share the errors of its table. Nothing
/// where that is the exact rotation.
std::optional<Policy> nearest_policy(const RotatedTensors& tensors, const NoisyEmbedding& noisy) {
  std::optional<Policy> nearest;
  double least = noisy.residual;
  for (const FittingPolicy& way : ways_of(tensors)) {
    const Pipeline pipeline(way.policy, noisy.embedding);
    const double left = relative_difference(tensors, noisy.embedding, noisy.positions, &pipeline);
    if (!(left < least)) continue;
    nearest = way.policy;
    least = left;
  }
  return nearest;
}

/// How many numbers an explanation was free to choose.
double chosen_numbers(const Explanation& e) {
  auto chosen = static_cast<double>(e.runs.size());
  for (const Regime& regime : e.regimes)
    chosen +=
        regime.spectrum.recognised ? 3 : static_cast<double>(regime.spectrum.embedding.pairs());
  return chosen;
}

/// Whether what differs from a noisy embedding goes along with the difference of an explanation.
class Agreement {
 public:
  Agreement(const RotatedTensors& tensors, const NoisyEmbedding& noisy)
      : tensors_(tensors), noisy_(noisy) {
    if (const std::optional<Policy> policy = nearest_policy(tensors, noisy))
      pipeline_.emplace(*policy, noisy.embedding);
  }

  void add(const Arrangement& arrangement, const Regime& regime) {
    std::vector<double> cos(arrangement.pairs()), sin(cos.size());
    for (std::size_t i = 0; i < regime.tokens.size(); ++i) {
      row_of(regime.spectrum, regime.positions[i], cos, sin);
      add_token(regime.tokens[i], arrangement, cos, sin);
    }
  }

  /// Whether the explanation accounts for the difference by more than chance, of so much as it was
  /// free to choose: `degrees` of a χ².
  ///
  /// Of noise of independent signs (Σt)²/Σt² is beyond s with a probability of 2·exp(−s/2)
  /// (Hoeffding), whatever the |t|: t is how far the two differences go along in one token and
  /// pair, 1 where they are the same. So a few large numbers, which any factor fits, tell no more
  /// than others. Of so few that not even equal signs would tell, the ratio of the likelihoods of
  /// normal noise does.
  bool explained(double degrees) const {
    constexpr double kFarFromChance = 20;
    const double beyond = kFarFromChance + 2 * degrees;
    if (!(left_ < off_)) return false;
    if (reach_ * reach_ > beyond * squares_)
      return along_ > 0 && along_ * along_ > beyond * squares_;
    return count_ * std::log(off_ / larger(left_, 1e-300)) > beyond;
  }

 private:
  /// e, that of y, and δ, that of the explanation: Σe², Σδ² and Σeδ.
  struct Differences {
    double off = 0, apart = 0, product = 0;
    void add(double e, double delta) {
      off += e * e;
      apart += delta * delta;
      product += e * delta;
    }
    void add(const Differences& other) {
      off += other.off;
      apart += other.apart;
      product += other.product;
    }
  };

  void add_token(std::size_t token, const Arrangement& arrangement, std::span<const double> cos,
                 std::span<const double> sin) {
    RotationRow row;
    if (pipeline_)
      pipeline_->table_row(noisy_.positions[token], row);
    else
      row = rotation_row(noisy_.embedding, noisy_.positions[token]);
    std::vector<double> x(tensors_.dim), stated(x), found(x);
    std::vector<Differences> each(tensors_.dim);
    for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
      const std::size_t at = tensors_.row(token, lane);
      tensors_.x.read(at, x);
      rotate_by(arrangement, cos, sin, x, found);
      stated = x;
      for (std::size_t k = 0; k < noisy_.embedding.pairs(); ++k) {
        const auto [i, j] = noisy_.embedding.dimensions(k);
        const CosSin turned = turned_pair(row, k, x[i], x[j]);
        stated[i] = turned.cos;
        stated[j] = turned.sin;
      }
      for (std::size_t i = 0; i < x.size(); ++i)
        each[i].add(tensors_.y[at + i] - stated[i], found[i] - stated[i]);
    }
    // Vectors of a token may share the errors of a pair.
    for (std::size_t k = 0; k < noisy_.embedding.pairs(); ++k) {
      const auto [i, j] = noisy_.embedding.dimensions(k);
      each[i].add(std::exchange(each[j], {}));
    }
    for (const Differences& one : each) add(one);
    count_ += static_cast<double>(2 * arrangement.pairs());
  }

  void add(const Differences& one) {
    off_ += one.off;
    left_ += one.off - 2 * one.product + one.apart;
    const double most = larger(one.off, one.apart);
    if (!(most > 0)) return;
    const double along = one.product / most;
    along_ += along;
    reach_ += std::abs(along);
    squares_ += along * along;
  }

  const RotatedTensors& tensors_;
  const NoisyEmbedding& noisy_;
  std::optional<Pipeline> pipeline_;
  double off_ = 0, left_ = 0, count_ = 0;  // Σe², Σ(e − δ)², numbers of tokens and pairs
  double along_ = 0, reach_ = 0, squares_ = 0;  // Σt, Σ|t|, Σt²
};

}  // namespace

bool differs_by_noise(const RotatedTensors& tensors, const RotaryEmbedding& embedding,
                      std::span<const Position> positions) {
  return std::ranges::any_of(ways_of(tensors), [&](const FittingPolicy& way) {
    return PipelineResidual(tensors, embedding, way).is_noise(positions);
  });
}

std::optional<NoisyEmbedding> but_for_noise(const RotatedTensors& tensors,
                                            const DiagnosisRequest& request) {
  const bool stated = request.assumed && request.assumed->frequencies;
  if (request.arrangement || !(stated || request.likely)) return std::nullopt;
  RotaryEmbedding embedding = stated ? request.assumed->embedding : *request.likely;
  if (embedding.head_dim != tensors.dim) return std::nullopt;
  std::vector<PairLayout> layouts = {embedding.layout};
  if (stated && !request.assumed->layout) layouts = {PairLayout::half, PairLayout::interleaved};
  for (const PairLayout layout : layouts) {
    embedding.layout = layout;
    std::optional<std::vector<Position>> positions = placed(tensors, embedding, request);
    if (!positions) continue;
    const double residual = relative_difference(tensors, embedding, *positions);
    if (residual <= kMostNoise && differs_by_noise(tensors, embedding, *positions))
      return NoisyEmbedding{embedding, std::move(*positions), residual};
  }
  return std::nullopt;
}

std::optional<double> unchanged_but_for_noise(const RotatedTensors& tensors) {
  if (tensors.dim % 2 != 0) return std::nullopt;
  const RotaryEmbedding any = default_embedding(tensors.dim, 1e4);
  const std::vector<Position> origin(tensors.tokens);
  const double residual = relative_difference(tensors, any, origin);
  if (residual <= kMostNoise && differs_by_noise(tensors, any, origin)) return residual;
  return std::nullopt;
}

bool explains_noise(const RotatedTensors& tensors, const Explanation& explanation,
                    const NoisyEmbedding& noisy) {
  Agreement agreement(tensors, noisy);
  for (const Regime& regime : explanation.regimes) agreement.add(explanation.arrangement, regime);
  return agreement.explained(chosen_numbers(explanation));
}

}  // namespace rope
