#include "rope/diagnose/nearest/least_squares.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/nearest/nearest_offset.hpp"
#include "rope/diagnose/positions/offsets.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

using Phasor = std::complex<double>;

constexpr std::int64_t kMostSteps = 64;
constexpr std::size_t kLeastForSteps = 8;  // tokens
constexpr double kLikely = 0.9;  // the score above which a convention may be the right one
constexpr double kFitted = 0.1;  // what a wrong convention never leaves: it leaves about |x|

constexpr std::array<std::pair<int, int>, 4> kFittedOrders = {{{-1, -1}, {0, 0}, {0, -1}, {-1, 0}}};

/// Σ z̄v of each token and pair, which holds the angle and how much it counts.
struct Turns {
  std::size_t tokens = 0, pairs = 0;
  std::vector<Phasor> sum;   // tokens × pairs
  std::vector<double> size;  // |Σ z̄v|
  double weight = 0;         // Σ |Σ z̄v|
  double factor = 1;         // A
  double rest = 0;           // the share of |y|² that no angles explain

  const Phasor& at(std::size_t t, std::size_t k) const { return sum[t * pairs + k]; }
};

Turns turns_of(const RotatedTensors& tensors, const Arrangement& a) {
  Turns turns{tensors.tokens, a.pairs(), {}, {}, 0, 1, 0};
  turns.sum.assign(turns.tokens * turns.pairs, 0);
  double before = 0, after = 0, passing = 0, all = 0;
  for (std::size_t k = 0; k < turns.pairs; ++k) {
    const PairDimensions in = a.in_dimensions(k), out = a.out_dimensions(k);
    for (std::size_t t = 0; t < turns.tokens; ++t)
      for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
        const std::size_t row = tensors.row(t, lane);
        const Phasor z(tensors.x[row + in.first], tensors.x[row + in.second]);
        const Phasor v(tensors.y[row + out.first], tensors.y[row + out.second]);
        turns.sum[t * turns.pairs + k] += std::conj(z) * v;
        before += std::norm(z);
        after += std::norm(v);
      }
  }
  for_each_vector(tensors, [&](std::size_t row) {
    for (std::size_t i = 0; i < tensors.dim; ++i) {
      all += tensors.y[row + i] * tensors.y[row + i];
      if (i >= a.offset && i < a.offset + a.rotary_dim) continue;
      passing += std::pow(tensors.y[row + i] - tensors.x[row + i], 2);
    }
  });
  turns.size.reserve(turns.sum.size());
  for (const Phasor& sum : turns.sum) turns.size.push_back(std::abs(sum));
  turns.weight = std::accumulate(turns.size.begin(), turns.size.end(), 0.0);
  turns.factor = std::sqrt(before > 0 && after > 0 ? after / before : 1);
  const double rest = 2 * (after - turns.factor * turns.weight) + passing;
  constexpr double kLeastRest = 1e-14;
  turns.rest = all > 0 ? larger(rest / all, kLeastRest) : 1;
  return turns;
}

/// The fitted_blocks that may be rotated: the stated size, quarters and halves, the whole head.
std::vector<std::pair<std::size_t, std::size_t>> fitted_blocks(std::size_t dim,
                                                               const DiagnosisRequest& request) {
  std::vector<std::pair<std::size_t, std::size_t>> result;  // offset and size
  const auto add = [&](std::size_t offset, std::size_t size) {
    const std::pair block(offset, size);
    if (size >= 2 && size % 2 == 0 && offset + size <= dim &&
        std::find(result.begin(), result.end(), block) == result.end())
      result.push_back(block);
  };
  if (request.assumed) add(0, request.assumed->embedding.rotary_dim());
  // Small ones first: interleaved pairs that do not turn fit a larger block as well.
  std::set<std::size_t> sizes = {dim / 4, dim / 2, dim / 4 * 3, dim - dim % 2};
  for (const NamedEmbedding& preset : request.presets)
    if (preset.embedding.head_dim == dim) sizes.insert(preset.embedding.rotary_dim());
  for (const std::size_t size : sizes) {
    add(0, size);
    if (size < dim) add(dim - size, size);
  }
  return result;
}

using ArrangedTurns = std::pair<Arrangement, Turns>;

/// The arrangements under which the pairs keep their lengths best, the first of them first: those
/// that leave about as much follow.
std::vector<ArrangedTurns> nearest_arrangements(const RotatedTensors& tensors,
                                                const DiagnosisRequest& request) {
  constexpr double kClearly = 0.5;
  std::vector<ArrangedTurns> all;
  std::size_t best = 0;
  for (const auto& [offset, size] : fitted_blocks(tensors.dim, request))
    for (const auto& [in, out] : kFittedOrders) {
      const Arrangement a{offset, size, in, out};
      all.emplace_back(a, turns_of(tensors, a));
      if (all.back().second.rest < kClearly * all[best].second.rest) best = all.size() - 1;
    }
  std::swap(all.front(), all[best]);
  const double least = all.front().second.rest;
  std::erase_if(all, [&](const ArrangedTurns& one) { return one.second.rest > least / kClearly; });
  return all;
}

/// How well frequencies explain the turns, from 0 to 1, at positions that may be shifted together.
/// Only tokens that are at most `farthest` positions from the first one count.
double shifted_score(const Turns& turns, std::span<const double> theta,
                     std::span<const std::int64_t> positions, double times,
                     double farthest = HUGE_VAL) {
  double sum = 0, weight = 0;
  for (std::size_t k = 0; k < turns.pairs; ++k) {
    Phasor pair = 0;
    for (std::size_t t = 0; t < turns.tokens; ++t) {
      const auto distance = static_cast<double>(positions[t] - positions[0]);
      if (std::abs(distance) > farthest) continue;
      pair += turns.at(t, k) * std::polar(1.0, -times * distance * theta[k]);
      weight += turns.size[t * turns.pairs + k];
    }
    sum += std::abs(pair);
  }
  return weight > 0 ? sum / weight : 0;
}

/// The offset at which frequencies come nearest, and how near: 0 where none is likely.
std::pair<std::int64_t, double> best_offset(const Turns& turns, std::span<const double> theta,
                                            std::span<const std::int64_t> positions, double times,
                                            std::int64_t farthest = kFarthestOffset) {
  std::vector<Phasor> pairs(turns.pairs);
  double zero = 0;
  for (std::size_t k = 0; k < turns.pairs; ++k) {
    for (std::size_t t = 0; t < turns.tokens; ++t)
      pairs[k] +=
          turns.at(t, k) * std::polar(1.0, -times * static_cast<double>(positions[t]) * theta[k]);
    zero += pairs[k].real();
  }
  constexpr double kRight = 0.99;  // then no other offset is looked for
  if (zero >= kRight * turns.weight || !(turns.weight > 0))
    return {0, turns.weight > 0 ? zero / turns.weight : 0};
  const auto [offset, score] =
      NearestOffset(pairs, theta, times, larger(zero, kLikely * turns.weight)).within(farthest);
  return {offset, (offset == 0 ? zero : score) / turns.weight};
}

/// b^(−i/K).
std::vector<double> geometric_theta(double log_base, std::size_t pairs) {
  std::vector<double> theta(pairs);
  for (std::size_t k = 0; k < pairs; ++k)
    theta[k] = std::exp(-log_base * static_cast<double>(k) / static_cast<double>(pairs));
  return theta;
}

class Fitter {
 public:
  Fitter(const RotatedTensors& tensors, std::span<const std::int64_t> given,
         const DiagnosisRequest& request)
      : tensors_(tensors), given_(given.begin(), given.end()), request_(request) {}

  LeastSquares fit() {
    std::vector<ArrangedTurns> near = nearest_arrangements(tensors_, request_);
    best_.arrangement = near.front().first;
    turns_ = std::move(near.front().second);
    consider(plain_readings(request_, best_.arrangement.rotary_dim));
    try_as_near(std::span(near).subspan(1));
    if (best_.residual > kFitted && tensors_.tokens > 1) try_any_base();
    if (best_.residual > kFitted && tensors_.tokens >= kLeastForSteps) try_steps();
    return std::move(best_);
  }

 private:
  /// Other blocks that leave as little where every angle is free, if one leaves more with its
  /// frequencies: pairs that hardly turn do not tell blocks apart, but bases.
  void try_as_near(std::span<ArrangedTurns> others) {
    constexpr double kTurns = 0.01, kAsFree = 2;
    for (auto& [arrangement, turns] : others) {
      if (turns_.rest > kTurns || best_.residual <= kAsFree * std::sqrt(turns_.rest)) return;
      LeastSquares before = std::exchange(best_, {});
      Turns of_before = std::exchange(turns_, std::move(turns));
      best_.arrangement = arrangement;
      consider(plain_readings(request_, arrangement.rotary_dim));
      if (best_.residual < 0.9 * before.residual) continue;
      best_ = std::move(before);
      turns_ = std::move(of_before);
    }
  }

  /// Takes the best of these that are likely. An offset is searched for only where many tokens
  /// show how pairs turn, and only for the few readings that turn them best: of those that turn
  /// them as well, what is stated, then those whose factor is that of y.
  void consider(const std::vector<RotaryEmbedding>& readings) {
    constexpr std::size_t kMostSearched = 4;
    constexpr double kAsGood = 1e-5;
    struct Likely {
      double score;
      const RotaryEmbedding* embedding;
      double sign;
    };
    std::vector<Likely> likely;
    double most = 0;
    for (const RotaryEmbedding& embedding : readings)
      for (const double sign : {1.0, -1.0}) {
        const std::vector<double>& theta = embedding.frequencies.theta;
        const double score = tensors_.tokens > 1
                                 ? shifted_score(turns_, theta, given_, sign)
                                 : best_offset(turns_, theta, given_, sign, 0).second;
        if (!(score >= kLikely)) continue;
        likely.push_back({score, &embedding, sign});
        most = larger(most, score);
      }
    const auto order = [&](const Likely& one) {
      return std::pair(std::floor((most - one.score) / kAsGood), needs_factor(*one.embedding));
    };
    std::stable_sort(likely.begin(), likely.end(),
                     [&](const Likely& a, const Likely& b) { return order(a) < order(b); });
    if (likely.size() > kMostSearched) likely.resize(kMostSearched);
    // Fewer tokens have some offset that fits by chance.
    constexpr std::size_t kLeastForOffsets = 8;
    const std::int64_t farthest = tensors_.tokens >= kLeastForOffsets ? kFarthestOffset : 0;
    for (const Likely& one : likely) {
      const auto [offset, score] =
          best_offset(turns_, one.embedding->frequencies.theta, given_, one.sign, farthest);
      if (score >= kLikely) take(*one.embedding, one.sign < 0, 1, offset);
    }
  }

  /// Whether an embedding that is not stated has another factor than y, but for what no angles
  /// explain.
  bool needs_factor(const RotaryEmbedding& embedding) const {
    const std::optional<Assumption>& stated = request_.assumed;
    if (stated && embedding.frequencies.theta == stated->embedding.frequencies.theta) return false;
    return std::abs(embedding.attention_factor - turns_.factor) >
           2 * std::sqrt(turns_.rest) * turns_.factor;
  }

  void take(const RotaryEmbedding& embedding, bool clockwise, std::int64_t step,
            std::int64_t offset) {
    LeastSquares fit{best_.arrangement, named(embedding), given_, offset, step, 0};
    fit.spectrum.clockwise = clockwise;
    fit.spectrum.embedding.attention_factor = turns_.factor;
    for (std::int64_t& position : fit.positions) position = step * (position + offset);
    const std::vector<double> lanes = lane_residuals(tensors_, fit);
    double squares = 0;
    for (const double residual : lanes) squares += residual * residual;
    fit.residual = std::sqrt(squares / static_cast<double>(lanes.size()));
    // What was listed first is kept unless another leaves clearly less.
    if (fit.residual < 0.9 * best_.residual) best_ = std::move(fit);
  }

  void try_any_base() {
    const std::size_t pairs = best_.arrangement.pairs();
    if (pairs < 2) return;
    // An angle changes by at most distance·Δ(ln b)/(e ln b): among near tokens no peak is missed.
    constexpr double kNearDistance = 64, kStep = 0.05, kFinest = 1e-9;
    const auto score = [&](double log_base, double sign, double farthest) {
      return shifted_score(turns_, geometric_theta(log_base, pairs), given_, sign, farthest);
    };
    for (const double sign : {1.0, -1.0}) {
      double best = 0, at = 0;
      for (double log_base = 0.7; log_base < 23; log_base += kStep)
        if (const double one = score(log_base, sign, kNearDistance); one > best)
          best = one, at = log_base;
      for (double step = kStep / 2; best >= kLikely && step > kFinest; step /= 2) {
        const double farthest = larger(kNearDistance, 2 / step), middle = at;
        best = 0;
        for (const double each : {middle, middle - step, middle + step})
          if (const double one = score(each, sign, farthest); one > best) best = one, at = each;
      }
      if (best < kLikely) continue;
      const double base = std::exp(at);
      consider({default_embedding(2 * pairs, simplest_number(base * 0.999, base * 1.001)),
                default_embedding(2 * pairs, simplest_number(base * 0.99999, base * 1.00001)),
                default_embedding(2 * pairs, base)});
    }
    if (!best_.spectrum.embedding.base) return;
    constexpr double kKnown = 1e-4;  // relative: far wider than the peak of a long line
    best_.spectrum.base_low = *best_.spectrum.embedding.base * (1 - kKnown);
    best_.spectrum.base_high = *best_.spectrum.embedding.base * (1 + kKnown);
  }

  /// Positions first, first + step …, where any first is possible: of the steps that turn pairs
  /// best, for few tokens are turned well by hundreds.
  void try_steps() {
    constexpr std::size_t kMostSearched = 8;
    struct Stripe {
      double score;
      const RotaryEmbedding* embedding;
      std::int64_t step;
    };
    const std::vector<RotaryEmbedding> readings =
        plain_readings(request_, best_.arrangement.rotary_dim);
    std::vector<Stripe> likely;
    for (const RotaryEmbedding& embedding : readings)
      for (std::int64_t step = 2; step <= kMostSteps; ++step) {
        const double score =
            shifted_score(turns_, embedding.frequencies.theta, given_, static_cast<double>(step));
        if (score >= kLikely) likely.push_back({score, &embedding, step});
      }
    std::ranges::stable_sort(likely, std::greater(), &Stripe::score);
    if (likely.size() > kMostSearched) likely.resize(kMostSearched);
    for (const Stripe& one : likely) consider_stripe(*one.embedding, one.step);
  }

  void consider_stripe(const RotaryEmbedding& embedding, std::int64_t step) {
    const std::vector<double>& theta = embedding.frequencies.theta;
    std::vector<std::int64_t> striped = given_;
    for (std::int64_t& position : striped) position *= step;
    const auto [offset, score] = best_offset(turns_, theta, striped, 1);
    if (score < kLikely) return;
    std::swap(striped, given_);
    const double before = best_.residual;
    take(embedding, false, 1, offset);
    std::swap(striped, given_);
    if (best_.residual < before) best_.step = step, best_.offset = offset;
  }

  const RotatedTensors& tensors_;
  std::vector<std::int64_t> given_;
  const DiagnosisRequest& request_;
  Turns turns_;
  LeastSquares best_;
};

}  // namespace

void rotate_by(const Arrangement& arrangement, std::span<const double> cos,
               std::span<const double> sin, std::span<const double> x, std::span<double> result) {
  std::copy(x.begin(), x.end(), result.begin());
  for (std::size_t k = 0; k < arrangement.pairs(); ++k) {
    const PairDimensions in = arrangement.in_dimensions(k), out = arrangement.out_dimensions(k);
    result[out.first] = x[in.first] * cos[k] - x[in.second] * sin[k];
    result[out.second] = x[in.first] * sin[k] + x[in.second] * cos[k];
  }
}

void row_of(const Spectrum& spectrum, std::int64_t position, std::span<double> cos,
            std::span<double> sin) {
  const RotaryEmbedding& e = spectrum.embedding;
  const auto m = static_cast<double>(spectrum.clockwise ? -position : position);
  for (std::size_t k = 0; k < cos.size(); ++k) {
    const double angle = m * e.frequencies.theta[spectrum.frequency_of(k)];
    cos[k] = e.attention_factor * std::cos(angle);
    sin[k] = e.attention_factor * std::sin(angle);
  }
}

std::vector<double> lane_residuals(const RotatedTensors& tensors, const LeastSquares& fit) {
  std::vector<double> residuals(tensors.lanes, 1);
  if (fit.positions.empty()) return residuals;  // nothing was found
  const std::size_t pairs = fit.arrangement.pairs(), d = tensors.dim;
  std::vector<double> cos(pairs), sin(pairs), x(d), y(d), rest(tensors.lanes), all(tensors.lanes);
  for (std::size_t t = 0; t < tensors.tokens; ++t) {
    row_of(fit.spectrum, fit.positions[t], cos, sin);
    for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
      tensors.x.read(tensors.row(t, lane), x);
      rotate_by(fit.arrangement, cos, sin, x, y);
      for (std::size_t i = 0; i < d; ++i) {
        rest[lane] += std::pow(tensors.y[tensors.row(t, lane) + i] - y[i], 2);
        all[lane] += x[i] * x[i];
      }
    }
  }
  for (std::size_t lane = 0; lane < tensors.lanes; ++lane)
    rest[lane] = all[lane] > 0 ? std::sqrt(rest[lane] / all[lane]) : 0;
  return rest;
}

std::vector<RotaryEmbedding> plain_readings(const DiagnosisRequest& request,
                                            std::size_t rotary_dim) {
  std::vector<RotaryEmbedding> result;
  const auto add = [&](RotaryEmbedding embedding) {
    if (embedding.rotary_dim() != rotary_dim) return;
    const auto same = [&](const RotaryEmbedding& e) {
      return e.frequencies.theta == embedding.frequencies.theta;
    };
    if (std::none_of(result.begin(), result.end(), same)) result.push_back(std::move(embedding));
  };
  if (request.assumed && request.assumed->frequencies) add(request.assumed->embedding);
  for (const double base : kUsualBases) add(default_embedding(rotary_dim, base));
  for (const NamedEmbedding& preset : request.presets) add(preset.embedding);
  if (request.assumed && request.assumed->frequencies)
    for (RotaryEmbedding& relative : relatives(request.assumed->embedding))
      add(std::move(relative));
  return result;
}

NearestTurn nearest_turn(const RotatedTensors& tensors, const DiagnosisRequest& request) {
  const ArrangedTurns nearest = std::move(nearest_arrangements(tensors, request).front());
  return {nearest.first, nearest.second.rest};
}

LeastSquares fit_convention(const RotatedTensors& tensors, std::span<const std::int64_t> given,
                            const DiagnosisRequest& request) {
  return Fitter(tensors, given, request).fit();
}

}  // namespace rope
