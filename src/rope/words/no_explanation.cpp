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
    return {"nothing can be found: x and y are zero everywhere", "Use vectors that are not zero."};
  return {fmt::format("{} is zero everywhere and {} is not; no rotation does that",
                      d.y_zero ? "y" : "x", d.y_zero ? "x" : "y"),
          "Check whether the zero tensor was saved before it was computed."};
}

Reason misfit_reason(const Diagnosis& d) {
  if (d.nearest.rotary_dim == 0)
    return {"no pairing of dimensions was found that makes y a rotation of x", ""};
  const bool most_fit = 2 * d.nearest_misfits.size() < d.nearest.pairs();
  const std::string nearest =
      d.nearest_misfits.size() == d.nearest.pairs()
          ? std::string()
          : fmt::format("; {} comes closest, but does not fit {} of {} pairs (i = {})",
                        name(d.nearest), d.nearest_misfits.size(), d.nearest.pairs(),
                        ranges_text(d.nearest_misfits));
  return {
      "no pairing turns every pair by one angle per token" + nearest,
      most_fit
          ? "The other pairs do turn: check what else is done to the numbers of the listed pairs."
          : "Perhaps not all heads or tokens are rotated in the same way, x and y belong to "
            "different tokens, their axes differ, or y is not a rotation of x."};
}

/// Pairs turn, but nothing that was looked for does as they do.
Reason undetermined_reason(const Diagnosed& one, bool assumed) {
  const Diagnosis& d = one.diagnosis;
  const char* remedy =
      "Give the positions of the tokens, or state the model, rule or base to try. Or use more "
      "tokens, including adjacent ones.";
  if (one.positions_given && assumed)
    remedy =
        "The frequencies you state do not fit either, at the given positions or near them. Use "
        "more tokens.";
  else if (one.positions_given)
    remedy =
        "State the base, the rule or the model, and rope will try it. Or omit the positions, which "
        "may be wrong; or use more tokens.";
  else if (d.tokens < 3)
    remedy = "Give the positions of the tokens, or use three or more adjacent tokens.";
  return {fmt::format("the pairs turn ({}{}), but {}", pairings_text(d),
                      d.noise ? fmt::format(", with noise of {} of |y|", three_digits(*d.noise))
                              : std::string(),
                      one.positions_given
                          ? "none of the frequencies that rope tried produce their angles"
                          : "these tokens cannot separate frequencies from positions"),
          remedy};
}

/// y is x: at position 0 nothing turns, and elsewhere every rotation would have changed x.
Reason unchanged_reason(const Diagnosed& one) {
  const Diagnosis& d = one.diagnosis;
  const std::string noise =
      d.noise ? fmt::format(", except for noise of {} of |y|", three_digits(*d.noise))
              : std::string();
  const std::string is_input = fmt::format("the result is the input (y is x{}): ", noise);
  const PositionRange at = d.unturned.value_or(PositionRange{});
  if (at.least != 0 || at.most != 0) {
    const std::string where = at.least == at.most ? fmt::format("{}", at.least)
                                                  : fmt::format("{} … {}", at.least, at.most);
    return {fmt::format("{}at the given positions ({}), a rotation would change x, so none was "
                        "applied, or its result was not written back",
                        is_input, where),
            "Check that the rotation runs, at these positions and not at 0, and that its result is "
            "stored in y. If the rotation works in place, copy x before the call."};
  }
  if (one.positions_given)
    return {is_input + "nothing was rotated; nothing else can be found",
            "Take y after the rotation, at positions other than 0."};
  return {
      is_input + "every token is at position 0, or nothing was rotated; nothing else can be found",
      "Use tokens at other positions."};
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
  say(OddTurn::no_rotation,
      "is not a rotation of x: its length changes, or its vectors turn by different angles",
      "are not rotations of x: their length changes, or their vectors turn by different angles");
  say(OddTurn::no_frequency, "turns by angles that are not multiples of the positions",
      "turn by angles that are not multiples of the positions");
  return text;
}

/// Who does not follow the near miss: some tokens, or some pairs of all of them.
std::string exception_text(const Diagnosed& one) {
  const Diagnosis& d = one.diagnosis;
  if (all_pairs_are_odd(d))
    return "every number of y has the wrong sign: −y follows one convention";
  if (!d.odd_pairs.empty())
    return fmt::format("all but {} of {} pairs follow one convention", d.odd_pairs.size(),
                       d.near_miss->arrangement.pairs());
  std::vector<std::size_t> tokens;
  for (const std::size_t token : d.broken_tokens) tokens.push_back(one.file_token(token));
  return fmt::format("all but {} of {} tokens follow one convention (exceptions: {})",
                     tokens.size(), d.tokens, ranges_text(tokens));
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
  if (d.unchanged) return unchanged_reason(one);
  if (d.undetermined) return undetermined_reason(one, assumed);
  if (!d.broken_tokens.empty() || !d.odd_pairs.empty()) return {exception_text(one), ""};
  if (one.frequencies)
    return {"they follow none of the rules and parameters that rope tried",
            "State the rule that they should follow, and rope will try it."};
  if (d.pairings.empty()) return misfit_reason(d);
  return {fmt::format("pairs keep their length ({}), but none of the frequencies that rope tried "
                      "produce their angles{}",
                      pairings_text(d), one.positions_given ? " at the given positions" : ""),
          one.positions_given ? "If the positions may be wrong, omit them." : ""};
}

Reason no_explanation(const Diagnosed& one, bool assumed) {
  Reason reason = reason_of(one, assumed);
  if (may_hold_heads(one) && !one.diagnosis.unchanged)
    reason.remedy +=
        fmt::format("{}If the last axis holds several heads, give the size of one head: --dim 128.",
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
