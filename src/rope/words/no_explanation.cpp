#include "rope/words/no_explanation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rope/rotary/measured.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "rope/words/embedding_text.hpp"
#include "rope/words/explanation_text.hpp"
#include "rope/words/sentence.hpp"

namespace rope::words {
namespace {

constexpr std::size_t kMostPairings = 5;

std::string pairings_text(const Diagnosis& diagnosis) {
  std::vector<std::string> names;
  for (const Arrangement& a : diagnosis.pairings)
    names.push_back(
        fmt::format("{} of dimensions {} to {}", name(a), a.offset, a.offset + a.rotary_dim - 1));
  names.resize(std::min(names.size(), kMostPairings));
  return fmt::format("{}", fmt::join(names, "; "));
}

Reason zero_reason(const Diagnosis& d) {
  if (d.x_zero && d.y_zero)
    return {"nothing can be found: x and y are zero everywhere", "Take vectors that are not zero."};
  return {fmt::format("{} is zero everywhere, {} is not, and no rotation does that",
                      d.y_zero ? "y" : "x", d.y_zero ? "x" : "y"),
          "Look whether it was written before it was computed."};
}

Reason misfit_reason(const Diagnosis& d) {
  if (d.nearest.rotary_dim == 0) return {"no pairing of dimensions was found to be a rotation", ""};
  const bool most_fit = 2 * d.nearest_misfits.size() < d.nearest.pairs();
  const std::string nearest =
      d.nearest_misfits.size() == d.nearest.pairs()
          ? std::string()
          : fmt::format("; {} comes nearest, where {} of {} pairs do not fit (i = {})",
                        name(d.nearest), d.nearest_misfits.size(), d.nearest.pairs(),
                        ranges_text(d.nearest_misfits));
  return {"no pairing turns every pair by one angle per token" + nearest,
          most_fit ? "The other pairs turn: look at what else is done to the numbers of these."
                   : "Not every head or token may be turned alike, x and y may not be of the same "
                     "tokens, their axes may differ, or y is no rotation of x."};
}

/// Pairs turn, but nothing that was looked for does as they do.
Reason undetermined_reason(const Diagnosed& one, bool assumed) {
  const Diagnosis& d = one.diagnosis;
  const char* remedy =
      "Give their positions, or state the model, rule or base to try. Or use more tokens, with "
      "neighbours among them.";
  if (one.positions_given && assumed)
    remedy =
        "What you state does not either, at the positions given or near them. Take more tokens.";
  else if (one.positions_given)
    remedy =
        "State the base, the rule or the model: it is tried. Or leave out the positions, which may "
        "be others; or take more tokens.";
  else if (d.tokens < 3)
    remedy = "Give their positions, or take three neighbouring tokens and more.";
  return {
      fmt::format("the pairs turn ({}{}), but {}", pairings_text(d),
                  d.noise ? fmt::format(", with noise of {} of |y|", three_digits(*d.noise))
                          : std::string(),
                  one.positions_given ? "no frequencies that were looked for come to their angles"
                                      : "these tokens do not separate frequencies from positions"),
      remedy};
}

bool all_pairs_are_odd(const Diagnosis& d) {
  return d.near_miss && d.odd_pairs.size() == d.near_miss->arrangement.pairs();
}

/// "pair 5 turns the other way: the sign of its sine is wrong".
std::string odd_pairs_text(const Diagnosis& d) {
  if (all_pairs_are_odd(d)) return {};  // exception_text() has said it
  const auto those = [&](OddTurn turn) {
    std::vector<std::size_t> pairs;
    for (const OddPair& odd : d.odd_pairs)
      if (odd.turn == turn) pairs.push_back(odd.pair);
    return pairs;
  };
  std::string text;
  const auto say = [&](OddTurn turn, std::string_view one, std::string_view several) {
    const std::vector<std::size_t> pairs = those(turn);
    if (pairs.empty()) return;
    text += pairs.size() == 1 ? fmt::format("    pair {} {}\n", pairs.front(), one)
                              : fmt::format("    pairs {} {}\n", ranges_text(pairs), several);
  };
  say(OddTurn::negated, "is negated: both of its numbers have the wrong sign",
      "are negated: both numbers of each have the wrong sign");
  say(OddTurn::first_negated, "has the wrong sign in the first of its numbers",
      "have the wrong sign in the first of their numbers");
  say(OddTurn::second_negated, "has the wrong sign in the second of its numbers",
      "have the wrong sign in the second of their numbers");
  say(OddTurn::other_way, "turns the other way: the sign of its sine is wrong",
      "turn the other way: the signs of their sines are wrong");
  say(OddTurn::no_rotation, "is no rotation of x: it changes its length, or its vectors turn apart",
      "are no rotations of x: they change their length, or their vectors turn apart");
  say(OddTurn::no_frequency, "turns by angles that are no multiple of the positions",
      "turn by angles that are no multiple of the positions");
  return text;
}

/// Who does not follow the near miss: some tokens, or some pairs of all of them.
std::string exception_text(const Diagnosed& one) {
  const Diagnosis& d = one.diagnosis;
  if (all_pairs_are_odd(d))
    return "every number of y has the wrong sign: −y follows one convention";
  if (!d.odd_pairs.empty())
    return fmt::format("all pairs but {} of {} follow one convention", d.odd_pairs.size(),
                       d.near_miss->arrangement.pairs());
  std::vector<std::size_t> tokens;
  for (const std::size_t token : d.broken_tokens) tokens.push_back(one.file_token(token));
  return fmt::format("all tokens but {} of {} (token {}) follow one convention", tokens.size(),
                     d.tokens, ranges_text(tokens));
}

/// Whether the last axis may hold several heads: it is longer than heads are, or its pairs lie in
/// blocks.
bool may_hold_heads(const Diagnosed& one) {
  constexpr std::size_t kLongHead = 256;
  const std::vector<Arrangement>& pairings = one.diagnosis.pairings;
  return (!one.shape.empty() && one.shape.back() > kLongHead) ||
         (!pairings.empty() && pairings.front().blocks > 1);
}

}  // namespace

Reason reason_of(const Diagnosed& one, bool assumed) {
  const Diagnosis& d = one.diagnosis;
  if (d.x_zero || d.y_zero) return zero_reason(d);
  if (d.unchanged)
    return {
        fmt::format("the result is the input (y is x{}): every token stands at position 0, or "
                    "nothing was rotated; nothing else can be found",
                    d.noise ? fmt::format(", but for noise of {} of |y|", three_digits(*d.noise))
                            : std::string()),
        "Take tokens at other positions."};
  if (d.undetermined) return undetermined_reason(one, assumed);
  if (!d.broken_tokens.empty() || !d.odd_pairs.empty()) return {exception_text(one), ""};
  if (one.frequencies)
    return {"they follow no rule with any parameters that were looked for",
            "State the rule that they should follow: it is tried."};
  if (d.pairings.empty()) return misfit_reason(d);
  return {fmt::format("pairs keep their length ({}), but no frequencies that were looked for come "
                      "to their angles{}",
                      pairings_text(d), one.positions_given ? " at the positions given" : ""),
          one.positions_given ? "If those may be wrong, leave them out." : ""};
}

Reason no_explanation(const Diagnosed& one, bool assumed) {
  Reason reason = reason_of(one, assumed);
  if (may_hold_heads(one) && !one.diagnosis.unchanged)
    reason.remedy +=
        fmt::format("{}If the last axis holds several heads, say how long one is: --dim 128.",
                    reason.remedy.empty() ? "" : " ");
  return reason;
}

std::string near_miss_text(const Diagnosed& one, std::size_t most_runs) {
  const std::optional<Explanation>& miss = one.diagnosis.near_miss;
  if (!miss || one.diagnosis.verdict != DiagnosisVerdict::none) return {};
  const Judgement& j = miss->judgement;
  const std::optional<std::size_t> pair = pair_of(miss->arrangement, j.dimension);
  const std::string worst = fmt::format(
      "{} of {} numbers beyond the bounds of policy {}; worst at token {}, {}dimension {}: error "
      "{}, bound {}\n",
      j.violations, j.elements, miss->policy.name, one.file_token(j.token),
      pair ? fmt::format("pair {}, ", *pair) : std::string(), j.dimension, six_digits(j.error),
      six_digits(j.bound));
  const Diagnosis& d = one.diagnosis;
  if (!d.broken_tokens.empty() || !d.odd_pairs.empty())
    return fmt::format("  {}\n{}{}    {}", convention_text(one, *miss),
                       runs_text(one, *miss, most_runs), odd_pairs_text(d), worst);
  const std::string layout = layout_text(one, *miss);  // tables have none
  return fmt::format("  nearest: {}{}{}: {}", layout, layout.empty() ? "" : ", ",
                     frequencies_text(miss->spectrum()), worst);
}

}  // namespace rope::words
