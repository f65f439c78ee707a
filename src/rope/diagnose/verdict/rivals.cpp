// What fits beside the explanations that were found: an answer is certain only if nothing does.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "rope/diagnose/frequencies/aliases.hpp"
#include "rope/diagnose/frequencies/hidden_rules.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/diagnose/verdict/jury.hpp"
#include "rope/diagnose/verdict/open_questions.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

/// Numbers of pairs that turn by a radian or more: as much as cos and sin were rounded by shows in
/// them.
std::size_t telling_numbers(const Regime& regime, std::size_t lanes) {
  std::size_t count = 0;
  for (const std::int64_t position : regime.positions)
    for (const double theta : regime.spectrum.embedding.frequencies.theta)
      if (std::abs(static_cast<double>(position)) * theta >= 1) count += 2 * lanes;
  return count;
}

/// All frequencies divided by a factor.
Spectrum slowed(Spectrum spectrum, double factor) {
  std::vector<double> theta = spectrum.embedding.frequencies.theta;
  for (double& each : theta) each /= factor;
  spectrum.embedding.frequencies = given_frequencies(theta);
  return spectrum;
}

/// Whether a pipeline rounds cos and sin, or the products, to fewer digits than another one.
bool rounds_more(const Policy& policy, const Policy& other) {
  return limits(policy.table).precision < limits(other.table).precision ||
         limits(policy.apply).precision < limits(other.apply).precision;
}

}  // namespace

/// What passes under a rougher pipeline than the first that any passes under may be the truth as
/// well: fitted numbers take up what a rougher one does. Only readings without fitted numbers
/// count: fitted ones pass under a pipeline that is rough enough, whatever the truth is.
void Jury::add_rivals() {
  for (const Candidate& candidate : candidates_)
    if (candidate.recognised && candidate.regimes.size() == 1 &&
        fitted_parts(candidate.regimes.front().spectrum) == 0)
      explain_anyhow(candidate);
  // Rules that slow the slow pairs alone may hide where those hardly turn.
  const std::vector<Explanation> found = explanations_;
  for (const Explanation& explanation : found) {
    if (explanation.regimes.size() != 1) continue;
    for (const Spectrum& hidden : usual_hidden_rules(explanation.spectrum())) {
      Candidate candidate{explanation.arrangement, explanation.regimes};
      candidate.regimes.front().spectrum = hidden;
      explain_anyhow(candidate);
    }
  }
  extend_blocks();
}

/// Whether the numbers speak against a pipeline: it rounds once more than the one that an
/// explanation with no more than a fitted base passes under. A second error as large as the first
/// leaves a number within the bound of one three times in four, so that 64 of them all stay there
/// by chance once in 10^8.
bool Jury::refuted(const JudgedPolicy& policy) const {
  constexpr std::size_t kEnough = 64;
  return policy.emulated ||
         std::any_of(explanations_.begin(), explanations_.end(), [&](const Explanation& e) {
           return e.regimes.size() == 1 && e.spectrum().recognised &&
                  fitted_parts(e.spectrum()) <= 1 && rounds_more(policy.policy, e.policy) &&
                  telling_numbers(e.regimes.front(), tensors_.lanes) >= kEnough;
         });
}

/// An explanation that stands alone is certain only if no rule, whatever its parameters, could be
/// put in its place.
void Jury::doubt() {
  if (explanations_.size() != 1) return;
  Explanation& only = explanations_.front();
  if (!only.open.empty() || only.regimes.size() != 1) return;
  if (std::optional<std::string> question = open_question(only)) {
    only.direction_open = only.direction_open || question == kOnePairOpen;
    only.open.push_back(*std::move(question));
  }
}

/// The first that is found.
std::optional<std::string> Jury::open_question(const Explanation& only) const {
  constexpr std::size_t kMost = 6;
  if (withheld_ && !only.spectrum().recognised) return kSpacingOpen;
  if (!withheld_ && only.arrangement.pairs() == 1 && only.position_offset != 0) return kOnePairOpen;
  if (pairs_may_turn_on(only)) return kWholeTurnsOpen;
  if (passes_with_other_offset(only))
    return only.spectrum().recognised ? kFactorAndOffsetOpen : kShiftOpen;
  Regime regime = only.regimes.front();
  for (const Spectrum& hidden : nearest_hidden_rules(only.spectrum(), kMost)) {
    regime.spectrum = hidden;
    if (passes_anyhow({only.arrangement, {regime}}, only))
      return "the scaling: " + scaling_text(hidden.embedding.scaling) +
             " fits as well, because slow pairs turn by little over these positions";
  }
  return std::nullopt;
}

/// Whether some pair may turn by whole turns more between the tokens, or on the way to them.
bool Jury::pairs_may_turn_on(const Explanation& only) const {
  constexpr std::size_t kSampleTokens = 64, kSampleLanes = 16;
  if (!are_free(only.spectrum())) return false;
  const std::vector<std::size_t> tokens = spread(tensors_.tokens, kSampleTokens);
  Regime regime = only.regimes.front();
  std::vector<std::int64_t> positions;
  positions.reserve(tokens.size());
  for (const std::size_t token : tokens) positions.push_back(regime.positions[token]);
  regime.positions = std::move(positions);
  regime.tokens.resize(tokens.size());
  std::iota(regime.tokens.begin(), regime.tokens.end(), std::size_t{0});
  const std::vector<double> aliases = frequency_aliases(regime.positions);
  if (aliases.empty()) return false;
  const RotatedTensors sample = some_tokens(tensors_, tokens, kSampleLanes);
  for (std::size_t pair = 0; pair < only.arrangement.pairs(); ++pair) {
    const Regime alone = regime_of_pair(regime, pair);
    if (alone.spectrum.embedding.frequencies.theta[0] == 0) continue;
    const RotatedTensors numbers = pair_alone(sample, only.arrangement, pair);
    const Judge judge(numbers, {0, 2, 0, 0}, hypotheses_, input_);
    for (const double more : aliases)
      if (turns_on(judge, alone, more) || turns_on(judge, alone, -more)) return true;
  }
  return false;
}

/// Whether a pair that stands alone passes with another frequency.
bool Jury::turns_on(const Judge& judge, Regime alone, double more) const {
  RotaryEmbedding& embedding = alone.spectrum.embedding;
  const double theta = embedding.frequencies.theta[0] + more;
  if (theta < 0x1p-1000) return false;
  embedding.frequencies = given_frequencies(std::vector<double>{theta});
  return std::any_of(policies_.begin(), policies_.end(), [&](const JudgedPolicy& policy) {
    return !policy.emulated && !refuted(policy) && judge.judge(policy, alone, false).passed;
  });
}

/// Whether (p + offset)/factor may have another offset and factor: numbers of few digits, or tokens
/// far from 0, hardly tell them apart.
bool Jury::passes_with_other_offset(const Explanation& only) const {
  const Spectrum& spectrum = only.spectrum();
  const bool linear = spectrum.recognised && spectrum.embedding.scaling.rule == "linear";
  if (!are_free(spectrum) && (!linear || only.position_offset == 0)) return false;
  const Regime& regime = only.regimes.front();
  const auto middle = static_cast<double>(regime.positions[regime.positions.size() / 2]);
  for (const std::int64_t step : {1, -1, 2, -2, 4, -4, 8, -8}) {
    const double slower = 1 + static_cast<double>(step) / middle;
    if (!std::isfinite(slower) || !(slower > 0)) continue;
    Regime shifted = regime;
    shifted.spectrum = slowed(spectrum, slower);
    for (std::int64_t& position : shifted.positions) position += step;
    if (passes_anyhow({only.arrangement, {shifted}}, only)) return true;
  }
  return false;
}

/// Adds a candidate that passes under any pipeline, if it says something new.
bool Jury::explain_anyhow(const Candidate& candidate) {
  if (stands(candidate)) return false;
  return std::any_of(policies_.begin(), policies_.end(), [&](const JudgedPolicy& policy) {
    if (refuted(policy)) return false;
    const std::optional<Judgement> judgement = judged(candidate, policy);
    if (judgement) explain(candidate, policy, *judgement);
    return judgement.has_value();
  });
}

/// Whether a candidate passes under any pipeline that `only` does not refute, or under its own.
bool Jury::passes_anyhow(const Candidate& candidate, const Explanation& only) const {
  return std::any_of(policies_.begin(), policies_.end(), [&](const JudgedPolicy& policy) {
    return (!refuted(policy) || policy.policy.name == only.policy.name) &&
           judged(candidate, policy).has_value();
  });
}

/// Whether the frequencies of an interleaved block can be continued.
bool Jury::may_be_longer(const Explanation& explanation) const {
  const Arrangement& a = explanation.arrangement;
  const Spectrum& spectrum = explanation.spectrum();
  return a.in == 0 && a.out == 0 && explanation.regimes.size() == 1 && spectrum.embedding.base &&
         spectrum.embedding.scaling.lists.empty() && longer(a, spectrum).has_value();
}

/// Interleaved pairs that did not visibly turn may be rotated too, by frequencies that continue
/// the others.
void Jury::extend_blocks() {
  const std::vector<Explanation> found = explanations_;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!may_be_longer(found[i])) continue;
    Explanation longest = found[i];
    while (const std::optional<Arrangement> next =
               longer(longest.arrangement, longest.spectrum())) {
      if (!may_turn_unseen(found[i], *next)) break;
      if (!extend(found[i], *next)) {
        explanations_[i].open.emplace_back(kSizeOpen);
        break;
      }
      longest = explanations_.back();
    }
  }
}

/// Whether the last pair of a longer block would turn by less than its numbers show, under any
/// pipeline, with the frequency that continues the others as slowly as the base allows.
bool Jury::may_turn_unseen(const Explanation& explanation, const Arrangement& block) const {
  const Spectrum& spectrum = explanation.spectrum();
  const auto known = static_cast<double>(spectrum.embedding.pairs());
  const double slope = std::log(spectrum.base_high) / known;
  const double theta = spectrum.embedding.frequencies.theta.back() *
                       std::exp(-slope * (static_cast<double>(block.pairs()) - known));
  Regime regime = explanation.regimes.front();
  regime.spectrum = Spectrum{};
  regime.spectrum.embedding.head_dim = 2;
  regime.spectrum.embedding.frequencies = given_frequencies(std::vector<double>{theta});
  regime.spectrum.embedding.attention_factor = spectrum.embedding.attention_factor;
  regime.spectrum.factor_error = spectrum.factor_error;
  regime.spectrum.clockwise = spectrum.clockwise;
  const RotatedTensors pair =
      pair_alone(tensors_, block, spectrum.reversed ? 0 : block.pairs() - 1);
  const Judge judge(pair, {0, 2, 0, 0}, hypotheses_);
  return std::any_of(policies_.begin(), policies_.end(), [&](const JudgedPolicy& policy) {
    return !refuted(policy) && judge.judge(policy, regime, false).passed;
  });
}

/// Adds an explanation that rotates a longer block by the same frequencies and those that continue
/// them; false if none passes.
bool Jury::extend(const Explanation& explanation, const Arrangement& block) {
  const Spectrum& spectrum = explanation.spectrum();
  const double times = static_cast<double>(block.rotary_dim) /
                       static_cast<double>(explanation.arrangement.rotary_dim);
  // A round base, where there is one, stays the round number that is meant.
  const double low = std::pow(spectrum.base_low, times), high = std::pow(spectrum.base_high, times);
  Candidate candidate{block, explanation.regimes};
  Spectrum& wider = candidate.regimes.front().spectrum;
  for (const double base :
       {simplest_number(low, high), std::pow(*spectrum.embedding.base, times)}) {
    if (!std::isfinite(base) || base > 1e30) return false;
    const double factor = spectrum.embedding.attention_factor;
    try {
      wider.embedding = scaled_embedding(
          spectrum.embedding.scaling,
          {base, block.rotary_dim, block.rotary_dim, spectrum.embedding.max_positions, {}});
    } catch (const Error&) {
      return false;  // no such frequencies
    }
    wider.embedding.attention_factor = factor;
    wider.base_low = smaller(low, base);
    wider.base_high = larger(high, base);
    wider.theta_error.clear();
    wider.also.clear();
    std::vector<double> errors;  // of a spectrum that has none of its own yet
    errors.reserve(block.pairs());
    for (std::size_t k = 0; k < block.pairs(); ++k) errors.push_back(wider.error_of(k));
    wider.theta_error = std::move(errors);
    if (explain_anyhow(candidate)) return true;
  }
  return false;
}

/// Tries what is assumed, where it is assumed to stand and where the explanations have it; one that
/// comes to the same is known to be what is assumed.
void Jury::assume(const Assumption& assumption, std::span<const PairLayout> layouts) {
  const RotaryEmbedding& embedding = assumption.embedding;
  if (!assumption.frequencies || embedding.rotary_dim() > tensors_.dim) return;
  Regime regime;
  for (std::size_t t = 0; t < tensors_.tokens; ++t) regime.tokens.push_back(t);
  regime.positions.assign(given_.begin(), given_.end());
  regime.spectrum = named(embedding);
  std::vector<std::vector<std::int64_t>> places = {regime.positions};
  for (const Explanation& e : explanations_)
    if (e.regimes.size() == 1 && e.regimes.front().positions != regime.positions)
      places.push_back(e.regimes.front().positions);
  for (const PairLayout layout : layouts)
    for (const std::vector<std::int64_t>& positions : places) {
      const int order = layout == PairLayout::interleaved ? 0 : -1;
      regime.positions = positions;
      bool fits = false;
      for (const bool clockwise : {false, true}) {
        regime.spectrum.clockwise = clockwise;
        fits = fits || assumed({{0, embedding.rotary_dim(), order, order}, {regime}});
      }
      if (fits) break;
    }
}

/// Whether a candidate that is assumed passes.
bool Jury::assumed(Candidate candidate) {
  choose_directions(candidate);
  for (const JudgedPolicy& policy : policies_) {
    const std::optional<Judgement> judgement = judged(candidate, policy);
    if (!judgement) continue;
    const Regime& regime = candidate.regimes.front();
    const auto same = [&](const Explanation& e) {
      return e.arrangement == candidate.arrangement && e.regimes.size() == 1 &&
             e.regimes.front().positions == regime.positions &&
             e.spectrum().clockwise == regime.spectrum.clockwise && !e.spectrum().reversed &&
             same_frequencies(e.spectrum(), regime.spectrum) &&
             std::abs(e.spectrum().embedding.attention_factor -
                      regime.spectrum.embedding.attention_factor) <=
                 e.spectrum().factor_error + 1e-6;
    };
    explain(candidate, policy, *judgement);
    Explanation stated = std::move(explanations_.back());
    explanations_.pop_back();
    stated.assumed = true;
    const auto found = std::find_if(explanations_.begin(), explanations_.end(), same);
    if (found == explanations_.end()) {
      // Nothing was measured of its base.
      Spectrum& spectrum = stated.regimes.front().spectrum;
      spectrum.base_low = 0;
      spectrum.base_high = HUGE_VAL;
      stated.open.emplace_back(kOnlyStated);
    } else {
      const Spectrum& before = found->spectrum();
      Spectrum& spectrum = stated.regimes.front().spectrum;
      spectrum.also = before.also;
      if (spectrum.embedding.geometric_base() && before.embedding.geometric_base()) {
        spectrum.base_low = smaller(spectrum.base_low, before.base_low);
        spectrum.base_high = larger(spectrum.base_high, before.base_high);
      }
      stated.open = found->open;
    }
    std::erase_if(explanations_, same);
    explanations_.insert(explanations_.begin(), std::move(stated));
    return true;
  }
  return false;
}

}  // namespace rope
