#include "rope/diagnose/nearest/best_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numeric>
#include <utility>

#include "rope/diagnose/all_tokens.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/nearest/around.hpp"
#include "rope/diagnose/nearest/known_bugs.hpp"
#include "rope/diagnose/nearest/least_squares.hpp"
#include "rope/diagnose/nearest/mixed_heads.hpp"
#include "rope/diagnose/nearest/noise.hpp"
#include "rope/diagnose/nearest/remains.hpp"
#include "rope/diagnose/nearest/rounded_angles.hpp"
#include "rope/diagnose/nearest/table_reads.hpp"
#include "rope/diagnose/nearest/wrong_numbers.hpp"
#include "rope/diagnose/pairings/find_pairings.hpp"
#include "rope/diagnose/remedies.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/precision/largest.hpp"
#include "rope/verify/output_residual.hpp"

namespace rope {
namespace {

constexpr std::size_t kFitTokens = 64, kMostFitLanes = 512, kFitLanes = 8, kBugTokens = 16,
                      kBugLanes = 32;
constexpr std::size_t kMostParts = 4;
constexpr double kFollows = 0.1;  // a vector that leaves less follows: a wrong convention leaves 1
constexpr double kRounding = 1e-3;       // beyond it, more than the noise of sums is left
constexpr double kUnrotatedLane = 0.02;  // a vector that changes less is not rotated

/// Whether a part turns by twice the angles of positions: of those given, or of a count that starts
/// anew in every row.
bool turns_twice(const FitPart& part, const std::vector<std::int64_t>& given) {
  const std::vector<std::int64_t>& found = part.positions;
  std::size_t positions = 0, steps = 0;
  for (std::size_t t = 1; t < found.size(); ++t) {
    if (found[t] % 2 != 0) return false;
    if (found[t] == found[t - 1] && given[t] != given[t - 1]) return false;  // rounded to even ones
    if (found[t] == 2 * given[t]) ++positions;
    if (found[t] - found[t - 1] == 2 * (given[t] - given[t - 1])) ++steps;
  }
  return found != given && 2 * std::max<std::size_t>(positions, steps) >= found.size();
}

Remedy remedy_of(const WrongNumbers& numbers, const Arrangement& arrangement) {
  if (numbers.are_of_overwritten)
    return {arrangement.out < 0 ? RemedyName("half-in-place") : RemedyName("interleaved-in-place"),
            "the convention is right: compute both numbers of a pair before either is written"};
  if (numbers.scattered())
    return {"scattered-numbers",
            "the convention is right: look for a race, or for memory that is overwritten before it "
            "is read"};
  return {
      "block-of-numbers",
      numbers.are_x || numbers.are_zero
          ? "the convention is right: look for a loop or a grid of threads that leaves these out"
          : "the convention is right: look for code that changes only these numbers"};
}

Remedy remedy_of_two() {
  return {"second-rotation", "a second rotation doubles the angle: rotate once"};
}

class Nearest {
 public:
  Nearest(const RotatedTensors& tensors, const DiagnosisRequest& request, Format storage)
      : all_(tensors),
        request_(request),
        storage_(storage),
        stated_(request.assumed && request.assumed->frequencies && request.positions) {
    tokens_ = spread(tensors.tokens, kFitTokens);
    const std::vector<std::int64_t> given = given_or_counted(request, tensors.tokens);
    for (const std::size_t token : tokens_) given_.push_back(given[token]);
    whole_given_ = given;
    sample_ = some_tokens(tensors, tokens_, kMostFitLanes);
  }

  std::optional<BestFit> find() {
    std::vector<std::size_t> lanes(sample_.lanes);
    std::iota(lanes.begin(), lanes.end(), std::size_t{0});
    LeastSquares plain = fit(lanes);
    const std::vector<double> left = lane_residuals(sample_, plain);
    const double most = most_left(plain), unit = limits(storage_).unit_roundoff;
    if (!std::all_of(left.begin(), left.end(), [&](double r) { return r < most; })) {
      if (find_bug(1)) return std::move(result_);
      // At one position vectors follow something by chance, but not what is stated.
      if (sample_.tokens < 2 && !stated_) return std::nullopt;
      split(std::move(lanes));
    } else if (plain.residual > kRounding &&
               find_bug(larger(plain.residual / 4, smaller(plain.residual / 2, unit)))) {
      return std::move(result_);
    } else if (const auto closer =
                   plain.residual > kRounding ? left_by_most(lanes) : std::nullopt) {
      // At few positions conventions hardly differ; that most vectors leave far less tells.
      follows_ = *closer;
      split(std::move(lanes));
    } else {
      add_part(std::move(lanes), plain);
    }
    if (result_.parts.empty()) return without_parts(plain);
    measure();
    if (result_.in_parts() ? !result_.strange.empty()
                           : !result_.noise && result_.looks_like.empty())
      find_wrong_numbers(plain);
    return std::move(result_);
  }

  /// What is known where no vectors follow a convention as a whole.
  std::optional<BestFit> without_parts(const LeastSquares& plain) {
    if (find_reads()) return std::move(result_);
    if (!request_.positions && !(request_.assumed && request_.assumed->frequencies))
      return std::nullopt;
    find_following_pairs(plain);
    // One vector turns by some angle, even if some of its numbers are still those of x.
    if ((result_.following.empty() || sample_.lanes == 1) && find_wrong_numbers(plain))
      return std::move(result_);
    if (!result_.following.empty() && !find_rounded_angles()) suspect_axes();
    return result_.parts.empty() ? std::nullopt : std::optional(std::move(result_));
  }

  /// Of an embedding of which y differs by noise, at the positions of the request.
  BestFit describe(const RotaryEmbedding& embedding) {
    LeastSquares noisy;
    noisy.arrangement.rotary_dim = embedding.rotary_dim();
    noisy.arrangement.in = noisy.arrangement.out = embedding.layout == PairLayout::half ? -1 : 0;
    noisy.spectrum = named(embedding);
    noisy.positions = given_;
    std::vector<std::size_t> lanes(sample_.lanes);
    std::iota(lanes.begin(), lanes.end(), std::size_t{0});
    add_part(std::move(lanes), noisy);
    measure();
    result_.noise = true;
    if (result_.remedy.text.empty()) result_.remedy = remedy_of_noise();
    return std::move(result_);
  }

 private:
  /// What a vector that follows may leave, of |x|: of |y|, where A makes that smaller.
  double most_left(const LeastSquares& fit) const {
    return follows_ * smaller(1.0, fit.spectrum.embedding.attention_factor);
  }

  /// What most vectors leave at most, if a few leave far more than they and more than rounding
  /// does, under what some vector follows.
  std::optional<double> left_by_most(std::span<const std::size_t> lanes) const {
    constexpr double kFar = 30;
    if (lanes.size() < 3) return std::nullopt;
    for (const std::size_t seed : {lanes.front(), lanes[lanes.size() / 2], lanes.back()}) {
      std::vector<double> left = lane_residuals(sample_, fit(std::span(&seed, 1)));
      const double most = largest_of(left);
      if (most > kRounding && most > kFar * median_of(std::move(left))) return most / 3;
    }
    return std::nullopt;
  }

  LeastSquares fit(std::span<const std::size_t> lanes) const {
    std::vector<std::size_t> some;
    for (const std::size_t i : spread(lanes.size(), kFitLanes)) some.push_back(lanes[i]);
    return fit_convention(some_lanes(sample_, some), given_, request_);
  }

  /// A mistake that all vectors share and that leaves less than `most`.
  bool find_bug(double most) {
    const std::vector<std::size_t> near = spread(sample_.tokens, kBugTokens);
    std::vector<std::int64_t> given;
    given.reserve(near.size());
    for (const std::size_t t : near) given.push_back(given_[t]);
    const RotatedTensors few = some_vectors(sample_, near, spread(sample_.lanes, kBugLanes));
    double residual = most;
    // What has numbers to fit comes after what has none, and has to leave clearly less.
    const auto take = [&](const auto& found) {
      if (!found || !(found->residual < residual / (result_.bug.empty() ? 1 : 2))) return;
      residual = found->residual;
      result_.bug = found->finding + " (" + found->convention + ")";
      result_.remedy = found->remedy;
    };
    take(known_bug(few, given, request_));
    take(around_rotation(few, given, request_));
    // Rows that come first may stand where they are counted, and others not.
    if (result_.bug.empty())
      take(known_bug(some_tokens(sample_, near, kBugLanes), given, request_));
    if (result_.bug.empty()) take(mixed_heads(all_, whole_given_, request_));
    if (result_.bug.empty()) return false;
    result_.residual = residual;
    result_.explained = 1 - residual;
    return true;
  }

  /// Tables that are read in wrong places, or numbers that are not made of x, in all vectors.
  bool find_reads() {
    const std::vector<std::size_t> near = spread(sample_.tokens, kBugTokens);
    std::vector<std::int64_t> given;
    given.reserve(near.size());
    for (const std::size_t t : near) given.push_back(given_[t]);
    const std::optional<KnownBug> found =
        table_reads(some_tokens(sample_, near, kBugLanes), given, request_);
    if (!found) return false;
    result_.bug = found->finding + " (" + found->convention + ")";
    result_.remedy = found->remedy;
    result_.residual = found->residual;
    result_.explained = larger(0.0, 1 - found->residual);
    return true;
  }

  /// Whether most numbers are those of what is stated, or else of what comes nearest.
  bool find_wrong_numbers(const LeastSquares& nearest) {
    LeastSquares convention = nearest;
    if (stated_) {
      const RotaryEmbedding& stated = request_.assumed->embedding;
      const int order = stated.layout == PairLayout::half ? -1 : 0;
      convention.arrangement = {0, stated.rotary_dim(), order, order, blocks_of(stated)};
      convention.spectrum = named(stated);
      convention.step = 1;
      convention.offset = 0;
      convention.positions = given_;
    }
    if (convention.positions.empty()) return false;
    FitPart part;
    part.arrangement = convention.arrangement;
    part.spectrum = convention.spectrum;
    for (const std::int64_t position : whole_given_)
      part.positions.push_back(convention.step * (position + convention.offset));
    if (convention.step == 1) part.position_offset = convention.offset;
    std::optional<WrongNumbers> found = wrong_numbers(all_, part, storage_);
    if (!found) return false;
    if (!result_.following.empty() && !found->are_x && !found->are_zero) return false;
    // Heads that follow nothing at all are told as such.
    if (result_.in_parts() && found->dimensions.size() == all_.dim) return false;
    result_.strange.clear();
    result_.following.clear();
    result_.straying.clear();
    part.lanes.resize(sample_.lanes);
    std::iota(part.lanes.begin(), part.lanes.end(), std::size_t{0});
    result_.explained = 1 - static_cast<double>(found->wrong) / static_cast<double>(found->all);
    result_.remedy = remedy_of(*found, part.arrangement);
    result_.wrong_numbers = std::move(found);
    result_.parts = {std::move(part)};
    return true;
  }

  /// Finds lanes that follow one convention, then what the others follow.
  void split(std::vector<std::size_t> rest) {
    std::vector<std::size_t> unrotated;
    std::erase_if(rest, [&](std::size_t lane) {
      if (!(unchanged(lane) < kUnrotatedLane)) return false;
      unrotated.push_back(lane);
      return true;
    });
    while (!rest.empty() && result_.parts.size() < kMostParts) {
      std::pair<std::vector<std::size_t>, LeastSquares> best;
      std::vector<std::vector<std::size_t>> seeds = {rest};
      for (const std::size_t at : {std::size_t{0}, rest.size() / 2, rest.size() - 1})
        seeds.push_back({rest[at]});
      for (const std::vector<std::size_t>& seed : seeds) {
        LeastSquares one = fit(seed);
        std::vector<std::size_t> who = following(one, rest);
        if (who.size() > best.first.size()) best = {std::move(who), std::move(one)};
        if (best.first.size() == rest.size()) break;
      }
      if (best.first.empty()) break;
      LeastSquares again = fit(best.first);
      if (following(again, best.first).size() == best.first.size()) best.second = std::move(again);
      std::erase_if(rest, [&](std::size_t lane) {
        return std::binary_search(best.first.begin(), best.first.end(), lane);
      });
      add_part(std::move(best.first), best.second);
    }
    if (!unrotated.empty() && !result_.parts.empty()) {
      FitPart part;
      part.lanes = std::move(unrotated);
      part.rotated = false;
      result_.parts.push_back(std::move(part));
    }
    if (!tell_enough()) result_.parts.clear();
    if (!result_.parts.empty()) result_.strange = strangers(result_.parts.front(), rest);
    if (!result_.strange.empty() &&
        (is_rough(result_.parts.front()) ||
         may_stand_elsewhere(some_lanes(sample_, result_.strange),
                             result_.parts.front().arrangement, all_, request_)))
      result_.parts.clear();
    std::stable_sort(
        result_.parts.begin(), result_.parts.end(),
        [](const FitPart& a, const FitPart& b) { return a.lanes.size() > b.lanes.size(); });
  }

  /// Those of some lanes of which a part leaves most: a coarse cache leaves a tenth, no more.
  std::vector<std::size_t> strangers(const FitPart& part,
                                     std::span<const std::size_t> lanes) const {
    if (lanes.empty()) return {};
    constexpr double kMost = 0.5;
    LeastSquares as_part{part.arrangement, part.spectrum, {}, 0, 1, 0};
    as_part.positions.reserve(tokens_.size());
    for (const std::size_t t : tokens_) as_part.positions.push_back(part.positions[t]);
    const std::vector<double> left = lane_residuals(some_lanes(sample_, lanes), as_part);
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < lanes.size(); ++i)
      if (!(left[i] < kMost)) result.push_back(lanes[i]);
    return result;
  }

  /// Beside vectors that do otherwise, a part has to leave no more than noise: some vectors leave
  /// as much by chance.
  static bool is_rough(const FitPart& part) { return part.rotated && part.residual > kMostNoise; }

  /// One vector of many that follows something by itself explains nothing, unless that is stated.
  bool tell_enough() const {
    const auto rotated = std::ranges::count_if(result_.parts, &FitPart::rotated);
    if (result_.parts.size() > 1 && std::ranges::any_of(result_.parts, is_rough)) return false;
    // Nor do few of those that turn, however many do not.
    std::size_t explained = 0, turning = sample_.lanes;
    for (const FitPart& part : result_.parts) {
      if (part.rotated || rotated == 0)
        explained += part.lanes.size();
      else
        turning -= part.lanes.size();
    }
    if (2 * explained >= turning && sample_.tokens > 1) return true;
    return !result_.parts.empty() && follows_stated(result_.parts.front());
  }

  /// Whether a part is what is stated, at the positions given, up to rounding.
  bool follows_stated(const FitPart& part) const {
    return stated_ && part.rotated && part.position_offset == 0 && !part.spectrum.clockwise &&
           part.residual < larger(kRounding, 2 * limits(storage_).unit_roundoff) &&
           part.spectrum.embedding.frequencies.theta ==
               request_.assumed->embedding.frequencies.theta;
  }

  std::vector<std::size_t> following(const LeastSquares& fit,
                                     std::span<const std::size_t> lanes) const {
    const std::vector<double> left = lane_residuals(some_lanes(sample_, lanes), fit);
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < lanes.size(); ++i)
      if (left[i] < most_left(fit)) result.push_back(lanes[i]);
    return result;
  }

  double unchanged(std::size_t lane) const {
    double rest = 0, all = 0;
    for (std::size_t t = 0; t < sample_.tokens; ++t)
      for (std::size_t i = sample_.row(t, lane); i < sample_.row(t, lane) + sample_.dim; ++i) {
        rest += std::pow(sample_.y[i] - sample_.x[i], 2);
        all += sample_.x[i] * sample_.x[i];
      }
    return all > 0 ? std::sqrt(rest / all) : 0;
  }

  void add_part(std::vector<std::size_t> lanes, const LeastSquares& fit) {
    FitPart part;
    const std::vector<double> left = lane_residuals(some_lanes(sample_, lanes), fit);
    for (const double each : left) part.residual += each * each;
    part.residual = std::sqrt(part.residual / static_cast<double>(left.size()));
    part.lanes = std::move(lanes);
    part.arrangement = fit.arrangement;
    part.spectrum = fit.spectrum;
    for (const std::int64_t position : whole_given_)
      part.positions.push_back(fit.step * position + fit.offset);
    if (fit.step == 1) part.position_offset = fit.offset;
    result_.parts.push_back(std::move(part));
  }

  /// Where no vector follows a convention in all of its pairs: those in which all do.
  void find_following_pairs(const LeastSquares& nearest) {
    const double off = larger(kRounding, 4 * limits(storage_).unit_roundoff);
    const auto cosine = [](double of) { return 1 - of * of / 2; };
    std::vector<RotaryEmbedding> readings =
        plain_readings(request_, nearest.arrangement.rotary_dim);
    // What is stated is what the pairs are compared with.
    if (request_.assumed && request_.assumed->frequencies && readings.size() > 1)
      readings.erase(readings.begin() + 1, readings.end());
    for (const RotaryEmbedding& embedding : readings) {
      std::vector<std::size_t> with, without;
      const std::size_t pairs = nearest.arrangement.pairs();
      std::size_t telling = 0;  // pairs that follow at rest as well tell nothing
      for (std::size_t k = 0; k < pairs; ++k) {
        const bool follows = turns_alike(nearest.arrangement, embedding, k) > cosine(off);
        (follows ? with : without).push_back(k);
        // Far more than rounding: slow pairs follow nearly at other positions too.
        if (follows && !(turns_by(nearest.arrangement, 0, k) > cosine(10 * off))) ++telling;
      }
      if (telling == 0 || without.empty()) continue;
      if (4 * with.size() < pairs || with.size() <= result_.following.size()) continue;
      // Pairs that stray have to be rotations too: one vector turns by some angle in any case.
      const double factor = stretch(nearest.arrangement, with);
      if (std::ranges::any_of(without, [&](std::size_t k) {
            return !(turns_at_all(nearest.arrangement, factor, k) > cosine(off));
          }))
        continue;
      result_.following = std::move(with);
      result_.straying = std::move(without);
      FitPart part;
      part.arrangement = nearest.arrangement;
      part.spectrum.embedding = embedding;
      part.spectrum.recognised = true;
      part.positions = whole_given_;
      part.position_offset = 0;
      part.spectrum.embedding.attention_factor = factor;
      result_.parts = {std::move(part)};
    }
  }

  void suspect_axes() {
    result_.looks_like = "turned by other angles";
    result_.remedy = {"axis-sections",
                      either("rotate every pair by one position per token",
                             "give its positions on every axis: --axis-positions FILE")};
  }

  /// Whether all pairs follow by angles of few digits, of which the fast ones are off by much.
  bool find_rounded_angles() {
    FitPart& part = result_.parts.front();
    if (rounded_angles_of(part).looks_like.empty()) return false;
    part.lanes.resize(sample_.lanes);
    std::iota(part.lanes.begin(), part.lanes.end(), std::size_t{0});
    result_.following.clear();
    result_.straying.clear();
    measure();
    return true;
  }

  /// |y| over |x| of some pairs.
  double stretch(const Arrangement& a, std::span<const std::size_t> pairs) const {
    double before = 0, after = 0;
    for (const std::size_t k : pairs) {
      const PairDimensions in = a.in_dimensions(k), out = a.out_dimensions(k);
      for_each_vector(sample_, [&](std::size_t row) {
        for (const std::size_t i : {in.first, in.second}) before += std::pow(sample_.x[row + i], 2);
        for (const std::size_t i : {out.first, out.second})
          after += std::pow(sample_.y[row + i], 2);
      });
    }
    return before > 0 ? std::sqrt(after) / std::sqrt(before) : 1;
  }

  /// How far a pair turns by mθ_i, from 0 to 1.
  double turns_alike(const Arrangement& a, const RotaryEmbedding& embedding, std::size_t k) const {
    return turns_by(a, embedding.frequencies.theta[k], k);
  }

  /// How far a pair turns by mθ.
  double turns_by(const Arrangement& a, double theta, std::size_t k) const {
    double sum = 0, weight = 0;
    for (std::size_t t = 0; t < sample_.tokens; ++t) {
      const Turn turn = turn_of(a, k, t);
      sum += (turn.sum * std::polar(1.0, -static_cast<double>(given_[t]) * theta)).real();
      weight += std::sqrt(turn.before * turn.after);
    }
    return weight > 0 ? sum / weight : 1;
  }

  /// How far all vectors of a token turn a pair by one angle and stretch it by `factor`.
  double turns_at_all(const Arrangement& a, double factor, std::size_t k) const {
    double sum = 0, weight = 0;
    for (std::size_t t = 0; t < sample_.tokens; ++t) {
      const Turn turn = turn_of(a, k, t);
      sum += std::abs(turn.sum);
      weight += (factor * turn.before + turn.after / factor) / 2;
    }
    return weight > 0 ? sum / weight : 1;
  }

  /// Σ z̄v of a pair over the vectors of a token, Σ|z|² and Σ|v|².
  struct Turn {
    std::complex<double> sum;
    double before = 0, after = 0;
  };
  Turn turn_of(const Arrangement& a, std::size_t k, std::size_t t) const {
    using Complex = std::complex<double>;
    const PairDimensions in = a.in_dimensions(k), out = a.out_dimensions(k);
    Turn turn;
    for (std::size_t lane = 0; lane < sample_.lanes; ++lane) {
      const std::size_t row = sample_.row(t, lane);
      const Complex z(sample_.x[row + in.first], sample_.x[row + in.second]);
      const Complex v(sample_.y[row + out.first], sample_.y[row + out.second]);
      turn.sum += std::conj(z) * v;
      turn.before += std::norm(z);
      turn.after += std::norm(v);
    }
    return turn;
  }

  /// What all parts together leave of y.
  std::vector<double> left_of_y() const {
    std::vector<double> left = copied(sample_).y;
    for (const FitPart& part : result_.parts)
      for (std::size_t t = 0; t < sample_.tokens; ++t) {
        std::vector<double> cos(part.arrangement.pairs()), sin(cos.size());
        std::vector<double> x(sample_.dim), y(sample_.dim);
        if (part.rotated) row_of(part.spectrum, part.positions[tokens_[t]], cos, sin);
        for (const std::size_t lane : part.lanes) {
          sample_.x.read(sample_.row(t, lane), x);
          if (part.rotated) rotate_by(part.arrangement, cos, sin, x, y);
          for (std::size_t i = 0; i < sample_.dim; ++i)
            left[sample_.dense_row(t, lane) + i] -= part.rotated ? y[i] : x[i];
        }
      }
    return left;
  }

  /// Whether rounded angles leave clearly less than exact ones do.
  Remains rounded_angles_of(const FitPart& part) const {
    const std::vector<std::size_t> near = spread(sample_.tokens, kBugTokens);
    LeastSquares convention{part.arrangement, part.spectrum, {}, 0, 1, 0};
    for (const std::size_t t : near) convention.positions.push_back(part.positions[tokens_[t]]);
    return rounded_angles(some_tokens(sample_, near, kFitLanes), convention);
  }

  /// Whether what the only part leaves is like noise.
  bool left_as_noise(std::span<const double> left) const {
    const FitPart& part = result_.parts.front();
    const std::optional<RotaryEmbedding> embedding = embedding_of(part, all_.dim);
    if (!embedding) return spread_as_noise(sample_, left, part.arrangement);
    return differs_by_noise(all_, *embedding,
                            std::vector<Position>(part.positions.begin(), part.positions.end()));
  }

  /// The size of what is left, and what it looks like.
  void measure() {
    const std::vector<double> left = left_of_y();
    const CopiedNumbers numbers = copied(sample_);
    double rest = 0, x = 0, y = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      rest += left[i] * left[i];
      x += numbers.x[i] * numbers.x[i];
      y += numbers.y[i] * numbers.y[i];
    }
    result_.residual = x > 0 ? std::sqrt(rest / x) : 0;
    result_.explained = y > 0 ? 1 - std::sqrt(rest / y) : 0;
    if (result_.in_parts()) return;
    result_.noise = result_.parts.front().lanes.size() == sample_.lanes && left_as_noise(left);
    Remains remains = rounded_angles_of(result_.parts.front());
    if (remains.looks_like.empty())
      remains = remains_of(sample_, left, result_.parts.front().arrangement, storage_);
    result_.looks_like = remains.looks_like;
    result_.remedy = remains.remedy;
    if (turns_twice(result_.parts.front(), whole_given_)) result_.remedy = remedy_of_two();
  }

  const RotatedTensors& all_;
  const DiagnosisRequest& request_;
  Format storage_;
  bool stated_;                            // frequencies are, and positions
  std::vector<std::size_t> tokens_;        // of the sample
  std::vector<std::int64_t> given_;        // one per token of the sample
  std::vector<std::int64_t> whole_given_;  // one per token
  RotatedTensors sample_;
  double follows_ = kFollows;
  BestFit result_;
};

/// The fit of an embedding whose positions have several axes: not measured further.
BestFit on_axes(const RotatedTensors& tensors, const NoisyEmbedding& noisy) {
  FitPart part;
  part.lanes.resize(tensors.lanes);
  std::iota(part.lanes.begin(), part.lanes.end(), std::size_t{0});
  part.arrangement.rotary_dim = noisy.embedding.rotary_dim();
  part.arrangement.in = part.arrangement.out = noisy.embedding.layout == PairLayout::half ? -1 : 0;
  part.spectrum = named(noisy.embedding);
  part.position_offset = 0;
  part.residual = noisy.residual;
  BestFit fit;
  fit.parts = {std::move(part)};
  fit.residual = noisy.residual;
  fit.explained = 1 - noisy.residual;
  fit.noise = true;
  fit.remedy = remedy_of_noise();
  return fit;
}

}  // namespace

std::optional<RotaryEmbedding> embedding_of(const FitPart& part, std::size_t head_dim) {
  const Arrangement& a = part.arrangement;
  if (!part.rotated || a.in != a.out || a.offset > 0 || a.blocks > 1 || part.spectrum.clockwise ||
      part.spectrum.reversed)
    return std::nullopt;
  RotaryEmbedding embedding = part.spectrum.embedding;
  embedding.head_dim = head_dim;
  embedding.layout = a.in == 0 ? PairLayout::interleaved : PairLayout::half;
  // Noise moves a fitted factor.
  if (std::abs(embedding.attention_factor - 1) < 2 * part.residual) embedding.attention_factor = 1;
  return embedding;
}

bool within_rounding(const BestFit& fit, Format storage) {
  return fit.residual <= larger(kRounding, 2 * limits(storage).unit_roundoff);
}

std::optional<BestFit> best_fit(const RotatedTensors& tensors, const DiagnosisRequest& request,
                                Format storage) {
  return Nearest(tensors, request, storage).find();
}

BestFit noisy_fit(const RotatedTensors& tensors, const DiagnosisRequest& request, Format storage,
                  const NoisyEmbedding& noisy) {
  DiagnosisRequest placed = request;
  placed.axis_positions.reset();
  placed.axes = 1;
  placed.positions.emplace();
  for (const Position& position : noisy.positions) placed.positions->push_back(position[0]);
  const bool axes = noisy.embedding.axes.several();
  BestFit fit =
      axes ? on_axes(tensors, noisy) : Nearest(tensors, placed, storage).describe(noisy.embedding);
  if (axes) return fit;
  // Of positions that were withheld, how they lie to a count.
  std::optional<std::int64_t>& offset = fit.parts.front().position_offset;
  const std::vector<std::int64_t> given = given_or_counted(request, tensors.tokens);
  if (turns_twice(fit.parts.front(), given)) {
    fit.looks_like.clear();  // it rounds once more
    fit.remedy = remedy_of_two();
  }
  offset = placed.positions->front() - given.front();
  for (std::size_t t = 1; t < given.size(); ++t)
    if (placed.positions->at(t) - given[t] != *offset) {
      offset.reset();
      break;
    }
  return fit;
}

}  // namespace rope
