#include "rope/diagnose/diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "rope/diagnose/all_tokens.hpp"
#include "rope/diagnose/axes/several_axes.hpp"
#include "rope/diagnose/nearest/least_squares.hpp"
#include "rope/diagnose/noise_verdict.hpp"
#include "rope/diagnose/outliers/foreign_tail.hpp"
#include "rope/diagnose/outliers/odd_pairs.hpp"
#include "rope/diagnose/outliers/odd_tokens.hpp"
#include "rope/diagnose/pairings/find_pairings.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/diagnose/verdict/open_questions.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"

namespace rope {
namespace {

/// Numbers from which on a sample is looked at before all of them are.
constexpr std::size_t kMany = std::size_t{1} << 22;

/// Whether the bounds of a pipeline are so wide that they may hide a wrong number: its tables are
/// rougher than y. Rough positions do not matter: the first 256 are exact in every format.
bool hides_outliers(const Policy& policy) {
  const int single = limits(Format::float32).precision;
  return limits(policy.table).precision < limits(policy.store).precision &&
         limits(policy.position).precision >= single &&
         limits(policy.frequency).precision >= single;
}

/// Whether positions stand so far out that a format of 16 bits holds none less than `apart` from
/// them.
bool so_far_apart(const std::vector<std::int64_t>& positions, double apart) {
  return std::ranges::any_of(std::array{Format::bfloat16, Format::float16}, [&](Format format) {
    return std::ranges::all_of(positions, [&](std::int64_t position) {
      const auto exact = static_cast<double>(position);
      return position != 0 && round_to(format, exact) == exact &&
             2 * limits(format).unit_roundoff * std::exp2(std::ilogb(exact)) >= apart;
    });
  });
}

/// Positions that were rounded to 16 bits may all be even, and are then found as half of them under
/// frequencies twice as high: the plainer reading, if it reproduces y. Where positions are withheld
/// they need not count up, as of sequences that were packed.
std::optional<Explanation> at_rounded_positions(const RotatedTensors& tensors,
                                                const DiagnosisRequest& request,
                                                std::span<const std::int64_t> given,
                                                const Explanation& e) {
  const Spectrum& spectrum = e.spectrum();
  const RotaryEmbedding& embedding = spectrum.embedding;
  if (e.regimes.size() != 1 || !spectrum.recognised || !embedding.base ||
      embedding.scaling.rule != "linear")
    return std::nullopt;
  const double times = std::round(1 / embedding.scaling.numbers.at("factor"));
  constexpr double kMostSteps = 4096;
  if (!(times >= 2 && times <= kMostSteps)) return std::nullopt;
  Regime regime = e.regimes.front();
  for (std::int64_t& position : regime.positions) position *= static_cast<std::int64_t>(times);
  regime.spectrum.embedding = default_embedding(embedding.rotary_dim(), *embedding.base);
  regime.spectrum.embedding.attention_factor = embedding.attention_factor;
  regime.spectrum.divisor_low = regime.spectrum.divisor_high = 1;
  if (!position_rounding(std::span(&regime, 1), given) &&
      (request.positions || !so_far_apart(regime.positions, times)))
    return std::nullopt;
  DiagnosisRequest withheld = request;
  withheld.positions.reset();
  Diagnosis found =
      diagnose_candidates(tensors, withheld, {Candidate{e.arrangement, {std::move(regime)}}});
  if (found.explanations.empty()) return std::nullopt;
  return std::move(found.explanations.front());
}

/// Whether neighbours share a position, as rounding leaves them.
bool repeats_positions(const Explanation& e) {
  const std::vector<std::int64_t>& positions = e.regimes.front().positions;
  return std::ranges::adjacent_find(positions) != positions.end();
}

/// `request`: positions that are withheld may be rounded of a count.
void read_rounded_positions(const RotatedTensors& tensors, const DiagnosisRequest& request,
                            Diagnosis& found) {
  const std::vector<std::int64_t> given = given_or_counted(request, tensors.tokens);
  for (Explanation& e : found.explanations) {
    if (e.position_offset || (!request.positions && !repeats_positions(e))) continue;
    std::optional<Explanation> plain = at_rounded_positions(tensors, request, given, e);
    if (!plain) continue;
    e = *std::move(plain);
    compare_positions(e, given);
  }
}

/// Where nothing fits at the positions given: what fits without them, if anything.
std::optional<Diagnosis> diagnose_elsewhere(const RotatedTensors& tensors,
                                            const DiagnosisRequest& request) {
  DiagnosisRequest withheld = request;
  withheld.positions.reset();
  Diagnosis found = diagnose_all_tokens(tensors, withheld);
  if (found.explanations.empty()) return std::nullopt;
  read_rounded_positions(tensors, request, found);
  for (Explanation& e : found.explanations) {
    compare_positions(e, *request.positions);  // until now with a count
    if (e.arrangement.pairs() > 1) continue;
    e.direction_open = true;
    e.open.emplace_back(kOnePairOpen);
    found.verdict = DiagnosisVerdict::ambiguous;
  }
  return found;
}

/// What explains the dimensions before those that pass through. A tail that is not that of x may be
/// so for noise alone.
std::optional<Diagnosis> diagnose_before_tail(const RotatedTensors& tensors,
                                              const DiagnosisRequest& request,
                                              const Diagnosis& all) {
  std::optional<Diagnosis> found = explain_all_but_tail(tensors, request);
  if (!found || found->of_all_numbers()) return found;
  std::optional<Diagnosis> noise = noise_beside(found->explanations.front(), tensors, request, all);
  return noise ? std::move(noise) : std::move(found);
}

/// The best fit judged by the bounds of pipelines, if it is one convention of all vectors.
std::optional<Diagnosis> diagnose_fit(const RotatedTensors& tensors,
                                      const DiagnosisRequest& request, const Diagnosis& result) {
  constexpr double kNearOne = 1e-2;
  const std::optional<BestFit>& fit = result.best_fit;
  if (!fit || fit->settled() || fit->parts.size() != 1 || !fit->following.empty() ||
      fit->parts.front().lanes.size() != tensors.lanes)
    return std::nullopt;
  const FitPart& part = fit->parts.front();
  Regime regime;
  regime.tokens.resize(tensors.tokens);
  std::iota(regime.tokens.begin(), regime.tokens.end(), std::size_t{0});
  regime.positions = part.positions;
  regime.spectrum = part.spectrum;
  std::vector<Candidate> candidates;
  const double error = larger(fit->residual, 1e-12);
  double& factor = regime.spectrum.embedding.attention_factor;
  regime.spectrum.factor_low = factor * (1 - error);
  regime.spectrum.factor_high = factor * (1 + error);
  if (std::abs(factor - 1) < kNearOne) {
    const double fitted = std::exchange(factor, 1.0);
    candidates.push_back({part.arrangement, {regime}});
    factor = fitted;
  }
  regime.spectrum.factor_error = error;
  candidates.push_back({part.arrangement, {std::move(regime)}});
  Diagnosis found = diagnose_candidates(tensors, request, std::move(candidates));
  if (found.explanations.empty()) return std::nullopt;
  found.pairings = result.pairings;
  return found;
}

/// |y − x| over |x|.
double changed_share(const RotatedTensors& tensors) {
  double changed = 0, size = 0;
  for_each_vector(tensors, [&](std::size_t row) {
    for (std::size_t i = row; i < row + tensors.dim; ++i) {
      changed += std::pow(tensors.y[i] - tensors.x[i], 2);
      size += std::pow(tensors.x[i], 2);
    }
  });
  return size > 0 ? std::sqrt(changed / size) : 0;
}

/// A known bug, and vectors that follow several conventions, leave no doubt that no single
/// convention explains y. Where one of unknown frequencies may, they have to leave no more than
/// rounding does, and little of what changed: few tokens come near much by chance. Noise says
/// neither that a convention is right nor that it is not.
void settle(const RotatedTensors& tensors, Diagnosis& result) {
  std::optional<BestFit>& fit = result.best_fit;
  if (fit && fit->noise) result.verdict = DiagnosisVerdict::ambiguous;
  if (!fit || !fit->settled()) return;
  constexpr double kOfChange = 0.1;
  if (result.undetermined && !(within_rounding(*fit, result.storage) &&
                               fit->residual <= kOfChange * changed_share(tensors))) {
    fit.reset();
    return;
  }
  result.verdict = DiagnosisVerdict::none;
  result.undetermined = false;
}

/// Where every pair keeps its length up to noise, y may be a rotation at positions or by
/// frequencies that were not found.
void allow_noise(const RotatedTensors& tensors, const DiagnosisRequest& request,
                 Diagnosis& result) {
  constexpr double kMostNoise = 0.05;  // of |y|; one wrong vector or pair of 100 leaves more
  constexpr std::size_t kTokens = 256, kLanes = 64;
  if (!result.pairings.empty()) return;
  const NearestTurn turn =
      nearest_turn(some_tokens(tensors, spread(tensors.tokens, kTokens), kLanes), request);
  const double noise = std::sqrt(turn.left);
  if (!(noise < kMostNoise)) return;
  result.noise = noise;
  result.pairings = {turn.arrangement};
  result.undetermined = true;
  result.verdict = DiagnosisVerdict::ambiguous;
}

/// Nothing explains all of y; `most` explains most of it.
void contradict(Diagnosis& result, Explanation&& most) {
  result.verdict = DiagnosisVerdict::none;
  result.undetermined = false;
  result.explanations.clear();
  result.near_miss = std::move(most);
}

/// Distances between positions, mirrored positions and steps have to fit 64 bits.
void check_distances(std::span<const std::int64_t> positions) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 61;
  for (const std::int64_t position : positions)
    if (position <= -kFarthest || position >= kFarthest)
      throw DomainError(
          Subject{"positions"}, "expected magnitudes below 2^61, got " + std::to_string(position),
          "If they are unknown, omit them; rope then searches for positions that fit.");
}

}  // namespace

std::string_view name(DiagnosisVerdict verdict) {
  switch (verdict) {
    case DiagnosisVerdict::unique:
      return "unique";
    case DiagnosisVerdict::ambiguous:
      return "ambiguous";
    case DiagnosisVerdict::none:
      break;
  }
  return "none";
}

std::vector<std::size_t> pairs_on_axis(const Explanation& explanation, std::size_t axis) {
  const std::vector<std::uint8_t>& of_pair = explanation.spectrum().embedding.axes.of_pair;
  std::vector<std::size_t> pairs;
  for (std::size_t k = 0; k < of_pair.size(); ++k)
    if (of_pair[k] == axis) pairs.push_back(k);
  return pairs;
}

std::vector<std::int64_t> positions_on_axis(const Explanation& explanation, std::size_t axis) {
  std::vector<std::int64_t> positions;
  for (const Position& place : explanation.regimes.front().on_axes)
    positions.push_back(place[axis]);
  return positions;
}

std::string_view name(ForeignTail::Holds holds) {
  if (holds == ForeignTail::Holds::zero) return "zero";
  return holds == ForeignTail::Holds::another_lane ? "another vector" : "other numbers";
}

std::string_view name(OddTurn turn) {
  switch (turn) {
    case OddTurn::negated:
      return "negated";
    case OddTurn::first_negated:
      return "first-negated";
    case OddTurn::second_negated:
      return "second-negated";
    case OddTurn::other_way:
      return "other-way";
    case OddTurn::no_rotation:
      return "no-rotation";
    case OddTurn::no_frequency:
      return "no-frequency";
    case OddTurn::another_frequency:
      break;
  }
  return "another-frequency";
}

namespace {

void check_request(const RotatedTensors& tensors, const DiagnosisRequest& request) {
  if (tensors.tokens == 0 || tensors.lanes == 0 || tensors.dim < 2)
    throw ShapeError("diagnose: expected at least one token of at least 2 dimensions, got " +
                         std::to_string(tensors.tokens) + " of " + std::to_string(tensors.dim),
                     "Rows with a NaN or an infinity are not counted.");
  if (request.positions && request.positions->size() != tensors.tokens)
    throw ShapeError("positions: expected " + std::to_string(tensors.tokens) +
                         ", one per token, got " + std::to_string(request.positions->size()),
                     "Give one position per token.");
  if (request.positions) check_distances(*request.positions);
  if (!request.axis_positions) return;
  if (request.axes < 2 || request.axes > kMaxAxes ||
      request.axis_positions->size() != tensors.tokens)
    throw ShapeError("axis positions: expected one per token on 2 to " + std::to_string(kMaxAxes) +
                         " axes, got " + std::to_string(request.axis_positions->size()) + " on " +
                         std::to_string(request.axes),
                     "Give each token a position on every axis.");
  for (std::size_t axis = 0; axis < request.axes; ++axis) {
    std::vector<std::int64_t> positions;
    for (const Position& place : *request.axis_positions) positions.push_back(place[axis]);
    check_distances(positions);
  }
}

/// The request as tokens in one sequence have it: one position each, the same on every axis.
DiagnosisRequest on_one_axis(const DiagnosisRequest& request) {
  DiagnosisRequest plain = request;
  if (plain.assumed) plain.assumed->embedding.axes = {};
  if (!plain.axis_positions) return plain;
  const auto same_on_all = [&](const Position& place) {
    for (std::size_t axis = 1; axis < request.axes; ++axis)
      if (place[axis] != place[0]) return false;
    return true;
  };
  if (std::all_of(plain.axis_positions->begin(), plain.axis_positions->end(), same_on_all)) {
    plain.positions.emplace();
    for (const Position& place : *plain.axis_positions) plain.positions->push_back(place[0]);
  }
  plain.anywhere = false;  // they are known, if on several axes
  plain.axis_positions.reset();
  plain.axes = 1;
  return plain;
}

/// Whether y is what is stated at one position per token, those given or counted or a constant
/// offset from them, as in text: on several axes, slow pairs would fit other positions as well.
bool follows_as_text(const Diagnosis& found, const DiagnosisRequest& request) {
  if (found.explanations.empty()) return false;
  const Explanation& first = found.explanations.front();
  return first.position_offset && first.spectrum().embedding.frequencies.theta ==
                                      request.assumed->embedding.frequencies.theta;
}

/// What positions on several axes explain, if anything.
std::optional<Diagnosis> diagnose_on_axes(const RotatedTensors& tensors,
                                          const DiagnosisRequest& request) {
  Diagnosis result;
  result.explanations = explain_on_axes(tensors, request);
  if (result.explanations.empty()) return std::nullopt;
  result.token_axis = tensors.token_axis;
  result.tokens = tensors.tokens;
  result.storage = narrowest_format(tensors, &RotatedTensors::y);
  for (const Explanation& e : result.explanations) result.pairings.push_back(e.arrangement);
  const bool certain = result.explanations.size() == 1 && result.explanations.front().open.empty();
  result.verdict = certain ? DiagnosisVerdict::unique : DiagnosisVerdict::ambiguous;
  return result;
}

/// Where there are many numbers: what a sample of the tokens shows of several axes, or of vectors
/// that follow several conventions. What no convention explains in some tokens, none explains in
/// all.
std::optional<Diagnosis> diagnose_many(const RotatedTensors& tensors,
                                       const DiagnosisRequest& request) {
  constexpr std::size_t kSample = 128;
  if (tensors.size() < kMany || tensors.tokens <= 2 * kSample) return std::nullopt;
  const std::vector<std::size_t> tokens = spread(tensors.tokens, kSample);
  const std::vector<std::int64_t> given = given_or_counted(request, tensors.tokens);
  DiagnosisRequest of_sample = request;
  of_sample.counted = !request.positions;
  of_sample.positions.emplace();
  for (const std::size_t token : tokens) of_sample.positions->push_back(given[token]);
  Diagnosis found = diagnose_all_tokens(some_tokens(tensors, tokens, tensors.lanes), of_sample);
  if (!found.explanations.empty() || found.unchanged || found.x_zero || found.y_zero)
    return std::nullopt;
  if (!request.positions)
    if (std::optional<Diagnosis> on_axes = diagnose_on_axes(tensors, request)) return on_axes;
  if (!found.pairings.empty()) return std::nullopt;
  found.best_fit = best_fit(tensors, request, found.storage);
  if (!found.best_fit || !found.best_fit->settled()) return std::nullopt;
  settle(tensors, found);
  found.tokens = tensors.tokens;
  found.near_miss.reset();  // it knows the sample alone
  return found;
}

/// What the best fit amounts to: an explanation, or noise.
std::optional<Diagnosis> judged_fit(const RotatedTensors& tensors, const DiagnosisRequest& request,
                                    const Diagnosis& found) {
  if (std::optional<Diagnosis> fit = diagnose_fit(tensors, request, found)) return fit;
  return noise_at_other_positions(tensors, request, found);
}

/// What explains y where one convention of all its tokens and pairs does not, or may hide that.
Diagnosis diagnose_exceptions(const RotatedTensors& tensors, const DiagnosisRequest& request,
                              Diagnosis result) {
  std::optional<MajorityExplanation> most = explain_majority(tensors, request);
  if (most)
    if (std::optional<Diagnosis> noise = noise_beside(most->explanation, tensors, request, result))
      return *std::move(noise);
  if (most && result.undetermined &&
      may_stand_elsewhere(some_tokens(tensors, most->tokens, tensors.lanes),
                          most->explanation.arrangement, tensors, request))
    most.reset();
  std::optional<OddPairsExplanation> odd;
  if (!most && result.explanations.empty())
    odd = explain_all_but_odd_pairs(tensors, request, result.pairings, result.nearest,
                                    result.nearest_misfits);
  const bool as_given = (most && most->explanation.position_offset == 0) ||
                        (odd && odd->explanation.position_offset == 0);
  if (request.positions && !as_given && result.explanations.empty() && !result.pairings.empty()) {
    if (std::optional<Diagnosis> found = diagnose_elsewhere(tensors, request))
      return *std::move(found);
    result.undetermined = true;  // y is a rotation, if at positions that were not found
    result.verdict = DiagnosisVerdict::ambiguous;
  }
  if (!most && !odd && result.explanations.empty()) {
    if (std::optional<Diagnosis> found = noise_at_rounded_positions(tensors, request, result))
      return *std::move(found);
    result.best_fit = best_fit(tensors, request, result.storage);
    if (std::optional<Diagnosis> found = judged_fit(tensors, request, result))
      return *std::move(found);
    settle(tensors, result);
    if (!result.best_fit) allow_noise(tensors, request, result);
  }
  if (most) {
    result.broken_tokens = std::move(most->tokens);
    contradict(result, std::move(most->explanation));
  } else if (odd) {
    result.odd_pairs = std::move(odd->pairs);
    contradict(result, std::move(odd->explanation));
  }
  return result;
}

Diagnosis diagnose_tensors(const RotatedTensors& tensors, const DiagnosisRequest& request);

/// If the positions given or the embedding stated have several axes.
Diagnosis diagnose_with_axes(const RotatedTensors& tensors, const DiagnosisRequest& request) {
  std::optional<Diagnosis> as_text;
  if (!request.axis_positions) {
    as_text = diagnose_tensors(tensors, on_one_axis(request));
    if (follows_as_text(*as_text, request)) return *std::move(as_text);
  }
  std::optional<Diagnosis> found = diagnose_on_axes(tensors, request);
  if (std::optional<Diagnosis> noise =
          diagnose_noise(tensors, request, found.value_or(Diagnosis{})))
    return *std::move(noise);
  if (found) return *std::move(found);
  if (as_text) return *std::move(as_text);
  const DiagnosisRequest plain = on_one_axis(request);
  Diagnosis counted = diagnose_tensors(tensors, plain);
  if (!plain.positions) counted.axes_left_out = request.axes;
  return counted;
}

Diagnosis diagnose_tensors(const RotatedTensors& tensors, const DiagnosisRequest& request) {
  if (request.axis_positions || (request.assumed && request.assumed->embedding.axes.several()))
    return diagnose_with_axes(tensors, request);
  if (std::optional<Diagnosis> found = diagnose_many(tensors, request)) return *std::move(found);
  Diagnosis result = diagnose_all_tokens(tensors, request);
  read_rounded_positions(tensors, request, result);
  if (result.unchanged || result.x_zero || result.y_zero) return result;
  if (std::optional<Diagnosis> noise = noise_instead(tensors, request, result))
    return *std::move(noise);
  if (!result.explanations.empty() && !hides_outliers(result.explanations.front().policy))
    return result;
  if (result.explanations.empty())
    if (std::optional<Diagnosis> found = diagnose_on_axes(tensors, request))
      return *std::move(found);
  if (result.explanations.empty())
    if (std::optional<Diagnosis> found = diagnose_before_tail(tensors, request, result))
      return *std::move(found);
  if (!request.nearest) return result;
  return diagnose_exceptions(tensors, request, std::move(result));
}

/// Between which positions tokens were given, on one axis or on several; nothing if they were not.
std::optional<PositionRange> given_range(const DiagnosisRequest& request) {
  std::vector<std::int64_t> all;
  if (request.positions && !request.counted) all = *request.positions;
  if (request.axis_positions)
    for (const Position& place : *request.axis_positions)
      for (std::size_t axis = 0; axis < request.axes; ++axis) all.push_back(place[axis]);
  if (all.empty()) return std::nullopt;
  PositionRange range{all.front(), all.front()};
  for (const std::int64_t position : all) {
    if (position < range.least) range.least = position;
    if (position > range.most) range.most = position;
  }
  return range;
}

}  // namespace

Diagnosis diagnose(const RotatedTensors& tensors, const DiagnosisRequest& request) {
  check_request(tensors, request);
  Diagnosis result = diagnose_tensors(tensors, request);
  if (result.unchanged) result.unturned = given_range(request);
  return result;
}

}  // namespace rope
