#include "rope/diagnose/axes/several_axes.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "rope/diagnose/axes/axis_candidates.hpp"
#include "rope/diagnose/axes/placing.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/positions/decoder.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/diagnose/verdict/judge.hpp"
#include "rope/rotary/ranges_text.hpp"

namespace rope {
namespace {

// An image of a hundredth of the tokens is among them.
constexpr std::size_t kTriedTokens = 256, kTriedLanes = 16;
constexpr std::size_t kAngleLanes = 64;
/// A direction in which positions ascend: turning the other way at mirrored positions is the same.
void choose_direction(Spectrum& spectrum, std::vector<Position>& places) {
  const std::size_t axes = spectrum.embedding.axes.count();
  std::size_t ahead = 0, behind = 0;
  for (const Position& place : places)
    for (std::size_t a = 0; a < axes; ++a) {
      if (place[a] > 0) ++ahead;
      if (place[a] < 0) ++behind;
    }
  if (ahead >= behind) return;
  spectrum.clockwise = !spectrum.clockwise;
  for (Position& place : places) place = Position(0) - place;
}

/// One axis at 0, or at the positions of another one, two axes exchanged, or all at those of one.
std::vector<std::vector<AxisSource>> other_sources(std::size_t axes) {
  std::vector<std::vector<AxisSource>> ways;
  for (std::size_t a = 0; a < axes; ++a) {
    ways.push_back({{a, std::nullopt}});
    std::vector<AxisSource> all;
    for (std::size_t b = 0; b < axes; ++b) {
      if (b == a) continue;
      ways.push_back({{a, b}});
      if (a < b) ways.push_back({{a, b}, {b, a}});
      all.push_back({b, a});
    }
    if (axes > 2) ways.push_back(std::move(all));
  }
  return ways;
}

class AxesSearch {
 public:
  AxesSearch(const RotatedTensors& tensors, const DiagnosisRequest& request,
             const SearchTolerance& tolerance)
      : tensors_(tensors),
        request_(request),
        tolerance_(tolerance),
        policies_(possible_policies(tensors)),
        input_(narrowest_format(tensors, &RotatedTensors::x)),
        sampled_(spread(tensors.tokens, kTriedTokens)),
        sample_(some_tokens(tensors, sampled_, kTriedLanes)) {}

  const RotatedTensors& sample() const { return sample_; }

  /// What is stated, or its axes with another base, in all of its dimensions: some may turn by an
  /// axis on which no token moves.
  std::vector<Explanation> find_stated() {
    if (!request_.assumed || !request_.assumed->embedding.axes.several()) return {};
    const RotaryEmbedding& stated = request_.assumed->embedding;
    if (stated.rotary_dim() > tensors_.dim) return {};
    const int order = stated.layout == PairLayout::interleaved ? 0 : -1;
    const Arrangement arrangement = request_.arrangement.value_or(
        Arrangement{0, stated.rotary_dim(), order, order, blocks_of(stated)});
    if (arrangement.rotary_dim != stated.rotary_dim()) return {};
    const Search search = search_of(tensors_, arrangement);
    try_one({named(stated), true}, search);
    if (found_.empty()) try_other_positions({named(stated), false}, search);
    for (const AxisCandidate& other : axes_of_other_bases(stated))
      if (found_.empty()) try_one(other, search);
    return std::move(found_);
  }

  std::vector<Explanation> find(const Arrangement& arrangement) {
    const Search search = search_of(tensors_, arrangement);
    for (const AxisCandidate& candidate : axis_candidates(request_, arrangement.rotary_dim))
      try_one(candidate, search);
    if (found_.empty() && request_.axis_positions) try_lines(search);
    return std::move(found_);
  }

 private:
  Search search_of(const RotatedTensors& tensors, const Arrangement& arrangement) const {
    return {tensors, arrangement, tolerance_, 0x1p-21, false, request_.presets, LineErrors::worst};
  }

  /// What is stated at other positions than those given on its axes.
  void try_other_positions(const AxisCandidate& stated, const Search& search) {
    const std::size_t axes = stated.spectrum.embedding.axes.count();
    if (!request_.axis_positions || axes != request_.axes) return;
    for (const std::vector<AxisSource>& way : other_sources(axes)) {
      std::vector<Position> places = *request_.axis_positions;
      for (Position& place : places) {
        const Position given = place;
        for (const AxisSource& source : way)
          place[source.axis] = source.from ? given[*source.from] : 0;
      }
      if (places == *request_.axis_positions) continue;
      try_at(stated, search, std::move(places));
      if (found_.empty()) continue;
      found_.front().position_offset.reset();
      found_.front().axis_sources = way;
      return;
    }
  }

  void try_at(const AxisCandidate& candidate, const Search& search, std::vector<Position> places) {
    Regime sample{indices(sample_.tokens), {}, candidate.spectrum, {}};
    Regime all{indices(tensors_.tokens), {}, candidate.spectrum, {}};
    stand(all, std::move(places));
    stand(sample, of_sample(all));
    judge(candidate, search, sample, std::move(all), {});
  }

  std::vector<Position> of_sample(const Regime& all) const {
    std::vector<Position> places;
    for (const std::size_t token : sampled_) places.push_back(all.on_axes[token]);
    return places;
  }

  /// The axis of each pair is looked for.
  void try_lines(const Search& search) {
    const std::vector<std::size_t> tokens = spread(tensors_.tokens, kLineTokens);
    const MeasuredAngles angles =
        measure_angles(some_tokens(tensors_, tokens, kAngleLanes), search.arrangement, tolerance_);
    for (const AxisCandidate& candidate :
         candidates_at(angles, chosen(tokens), request_.axes, search)) {
      try_one(candidate, search);
      if (!found_.empty()) return;  // what follows says the same with more digits
    }
  }

  void try_one(const AxisCandidate& candidate, const Search& search) {
    const std::size_t axes = candidate.spectrum.embedding.axes.count();
    if (request_.axis_positions) {
      if (axes == request_.axes) try_at(candidate, search, *request_.axis_positions);
      return;
    }
    Regime sample{indices(sample_.tokens), {}, candidate.spectrum, {}};
    Regime all{indices(tensors_.tokens), {}, candidate.spectrum, {}};
    // A wrong candidate fits no position of the first few tokens.
    const std::optional<Placed> some =
        place_on_axes(search_of(sample_, search.arrangement), candidate.spectrum);
    if (!some || !stand_apart(*some, axes)) return;
    // Slow pairs alone fit many, of which none need explain y: seen before all tokens are placed.
    if (!place(search, sampled_, sample) || !explains(search, sample)) return;
    std::optional<std::vector<std::string>> uncertain = place(search, all.tokens, all);
    if (!uncertain) return;
    sample.spectrum = all.spectrum;
    stand(sample, of_sample(all));
    judge(candidate, search, sample, std::move(all), *std::move(uncertain));
  }

  static void stand(Regime& regime, std::vector<Position> places) {
    regime.positions.clear();
    for (const Position& each : places) regime.positions.push_back(each[0]);
    regime.on_axes = std::move(places);
  }

  /// Places the tokens of a regime; the axes that leave some open, or nothing if one fits nowhere.
  std::optional<std::vector<std::string>> place(const Search& search,
                                                const std::vector<std::size_t>& tokens,
                                                Regime& regime) const {
    const RotatedTensors lanes = some_tokens(tensors_, tokens, kAngleLanes);
    std::optional<Placed> placed =
        place_on_axes(search_of(lanes, search.arrangement), regime.spectrum);
    if (!placed) return std::nullopt;
    choose_direction(regime.spectrum, placed->places);
    stand(regime, std::move(placed->places));
    return std::move(placed->uncertain);
  }

  bool explains(const Search& search, const Regime& sample) const {
    const Judge first(sample_, search.arrangement, request_.hypotheses, input_);
    return std::any_of(policies_.begin(), policies_.end(), [&](const JudgedPolicy& policy) {
      return first.judge(policy, sample).passed;
    });
  }

  void judge(const AxisCandidate& candidate, const Search& search, const Regime& sample, Regime all,
             std::vector<std::string> uncertain) {
    const Judge first(sample_, search.arrangement, request_.hypotheses, input_);
    const Judge whole(tensors_, search.arrangement, request_.hypotheses, input_);
    for (const JudgedPolicy& policy : policies_) {
      if (!first.judge(policy, sample).passed) continue;
      const Judgement judgement = whole.judge(policy, all);
      if (!judgement.passed) continue;
      Explanation e;
      e.arrangement = search.arrangement;
      e.policy = policy.policy;
      e.judgement = judgement;
      e.assumed = candidate.assumed;
      e.head_dim = tensors_.dim;
      if (request_.axis_positions) e.position_offset = 0;
      e.open = open_axes(search, all);
      for (const std::string& axis : uncertain)
        e.open.push_back("positions along " + axis +
                         ": several fit the angles of at least one token");
      e.regimes.push_back(std::move(all));
      found_.push_back(std::move(e));
      return;
    }
  }

  /// Pairs whose angles another axis explains as well.
  std::vector<std::string> open_axes(const Search& search, const Regime& all) const {
    const Axes& axes = all.spectrum.embedding.axes;
    const std::vector<std::size_t> tokens = spread(tensors_.tokens, kLineTokens);
    const RotatedTensors some = some_tokens(tensors_, tokens, kAngleLanes);
    std::vector<std::size_t> either;
    for (std::size_t k = 0; k < axes.of_pair.size(); ++k) {
      const std::array<std::size_t, 1> pair = {k};
      const MeasuredAngles angles =
          measure_angles(some, search.arrangement, search.tolerance, pair);
      const Decoder decoder(angles, pair, all.spectrum, search);
      for (std::size_t a = 0; a < axes.count(); ++a) {
        if (a == axes.of_pair[k]) continue;
        bool fits = true;
        for (std::size_t i = 0; i < tokens.size() && fits; ++i)
          fits = decoder.fits(i, all.on_axes[tokens[i]][a]);
        if (!fits) continue;
        either.push_back(k);
        break;
      }
    }
    if (either.empty()) return {};
    return {"the axis of pair " + ranges_text(either) +
            ": positions on another axis give the same angles"};
  }

  std::vector<Position> chosen(std::span<const std::size_t> tokens) const {
    std::vector<Position> places;
    for (const std::size_t token : tokens) places.push_back((*request_.axis_positions)[token]);
    return places;
  }

  static std::vector<std::size_t> indices(std::size_t n) {
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }

  RotatedTensors tensors_;
  const DiagnosisRequest& request_;
  SearchTolerance tolerance_;
  std::vector<JudgedPolicy> policies_;
  Format input_;
  std::vector<std::size_t> sampled_;
  RotatedTensors sample_;
  std::vector<Explanation> found_;
};

}  // namespace

std::vector<Explanation> explain_on_axes(const RotatedTensors& tensors,
                                         const DiagnosisRequest& request) {
  const Format storage = narrowest_format(tensors, &RotatedTensors::y);
  // Then cos and sin coarser than y.
  for (const double table : {0.0, 0x1p-7}) {
    const SearchTolerance tolerance = search_tolerance(tensors, storage, request.hypotheses, table);
    const ChangedDimensions changed = changed_dimensions(tensors, tolerance);
    if (!changed.any) return {};
    AxesSearch search(tensors, request, tolerance);
    const RotatedTensors& sample = search.sample();
    if (std::vector<Explanation> found = search.find_stated(); !found.empty()) return found;
    const std::vector<Arrangement> pairings =
        request.arrangement ? std::vector{*request.arrangement}
                            : find_pairings(sample, changed, tolerance).fitting;
    // Of as few pairs as there are axes, each has a position of its own, whatever its angle.
    constexpr std::size_t kFewestPairs = 4;
    for (const Arrangement& arrangement : pairings)
      if (arrangement.pairs() >= kFewestPairs)
        if (std::vector<Explanation> found = search.find(arrangement); !found.empty()) return found;
    if (storage == Format::float32 || storage == Format::float64) break;
  }
  return {};
}

}  // namespace rope
