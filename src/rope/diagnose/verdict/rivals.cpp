// Looks for what fits as well as the explanations that were found: an answer is certain only if
// nothing does.

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
#include "rope/diagnose/verdict/explanation_finder.hpp"
#include "rope/diagnose/verdict/open_questions.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

/// Numbers of pairs that turn by a radian or more, in which the rounding of cos and sin is fully
/// visible.
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

/// Whether positions that are all multiples of some g may be g times closer together, at
/// frequencies that are divided by g times less.
bool may_be_closer(const Regime& regime) {
  if (regime.spectrum.embedding.scaling.rule != "linear") return false;
  std::int64_t common = 0;
  for (const std::int64_t position : regime.positions) common = std::gcd(common, position);
  return common > 1;
}

}  // namespace

/// Fitted numbers can absorb the errors of a rougher pipeline, so a candidate that passes only
/// under a rougher one may be the truth. Only candidates without fitted numbers count: fitted ones
/// pass under any pipeline that is rough enough. Yet a fitted base alone, at the tokens as they are
/// counted, counts beside rules and offsets alone, which are as many fitted numbers.
void ExplanationFinder::add_rivals() {
  const auto plain = [&](const std::vector<Regime>& regimes) {
    return regimes.size() == 1 && regimes.front().spectrum.scaling().rule == "default" &&
           std::ranges::equal(given_, regimes.front().positions);
  };
  const bool strange =
      std::ranges::none_of(explanations_, [&](const Explanation& e) { return plain(e.regimes); });
  for (const Candidate& candidate : candidates_) {
    if (!candidate.recognised || candidate.regimes.size() != 1) continue;
    const int fitted = fitted_parts(candidate.regimes.front().spectrum);
    if (fitted == 0 || (fitted == 1 && strange && plain(candidate.regimes)))
      explain_under_any_policy(candidate);
  }
  // Rules that slow only the slow pairs may hide where these hardly turn.
  const std::vector<Explanation> found = explanations_;
  for (const Explanation& explanation : found) {
    if (explanation.regimes.size() != 1) continue;
    for (const Spectrum& hidden : usual_hidden_rules(explanation.spectrum())) {
      Candidate candidate{explanation.arrangement, explanation.regimes};
      candidate.regimes.front().spectrum = hidden;
      explain_under_any_policy(candidate);
    }
  }
  extend_blocks();
}

/// Whether y rules out a pipeline: it rounds once more than the pipeline under which an explanation
/// passes that has at most a fitted base. A second error as large as the first leaves a number
/// within the bound of one error three times in four, so all of 64 numbers stay within it by chance
/// once in 10^8.
bool ExplanationFinder::refuted(const JudgedPolicy& policy) const {
  constexpr std::size_t kEnough = 64;
  return policy.emulated ||
         std::any_of(explanations_.begin(), explanations_.end(), [&](const Explanation& e) {
           return e.regimes.size() == 1 && e.spectrum().recognised &&
                  fitted_parts(e.spectrum()) <= 1 && rounds_more(policy.policy, e.policy) &&
                  telling_numbers(e.regimes.front(), tensors_.lanes) >= kEnough;
         });
}

/// A single explanation is certain only if no rule, whatever its parameters, could replace it.
void ExplanationFinder::doubt() {
  if (explanations_.size() != 1) return;
  Explanation& only = explanations_.front();
  if (!only.open.empty() || only.regimes.size() != 1) return;
  if (std::optional<std::string> question = open_question(only)) {
    only.direction_open = only.direction_open || question == kOnePairOpen;
    only.open.push_back(*std::move(question));
  }
}

/// The first open question that is found.
std::optional<std::string> ExplanationFinder::open_question(const Explanation& only) const {
  constexpr std::size_t kMost = 6;
  if (withheld_ && (!only.spectrum().recognised || may_be_closer(only.regimes.front())))
    return kSpacingOpen;
  if (!withheld_ && only.arrangement.pairs() == 1 && only.position_offset != 0) return kOnePairOpen;
  if (may_have_more_turns(only)) return kWholeTurnsOpen;
  if (passes_with_other_offset(only))
    return only.spectrum().recognised ? kFactorAndOffsetOpen : kShiftOpen;
  if (passes_with_other_factor(only)) return kFactorDigitsOpen;
  Regime regime = only.regimes.front();
  for (const Spectrum& hidden : nearest_hidden_rules(only.spectrum(), kMost)) {
    regime.spectrum = hidden;
    if (passes_under_any_policy({only.arrangement, {regime}}, only))
      return "the scaling: " + scaling_text(hidden.embedding.scaling) +
             " fits as well, because slow pairs turn only a little over these positions";
  }
  return std::nullopt;
}

/// Whether a rule that passes only where cos and sin have fewer digits than y passes with another
/// factor too: then the digits that are shown are not those of the numbers.
bool ExplanationFinder::passes_with_other_factor(const Explanation& only) const {
  constexpr double kBeside = 1e-4;
  const Spectrum& spectrum = only.spectrum();
  const auto factor = spectrum.scaling().numbers.find("factor");
  if (!spectrum.recognised || only.assumed || spectrum.scaling().rule == "linear" ||
      factor == spectrum.scaling().numbers.end() || has_two_digits(factor->second) ||
      storage_ != Format::float64 ||
      limits(only.policy.table).precision >= limits(storage_).precision)
    return false;
  Regime regime = only.regimes.front();
  return std::ranges::any_of(std::array{1 - kBeside, 1 + kBeside}, [&](double times) {
    ScalingSpec other = spectrum.scaling();
    other.numbers["factor"] = times * factor->second;
    const std::size_t r = spectrum.embedding.rotary_dim();
    regime.spectrum.embedding.frequencies =
        scaled_embedding(other, {*spectrum.base(), r, r, std::nullopt, std::nullopt}).frequencies;
    return passes_under_any_policy({only.arrangement, {regime}}, only);
  });
}

/// Whether some pair may make more whole turns between the tokens, or from position 0 to them.
bool ExplanationFinder::may_have_more_turns(const Explanation& only) const {
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
      if (passes_with_frequency(judge, alone, more) || passes_with_frequency(judge, alone, -more))
        return true;
  }
  return false;
}

/// Whether a single pair passes with its frequency increased.
bool ExplanationFinder::passes_with_frequency(const Judge& judge, Regime alone, double more) const {
  RotaryEmbedding& embedding = alone.spectrum.embedding;
  const double theta = embedding.frequencies.theta[0] + more;
  if (theta < 0x1p-1000) return false;
  embedding.frequencies = given_frequencies(std::vector<double>{theta});
  return std::any_of(policies_.begin(), policies_.end(), [&](const JudgedPolicy& policy) {
    return !policy.emulated && !refuted(policy) && judge.judge(policy, alone).passed;
  });
}

/// Whether (p + offset)/factor may have another offset and factor, which hardly matters in numbers
/// of few digits or far from 0.
bool ExplanationFinder::passes_with_other_offset(const Explanation& only) const {
  const Spectrum& spectrum = only.spectrum();
  const bool linear = spectrum.recognised && spectrum.embedding.scaling.rule == "linear";
  if (!are_free(spectrum) && (!linear || only.position_offset == 0)) return false;
  // Many tokens at the positions given, with no factor, are plainer than at others with one; and a
  // factor of two digits is plainer than one of as many as another offset needs.
  constexpr std::size_t kManyTokens = 32;
  if (spectrum.recognised && !linear && !withheld_ && only.position_offset == 0 &&
      tensors_.tokens >= kManyTokens)
    return false;
  if (linear && has_two_digits(spectrum.embedding.scaling.numbers.at("factor"))) return false;
  const Regime& regime = only.regimes.front();
  const auto middle = static_cast<double>(regime.positions[regime.positions.size() / 2]);
  for (const std::int64_t step : {1, -1, 2, -2, 4, -4, 8, -8}) {
    const double slower = 1 + static_cast<double>(step) / middle;
    if (!std::isfinite(slower) || !(slower > 0)) continue;
    Regime shifted = regime;
    shifted.spectrum = slowed(spectrum, slower);
    for (std::int64_t& position : shifted.positions) position += step;
    if (passes_under_any_policy({only.arrangement, {shifted}}, only)) return true;
  }
  return false;
}

/// Adds a candidate that passes under any pipeline, unless it is explained already.
bool ExplanationFinder::explain_under_any_policy(const Candidate& candidate) {
  if (already_explained(candidate)) return false;
  return std::any_of(policies_.begin(), policies_.end(), [&](const JudgedPolicy& policy) {
    if (refuted(policy)) return false;
    const std::optional<Judgement> judgement = judged(candidate, policy);
    if (judgement) explain(candidate, policy, *judgement);
    return judgement.has_value();
  });
}

/// Whether a candidate passes under any pipeline that is not refuted, or under that of `only`.
bool ExplanationFinder::passes_under_any_policy(const Candidate& candidate,
                                                const Explanation& only) const {
  return std::any_of(policies_.begin(), policies_.end(), [&](const JudgedPolicy& policy) {
    return (!refuted(policy) || policy.policy.name == only.policy.name) &&
           judged(candidate, policy).has_value();
  });
}

/// Whether the frequencies of an interleaved block can be continued.
bool ExplanationFinder::may_be_longer(const Explanation& explanation) const {
  const Arrangement& a = explanation.arrangement;
  const Spectrum& spectrum = explanation.spectrum();
  return a.in == 0 && a.out == 0 && explanation.regimes.size() == 1 && spectrum.embedding.base &&
         spectrum.embedding.scaling.lists.empty() && longer(a, spectrum).has_value();
}

/// Interleaved pairs that did not visibly turn may be rotated too, by frequencies that continue
/// those of the others.
void ExplanationFinder::extend_blocks() {
  constexpr double kSlowest = 32;  // the largest usual factor
  const std::vector<Explanation> found = explanations_;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!may_be_longer(found[i])) continue;
    Explanation longest = found[i];
    while (const std::optional<Arrangement> next =
               longer(longest.arrangement, longest.spectrum())) {
      if (!may_turn_unseen(found[i], *next, 1)) {
        // A rule may slow them further: where the base is open, so is the number of pairs.
        if (!found[i].open.empty() && may_turn_unseen(found[i], *next, kSlowest))
          explanations_[i].open.emplace_back(kSizeOpen);
        break;
      }
      if (!extend(found[i], *next)) {
        explanations_[i].open.emplace_back(kSizeOpen);
        break;
      }
      longest = explanations_.back();
    }
  }
}

/// Whether the last pair of a longer block would turn too little to show under any pipeline, with
/// the lowest frequency that continues the others, `slower` times as slow.
bool ExplanationFinder::may_turn_unseen(const Explanation& explanation, const Arrangement& block,
                                        double slower) const {
  const Spectrum& spectrum = explanation.spectrum();
  const auto known = static_cast<double>(spectrum.embedding.pairs());
  const double slope = std::log(spectrum.base_high) / known;
  const double theta = spectrum.embedding.frequencies.theta.back() *
                       std::exp(-slope * (static_cast<double>(block.pairs()) - known)) / slower;
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
    return !refuted(policy) && judge.judge(policy, regime).passed;
  });
}

/// Adds an explanation that rotates a longer block by the same frequencies and those that continue
/// them, or that a rule makes of these; false if none passes.
bool ExplanationFinder::extend(const Explanation& explanation, const Arrangement& block) {
  const Spectrum& spectrum = explanation.spectrum();
  const double times = static_cast<double>(block.rotary_dim) /
                       static_cast<double>(explanation.arrangement.rotary_dim);
  // A round base is tried first.
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
    std::vector<double> errors;  // computed while the spectrum has none of its own
    errors.reserve(block.pairs());
    for (std::size_t k = 0; k < block.pairs(); ++k) errors.push_back(wider.error_of(k));
    wider.theta_error = std::move(errors);
    if (explain_under_any_policy(candidate)) return true;
    // Its further pairs may be slower than their base has them.
    Candidate slower = candidate;
    for (const Spectrum& rule : usual_hidden_rules(wider)) {
      slower.regimes.front().spectrum = rule;
      if (explain_under_any_policy(slower)) return true;
    }
  }
  return false;
}

}  // namespace rope
