// What is tried whether or not the angles led to it: what the user states, and the plain readings.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/verdict/explanation_finder.hpp"
#include "rope/diagnose/verdict/open_questions.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

/// Unscaled embeddings of usual bases, and the presets of that size.
std::vector<Spectrum> usual_readings(std::size_t rotary_dim,
                                     std::span<const NamedEmbedding> presets) {
  std::vector<Spectrum> result;
  result.reserve(kUsualBases.size() + presets.size());
  for (const double base : kUsualBases)
    result.push_back(named(default_embedding(rotary_dim, base)));
  for (const NamedEmbedding& preset : presets)
    if (preset.embedding.rotary_dim() == rotary_dim) result.push_back(named(preset.embedding));
  return result;
}

/// Whether an explanation has the pairs, the positions and the direction of a candidate.
bool same_turns(const Explanation& e, const Candidate& candidate) {
  const Regime& regime = candidate.regimes.front();
  return e.arrangement == candidate.arrangement && e.regimes.size() == 1 &&
         e.regimes.front().positions == regime.positions &&
         e.spectrum().clockwise == regime.spectrum.clockwise && !e.spectrum().reversed;
}

bool is_usual_base(const Spectrum& spectrum) {
  return spectrum.embedding.base && std::find(kUsualBases.begin(), kUsualBases.end(),
                                              *spectrum.embedding.base) != kUsualBases.end();
}

/// Where frequencies divided by 1/n are undivided: at n times their positions, which lie n apart,
/// as positions do that few bits hold. Empty where nothing is so divided, and where the positions
/// count evenly: then every angle is n-fold, as by a second rotation.
std::vector<std::int64_t> undivided_positions(const Regime& regime) {
  constexpr double kMostApart = 4096, kLargest = 0x1p50;
  const ScalingSpec& scaling = regime.spectrum.embedding.scaling;
  if (scaling.rule != "linear") return {};
  const double apart = std::round(1 / scaling.numbers.at("factor"));
  if (!(apart >= 2 && apart <= kMostApart)) return {};
  std::vector<std::int64_t> positions = regime.positions;
  bool even = true;
  for (std::size_t t = 2; t < positions.size(); ++t)
    even = even && positions[t] - positions[t - 1] == positions[1] - positions[0];
  if (even) return {};
  for (std::int64_t& position : positions) {
    if (std::abs(static_cast<double>(position)) > kLargest) return {};
    position *= std::llround(apart);
  }
  return positions;
}

/// Whether one explanation divides the frequencies of another by a whole number and has its
/// positions times that: the same angles, of which neither has the positions that are given.
bool multiplied(const Explanation& strange, const Explanation& plain) {
  const RotaryEmbedding &one = plain.spectrum().embedding, &other = strange.spectrum().embedding;
  if (plain.arrangement != strange.arrangement || one.scaling.rule != "default" ||
      other.scaling.rule != "linear" || one.base != other.base || plain.position_offset ||
      strange.position_offset || plain.spectrum().clockwise != strange.spectrum().clockwise)
    return false;
  const double times = other.scaling.numbers.at("factor");
  return times > 1 &&
         std::ranges::equal(strange.regimes.front().positions, plain.regimes.front().positions,
                            [times](std::int64_t far, std::int64_t near) {
                              return static_cast<double>(far) == times * static_cast<double>(near);
                            });
}

/// How far the positions of an explanation are from those given, or from a count.
double distance_of(const Explanation& e) {
  return e.position_offset ? std::abs(static_cast<double>(*e.position_offset)) : HUGE_VAL;
}

/// Whether two explanations divide all frequencies of one base, and only the plain one by a number
/// of two digits, at positions that are no stranger.
bool stranger_factor(const Explanation& strange, const Explanation& plain) {
  const Spectrum &a = plain.spectrum(), &b = strange.spectrum();
  const RotaryEmbedding &one = a.embedding, &other = b.embedding;
  return plain.arrangement == strange.arrangement && a.clockwise == b.clockwise && b.recognised &&
         one.scaling.rule == "linear" && other.scaling.rule == "linear" && one.base == other.base &&
         distance_of(plain) <= distance_of(strange) &&
         has_two_digits(one.scaling.numbers.at("factor")) &&
         !has_two_digits(other.scaling.numbers.at("factor"));
}

bool fitted_to_one_position(const Explanation& e) {
  constexpr std::size_t kFewPairs = 3;
  const std::vector<std::int64_t>& positions = e.regimes.front().positions;
  const Spectrum& spectrum = e.spectrum();
  return positions.front() != 0 && e.arrangement.pairs() <= kFewPairs && spectrum.recognised &&
         spectrum.also.empty() && !is_usual_base(spectrum) &&
         std::all_of(positions.begin(), positions.end(),
                     [&](std::int64_t position) { return position == positions.front(); });
}

/// Whether two spectra follow one rule with frequencies that hardly differ, whatever its numbers.
bool nearly(const Spectrum& a, const Spectrum& b) {
  constexpr double kHardly = 0.01;
  const RotaryEmbedding &one = a.embedding, &other = b.embedding;
  return one.scaling.rule == other.scaling.rule && one.base && other.base &&
         std::ranges::equal(one.frequencies.theta, other.frequencies.theta,
                            [](double theta, double near) {
                              return std::abs(theta - near) <= kHardly * std::abs(theta);
                            });
}

/// The pairs that were found, as many as are stated: of interleaved ones the last may turn by too
/// little to show.
Arrangement of_stated_size(Arrangement found, std::size_t rotary_dim, std::size_t dim) {
  if (found.in == 0 && found.out == 0 && found.rotary_dim < rotary_dim &&
      found.offset + rotary_dim <= dim)
    found.rotary_dim = rotary_dim;
  return found;
}

/// The pairings, and those of as many pairs as are stated.
std::vector<Arrangement> with_stated_size(std::span<const Arrangement> found,
                                          const std::optional<Assumption>& assumed,
                                          std::size_t dim) {
  std::vector<Arrangement> all(found.begin(), found.end());
  if (!assumed || !assumed->frequencies) return all;
  for (const Arrangement& each : found) {
    const Arrangement stated = of_stated_size(each, assumed->embedding.rotary_dim(), dim);
    if (std::find(all.begin(), all.end(), stated) == all.end()) all.push_back(stated);
  }
  return all;
}

/// Frequencies with the factor that was measured beside others: as it is, and in the middle of its
/// interval, as one of few digits may lie too far from it for frequencies that are given.
void add_scaled(const Spectrum& stated, const Spectrum& measured, std::vector<Spectrum>& all) {
  Spectrum scaled = stated;
  scaled.factor_error = measured.factor_error;
  scaled.factor_low = measured.factor_low;
  scaled.factor_high = measured.factor_high;
  scaled.embedding.attention_factor = measured.embedding.attention_factor;
  all.push_back(scaled);
  if (!(measured.factor_low > 0)) return;
  scaled.embedding.attention_factor = (measured.factor_low + measured.factor_high) / 2;
  all.push_back(std::move(scaled));
}

/// The positions given or counted, and those at which an explanation has all tokens.
std::vector<std::vector<std::int64_t>> places_of(std::span<const Explanation> explanations,
                                                 std::span<const std::int64_t> given) {
  std::vector<std::vector<std::int64_t>> places = {{given.begin(), given.end()}};
  for (const Explanation& e : explanations)
    if (e.regimes.size() == 1 &&
        std::ranges::find(places, e.regimes.front().positions) == places.end())
      places.push_back(e.regimes.front().positions);
  return places;
}

/// Usual readings of a size, and relatives of what is stated.
std::vector<Spectrum> readings_of(std::size_t rotary_dim, std::span<const NamedEmbedding> presets,
                                  const std::optional<Assumption>& assumed) {
  std::vector<Spectrum> readings = usual_readings(rotary_dim, presets);
  if (assumed && assumed->frequencies && assumed->embedding.rotary_dim() == rotary_dim)
    for (const RotaryEmbedding& relative : relatives(assumed->embedding))
      readings.push_back(named(relative));
  return readings;
}

}  // namespace

Regime ExplanationFinder::regime_of_all(std::vector<std::int64_t> positions) const {
  Regime regime;
  regime.tokens.resize(tensors_.tokens);
  std::iota(regime.tokens.begin(), regime.tokens.end(), std::size_t{0});
  regime.positions = std::move(positions);
  return regime;
}

/// Tries what is assumed, at the assumed positions and at those of the explanations, with the pairs
/// of the assumed layout and with those of the explanations; an explanation that agrees with it is
/// marked as assumed.
void ExplanationFinder::assume(const Assumption& assumption, std::span<const PairLayout> layouts) {
  const RotaryEmbedding& embedding = assumption.embedding;
  if (!assumption.frequencies || embedding.rotary_dim() > tensors_.dim) return;
  std::vector<std::vector<std::int64_t>> places = {{given_.begin(), given_.end()}};
  std::vector<Arrangement> arrangements;
  for (const PairLayout layout : layouts) {
    const int order = layout == PairLayout::interleaved ? 0 : -1;
    arrangements.push_back({0, embedding.rotary_dim(), order, order});
  }
  const std::size_t as_stated = arrangements.size();
  for (const Explanation& e : explanations_) {
    if (e.regimes.size() != 1) continue;
    if (e.regimes.front().positions != places.front())
      places.push_back(e.regimes.front().positions);
    if (std::vector<std::int64_t> positions = undivided_positions(e.regimes.front());
        withheld_ && !positions.empty())
      places.push_back(std::move(positions));
    const Arrangement pairing = of_stated_size(e.arrangement, embedding.rotary_dim(), tensors_.dim);
    if (pairing.rotary_dim == embedding.rotary_dim() &&
        std::find(arrangements.begin(), arrangements.end(), pairing) == arrangements.end())
      arrangements.push_back(pairing);
  }
  const Spectrum stated = named(embedding);
  if (state_everywhere(stated, arrangements, as_stated, places)) return;
  // The stated frequencies with the factor that was measured beside others.
  std::vector<Spectrum> scaled;
  for (const Explanation& e : explanations_)
    if (e.regimes.size() == 1) add_scaled(stated, e.spectrum(), scaled);
  const auto states = [&](const Spectrum& each) {
    return state_everywhere(each, arrangements, 0, places);
  };
  if (std::ranges::any_of(scaled, states)) return;
  if (recognised()) return;
  for (const Format format : {Format::bfloat16, Format::float16})
    if (states(cast_to(format, stated))) return;
}

/// States frequencies with the pairs of each arrangement, at each list of positions; true if some
/// pass. `as_stated`: how many of the arrangements are those that are stated as well.
bool ExplanationFinder::state_everywhere(const Spectrum& spectrum,
                                         std::span<const Arrangement> arrangements,
                                         std::size_t as_stated,
                                         std::span<const std::vector<std::int64_t>> places) {
  bool any = false;
  for (std::size_t a = 0; a < arrangements.size(); ++a)
    for (const std::vector<std::int64_t>& positions : places) {
      Regime regime = regime_of_all(positions);
      regime.spectrum = spectrum;
      bool fits = false;
      for (const bool clockwise : {false, true}) {
        regime.spectrum.clockwise = clockwise;
        fits = fits || state({arrangements[a], {regime}}, a < as_stated);
      }
      any = any || fits;
      if (fits) break;
    }
  return any;
}

void ExplanationFinder::read_cast_frequencies(std::span<const NamedEmbedding> presets) {
  if (explanations_.size() != 1 || explanations_.front().spectrum().recognised ||
      explanations_.front().regimes.size() != 1)
    return;
  const Explanation measured = explanations_.front();
  for (const Spectrum& reading : usual_readings(measured.arrangement.rotary_dim, presets))
    for (const Format format : {Format::bfloat16, Format::float16}) {
      Regime regime = measured.regimes.front();
      regime.spectrum = cast_to(format, reading);
      regime.spectrum.clockwise = measured.spectrum().clockwise;
      if (same_frequencies(measured.spectrum(), regime.spectrum) &&
          state({measured.arrangement, {std::move(regime)}}, false))
        return;
    }
}

/// Adds a candidate that is stated, in place of the explanation that agrees with it; false if it
/// does not pass. `in_full`: its pairs are those that are stated as well.
bool ExplanationFinder::state(Candidate candidate, bool in_full) {
  choose_directions(candidate);
  for (const JudgedPolicy& policy : policies_) {
    const std::optional<Judgement> judgement = judged(candidate, policy);
    if (!judgement) continue;
    const Spectrum& own = candidate.regimes.front().spectrum;
    // Frequencies that were measured pair by pair are those of the stated rule: it passes too.
    const auto same = [&](const Explanation& e) {
      return same_turns(e, candidate) &&
             (!e.spectrum().recognised ||
              (same_frequencies(e.spectrum(), own) &&
               std::abs(e.spectrum().embedding.attention_factor - own.embedding.attention_factor) <=
                   e.spectrum().factor_error + 1e-6));
    };
    explain(candidate, policy, *judgement);
    Explanation stated = std::move(explanations_.back());
    explanations_.pop_back();
    stated.assumed = in_full;
    const auto found = std::find_if(explanations_.begin(), explanations_.end(), same);
    if (found == explanations_.end() && needs_more_rounding(policy.policy, candidate)) return false;
    const bool measured = found != explanations_.end() &&
                          (found->spectrum().recognised || !may_have_more_turns(*found));
    if (!measured) {
      // Its base was not measured.
      Spectrum& spectrum = stated.regimes.front().spectrum;
      spectrum.base_low = 0;
      spectrum.base_high = HUGE_VAL;
      stated.open.emplace_back(kOnlyStated);
    } else {
      const Spectrum& before = found->spectrum();
      Spectrum& spectrum = stated.regimes.front().spectrum;
      spectrum.also = before.also;
      if (before.recognised && spectrum.embedding.geometric_base() &&
          before.embedding.geometric_base()) {
        spectrum.base_low = smaller(spectrum.base_low, before.base_low);
        spectrum.base_high = larger(spectrum.base_high, before.base_high);
      }
      stated.open = found->open;
      std::erase(stated.open, kMeasuredOpen);
    }
    std::erase_if(explanations_, same);
    explanations_.insert(explanations_.begin(), std::move(stated));
    return true;
  }
  return false;
}

/// Whether the pipeline is rougher than y, and a rule explains y at the same positions without
/// that.
bool ExplanationFinder::needs_more_rounding(const Policy& policy,
                                            const Candidate& candidate) const {
  return rougher_than_result(policy) && tensors_.tokens > 1 &&
         std::ranges::any_of(explanations_, [&](const Explanation& e) {
           return same_turns(e, candidate) && e.spectrum().recognised && e.open.empty() &&
                  !rougher_than_result(e.policy);
         });
}

/// Under the first pipeline that passes of those that are known to be mistakes.
void ExplanationFinder::explain_by_mistake(const Candidate& candidate) {
  for (const JudgedPolicy& policy : policies_) {
    if (!policy.emulated) continue;
    const std::optional<Judgement> judgement = judged(candidate, policy);
    if (judgement) return explain(candidate, policy, *judgement);
  }
}

/// At the positions as given or counted, and where an explanation has the tokens, under each of
/// these pairings, and as many pairs as are stated: for tokens so few, so far out or so coarse that
/// their angles lead to no base, and for pipelines that round angles so roughly that they lie on no
/// line.
void ExplanationFinder::read_plainly(std::span<const Arrangement> arrangements,
                                     std::span<const NamedEmbedding> presets,
                                     const std::optional<Assumption>& assumed) {
  // Where nothing else explains y, a pipeline that is known to be a mistake may.
  const bool nothing = explanations_.empty();
  const std::vector<std::vector<std::int64_t>> places = places_of(explanations_, given_);
  for (const Arrangement& arrangement : with_stated_size(arrangements, assumed, tensors_.dim)) {
    const std::vector<Spectrum> readings = readings_of(arrangement.rotary_dim, presets, assumed);
    for (const Spectrum& reading : readings)
      for (std::size_t turn = 0; turn < 2 * places.size(); ++turn) {
        const bool clockwise = turn % 2 != 0;
        Regime regime = regime_of_all(places[turn / 2]);
        regime.spectrum = reading;
        regime.spectrum.clockwise = clockwise;
        Candidate candidate{arrangement, {std::move(regime)}};
        choose_directions(candidate);
        if (already_explained(candidate)) continue;
        const std::size_t before = explanations_.size();
        if (!explain_under_any_policy(candidate) && nothing) explain_by_mistake(candidate);
        for (std::size_t i = before; i < explanations_.size(); ++i)
          explanations_[i].open.emplace_back(kOnlyTried);
      }
  }
}

/// Interleaved pairs that were measured end where the last one moved; where no model rotates that
/// part of the head, further ones are taken in, of which it is only known that they are slower.
void ExplanationFinder::complete_blocks() {
  for (std::size_t i = 0; i < explanations_.size(); ++i) {
    const Explanation e = explanations_[i];
    Arrangement block = e.arrangement;
    if (e.regimes.size() != 1 || e.spectrum().recognised || e.spectrum().reversed ||
        block.in != 0 || block.out != 0)
      continue;
    if (block.offset > 0) block.rotary_dim = tensors_.dim - block.offset;
    for (const std::size_t part : std::array<std::size_t, 3>{4, 2, 1})
      if (block.offset == 0 && tensors_.dim / part >= e.arrangement.rotary_dim &&
          tensors_.dim % (2 * part) == 0) {
        block.rotary_dim = tensors_.dim / part;
        break;
      }
    if (block.rotary_dim <= e.arrangement.rotary_dim || block.rotary_dim % 2 != 0) continue;
    Candidate candidate{block, e.regimes, false};
    Spectrum& longer = candidate.regimes.front().spectrum;
    std::vector<double> theta = longer.embedding.frequencies.theta;
    longer.theta_error.resize(theta.size());
    longer.theta_error.resize(block.pairs(), theta.back());
    theta.resize(block.pairs());
    longer.embedding.head_dim = block.rotary_dim;
    longer.embedding.frequencies = given_frequencies(theta);
    for (const JudgedPolicy& policy : policies_) {
      if (policy.policy.name != e.policy.name) continue;
      const std::optional<Judgement> judgement = judged(candidate, policy);
      if (!judgement) continue;
      explain(candidate, policy, *judgement);
      explanations_[i] = std::move(explanations_.back());
      explanations_.pop_back();
      break;
    }
  }
}

/// Of two explanations with the same positions and direction, the plainer one is kept:
///
///   - a rule before frequencies that were measured pair by pair, which are its own within errors;
///   - of one rule twice, with frequencies that differ by less than a hundredth, the one stated or
///     found first: those are sought with few digits first;
///   - a usual base over a half, a quarter or all of the head before another one over another part;
///   - a linear factor of two digits before one of more, at an offset that is no nearer to 0;
///   - unscaled frequencies before divided ones at positions multiplied by as much.
///
/// A base that was fitted to few pairs at one position is no finding: each pair may have made any
/// number of turns.
void ExplanationFinder::prefer_plain() {
  for (std::size_t i = explanations_.size(); i-- > 0;) {
    const Explanation& strange = explanations_[i];
    if (strange.regimes.size() != 1 || strange.assumed) continue;
    for (std::size_t j = 0; j < explanations_.size(); ++j) {
      const Explanation& plain = explanations_[j];
      if (j == i || plain.regimes.size() != 1 || !plain.spectrum().recognised) continue;
      const bool rule =
          same_turns(plain, {strange.arrangement, strange.regimes}) &&
          (!strange.spectrum().recognised ||
           ((j < i || plain.assumed) && nearly(plain.spectrum(), strange.spectrum())));
      if (!rule && !stranger_size(strange, plain) && !stranger_factor(strange, plain) &&
          !multiplied(strange, plain))
        continue;
      explanations_.erase(explanations_.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  }
  std::erase_if(explanations_, [](const Explanation& e) {
    return !e.assumed && e.regimes.size() == 1 && fitted_to_one_position(e);
  });
}

/// Whether one explanation is as the other but for a rotated part that no model has and a base that
/// was fitted to it.
bool ExplanationFinder::stranger_size(const Explanation& strange, const Explanation& plain) const {
  const auto usual = [&](const Explanation& e) {
    return tensors_.dim == e.arrangement.rotary_dim ||
           tensors_.dim == 2 * e.arrangement.rotary_dim ||
           tensors_.dim == 4 * e.arrangement.rotary_dim;
  };
  const Spectrum &a = plain.spectrum(), &b = strange.spectrum();
  return plain.arrangement.offset == strange.arrangement.offset &&
         plain.arrangement.in == strange.arrangement.in &&
         plain.arrangement.out == strange.arrangement.out && !a.reversed && !b.reversed &&
         a.clockwise == b.clockwise &&
         plain.regimes.front().positions == strange.regimes.front().positions && usual(plain) &&
         !usual(strange) && fitted_parts(a) == 0 &&
         (!b.recognised || fitted_parts(b) > 0 || (is_usual_base(a) && !is_usual_base(b)));
}

}  // namespace rope
