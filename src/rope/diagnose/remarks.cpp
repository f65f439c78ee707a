#include "rope/diagnose/remarks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/named_numbers.hpp"
#include "rope/diagnose/remedies.hpp"
#include "rope/diagnose/verdict/open_questions.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"

namespace rope {
namespace {

constexpr double kBaseSlack = 1e-9;  // of a base that is given exactly

/// Recognises the base that NTK-aware scaling makes of a usual one: b·s^(r/(r−2)).
void ntk_remark(const Spectrum& spectrum, std::vector<Advice>& result) {
  const RotaryEmbedding& e = spectrum.embedding;
  const std::optional<double> base = e.geometric_base();
  if (!base || !spectrum.recognised || e.pairs() < 2) return;
  const auto r = static_cast<double>(e.rotary_dim());
  const double power = r / (r - 2);
  if (!(spectrum.base_low > 0) || !std::isfinite(spectrum.base_high)) return;
  const auto may_be = [&](double other) {
    return other >= spectrum.base_low * (1 - kBaseSlack) &&
           other <= spectrum.base_high * (1 + kBaseSlack);
  };
  if (std::ranges::any_of(kUsualBases, may_be)) return;
  for (const double usual : kUsualBases)
    for (const double factor : {2.0, 4.0, 8.0, 16.0, 32.0})
      if (may_be(usual * std::pow(factor, power))) {
        result.push_back({"this base is what NTK-aware scaling of base " + plain_number(usual) +
                              " by " + plain_number(factor) + " gives",
                          {}});
        return;
      }
}

/// Recognises what went wrong with a usual base.
void base_remark(const Explanation& e, std::vector<Advice>& result) {
  const Spectrum& spectrum = e.spectrum();
  for (const double usual : kUsualBases)
    if (spectrum.base_low <= usual && usual <= spectrum.base_high) return;
  for (const double usual : kUsualBases)
    if (const auto named = named_base(spectrum, usual, e.head_dim)) {
      result.push_back(
          {"this base is " + named->meaning,
           {named->mend.name, either(named->mend.text, "set rope_theta to " +
                                                           all_digits(*spectrum.embedding.base))}});
      return;
    }
}

/// Recognises an attention factor that comes from elsewhere.
void factor_remark(const Explanation& e, std::vector<Advice>& result) {
  const Spectrum& spectrum = e.spectrum();
  const double found = spectrum.embedding.attention_factor;
  if (std::abs(found - spectrum.rule_factor) <= spectrum.factor_error) return;
  const auto named = named_factor(spectrum, spectrum.rule_factor, e.head_dim);
  // Frequencies that were not recognised, or turn nothing, may be YaRN's.
  const bool known =
      spectrum.recognised && std::ranges::find(e.open, kAtPositionZero) == e.open.end();
  if (named && (known || named->mend.name.text() != "yarn-factor"))
    result.push_back({"the attention factor " + plain_number(found) + " is " + named->meaning,
                      {named->mend.name,
                       either(named->mend.text, follow_factor(spectrum.scaling(), named->value))}});
}

/// Whether a format holds the positions of every token.
bool holds_positions(Format format, const Explanation& e) {
  return std::ranges::all_of(e.regimes, [&](const Regime& regime) {
    return std::ranges::all_of(regime.positions, [&](std::int64_t position) {
      const auto exact = static_cast<double>(position);
      return round_to(format, exact) == exact;
    });
  });
}

/// Whether rounding and frequencies of no round base are one thing: at one position other than 0, a
/// rounded angle is the exact one of another frequency.
bool rounding_is_a_guess(const Explanation& e) {
  const Spectrum& spectrum = e.spectrum();
  const std::optional<double>& base = spectrum.embedding.base;
  if (e.assumed || !spectrum.also.empty() || (base && has_two_digits(*base))) return false;
  std::set<std::int64_t> turned;
  for (const Regime& regime : e.regimes)
    for (const std::int64_t position : regime.positions)
      if (position != 0) turned.insert(position);
  return turned.size() < 2;
}

/// Whether every angle may be doubled, as by a second rotation: that rounds a second time, which
/// the bounds of one rotation do not allow for.
bool may_be_rotated_twice(const Spectrum& spectrum) {
  if (spectrum.scaling().rule != "linear") return false;
  const double factor = spectrum.scaling().numbers.at("factor");
  return smaller(spectrum.divisor_low, factor) <= 0.5 &&
         larger(spectrum.divisor_high, factor) >= 0.5;
}

/// A pipeline that rounds frequencies, positions or angles to 16 bits is no convention but a
/// mistake. Frequencies of float16 and of TF32 have the same digits.
void rounding_remark(const Explanation& e, std::vector<Advice>& result) {
  const Policy& policy = e.policy;
  const Format frequency = e.spectrum().cast ? e.spectrum().cast->format : policy.frequency;
  const auto narrow = [](Format format) {
    return limits(format).precision < limits(Format::float32).precision;
  };
  if (!narrow(frequency) || rounding_is_a_guess(e) || may_be_rotated_twice(e.spectrum())) return;
  const bool position = narrow(policy.position) && !holds_positions(policy.position, e);
  const bool angle = narrow(policy.angle);
  const bool half_digits = limits(frequency).precision == limits(Format::float16).precision;
  result.push_back(
      {std::string("y fits only if ") + (position && angle ? "the positions, " : "") +
           "the frequencies (inv_freq)" +
           (angle      ? " and the angles"
            : position ? " and the positions"
                       : "") +
           " are rounded to " +
           (half_digits && !angle ? "float16 or TF32" : format_word(frequency)),
       angle ? Remedy("angles-in-16-bits",
                      "compute the angles in float32, from positions and inv_freq that were never "
                      "cast: a module's half(), to(dtype) and autocast cast its buffers too")
             : Remedy("inv-freq-in-16-bits", kKeepWide)});
}

void linear_remark(const Explanation& e, std::vector<Advice>& result) {
  const RotaryEmbedding& embedding = e.spectrum().embedding;
  if (embedding.scaling.rule != "linear") return;
  const double factor = embedding.scaling.numbers.at("factor");
  const auto r = static_cast<double>(embedding.rotary_dim());
  if (counting_remark(embedding, result)) return;
  if (const auto named = named_divisor(e.spectrum()))
    result.push_back(
        {"all angles are those of base " + plain_number(embedding.base.value_or(0)) +
             ", divided by " + named->meaning,
         {named->mend.name, either(named->mend.text, config_keys(embedding.scaling))}});
  else if (factor < 1)
    result.push_back(
        {"a factor below 1 is the same as positions in steps of " + plain_number(1 / factor),
         {"position-steps", either("count positions one by one", config_keys(embedding.scaling))}});
  else if (r > 2)
    for (const double s : {2.0, 4.0, 8.0, 16.0, 32.0})
      if (std::abs(factor / std::pow(s, r / (r - 2)) - 1) < 1e-5)
        result.push_back(
            {"all angles are divided by " + plain_number(s) +
                 "^(r/(r − 2)), the factor that NTK-aware scaling applies to the base",
             {"ntk-power", either("multiply the base by it, and leave the frequencies alone",
                                  config_keys(embedding.scaling))}});
}

/// "2nd", "3rd", "4th".
std::string ordinal(std::int64_t n) {
  const std::int64_t last = n % 10, teens = n / 10 % 10;
  const char* const ending = teens == 1  ? "th"
                             : last == 1 ? "st"
                             : last == 2 ? "nd"
                             : last == 3 ? "rd"
                                         : "th";
  return std::to_string(n) + ending;
}

constexpr const char* kAsGiven = "rotate every token by its given position";

/// Positions at even steps that are not those of the given ones.
Advice run_advice(const PositionRun& run) {
  const std::string first = std::to_string(run.position);
  const auto length = static_cast<std::int64_t>(run.last_token - run.first_token);
  const std::string last = std::to_string(run.position + run.step * length);
  if (run.step == 0)
    return {"every token is at position " + first + ", not at its given position",
            {"one-position", either(kAsGiven, "give every token position " + first)}};
  if (run.step == 1)
    return {"the positions count up from " + first + ", unlike the given ones",
            {"counted-positions", either(kAsGiven, "count yours from there: --start " + first)}};
  const std::string range = "--positions " + first + ":" + last + ":" + std::to_string(run.step);
  if (run.step < 0)
    return {"the positions run backwards from " + first,
            {"backward-positions", either(kAsGiven, "count yours backwards: " + range)}};
  return {
      "the positions are every " + ordinal(run.step) + " integer from " + first +
          " on, not the given ones",
      {"striped-positions",
       either(kAsGiven, "give token t the position " + first + " + " + std::to_string(run.step) +
                            "·t, as in one part of a striped " + "sequence: " + range)}};
}

/// Axes whose pairs turn by other positions than their own.
Advice axis_advice(const Explanation& e) {
  const std::vector<std::string>& names = e.spectrum().embedding.axes.names;
  std::string finding, follow;
  for (const AxisSource& source : e.axis_sources) {
    finding += (finding.empty() ? "the positions on " : ", those on ") + names[source.axis] +
               (source.from ? " are those on " + names[*source.from] : " are 0");
    follow += (follow.empty() ? "give " : ", ") + names[source.axis] +
              (source.from ? " the positions of " + names[*source.from] : " position 0");
  }
  return {finding + ", not the given ones",
          {"axis-positions", either("rotate the pairs of each axis by the given positions on it",
                                    follow + " in --axis-positions")}};
}

/// Positions that are all shifted alike, beside those given.
Remedy offset_remedy(std::int64_t offset) {
  const std::string size = std::to_string(std::abs(offset));
  const char* const cause = offset == 1    ? ": its tables may begin with position 1"
                            : offset == -1 ? ": its tables may hold row 0 twice"
                                           : ": its cache may start elsewhere";
  return {"position-offset", offset > 0 ? either("subtract " + size + " from its positions" + cause,
                                                 "add " + size + " to yours")
                                        : either("add " + size + " to its positions" + cause,
                                                 "subtract " + size + " from yours")};
}

/// `files`: x and y are files that may have been exchanged, as tables cannot be.
Remedy direction_remedy(bool files) {
  return {
      "direction",
      either("flip the sign of its sines",
             std::string("flip the sign of yours, which is the same as using positions −m") +
                 (files ? "; if the two files were exchanged, give them in the other order" : "")) +
          "; until then, scores are those of the opposite distance, even if q and k agree"};
}

/// A layout that is left where another one is stated: it has to be stated instead.
std::string then_state(std::string_view left, std::optional<PairLayout> assumed) {
  if (!assumed || name(*assumed) == left) return {};
  return ", and state " + std::string(left) + " layout: --layout " + std::string(left);
}

/// x in one layout, y in the other.
Remedy converted(const Explanation& e, std::string_view from, std::string_view to,
                 std::optional<PairLayout> assumed) {
  const std::string own =
      assumed && name(*assumed) == to
          ? "rotate the " + std::string(to) + " pairs of x, without reordering them"
          : "write each rotated pair back to the two dimensions of x that it comes from";
  return {from == "half" ? RemedyName("half-to-interleaved") : RemedyName("interleaved-to-half"),
          either(own, "x comes from weights in " +
                          std::string(from == "half" ? "Hugging Face's" : "Meta's") + " order: " +
                          reorder_rows(from, to, e.arrangement.rotary_dim, shape_of(e)) +
                          then_state(to, assumed))};
}

}  // namespace

HeadShape shape_of(const Explanation& e) { return {e.heads, e.head_dim}; }

bool counting_remark(const RotaryEmbedding& found, std::vector<Advice>& result) {
  constexpr double kNear = 1e-5;
  if (!found.base || found.scaling.rule != "linear") return false;
  const double factor = found.scaling.numbers.at("factor");
  const double step = std::pow(*found.base, 2 / static_cast<double>(found.rotary_dim()));
  const bool late = std::abs(factor / step - 1) < kNear;
  const bool early = std::abs(factor * step - 1) < kNear;
  if (late == early) return false;
  result.push_back(
      {std::string("every pair turns as the ") + (late ? "next" : "previous") +
           " one should: the factor is b^(" + (late ? "2" : "−2") +
           "/r), as if the exponent were " + (late ? "−2(i + 1)/r" : "−2(i − 1)/r"),
       {"counted-pairs", either("count pairs from 0: θ_0 = 1", config_keys(found.scaling))}});
  return true;
}

bool one_angle_remark(const Spectrum& found, std::vector<Advice>& result) {
  const RotaryEmbedding& embedding = found.embedding;
  if (!found.recognised || embedding.geometric_base() != 1 || embedding.pairs() < 2) return false;
  result.push_back(
      {"every pair turns by the same angle, 1 rad per token: every exponent 2i/r is 0, as integer "
       "division makes it",
       {"exponent-zero", either("compute 2i/r in floating point", "set rope_theta to 1")}});
  return true;
}

bool heads_remark(const Explanation& e, std::vector<Advice>& result) {
  const Arrangement& a = e.arrangement;
  const std::vector<double>& theta = e.spectrum().embedding.frequencies.theta;
  if (a.blocks < 2 || !e.regimes.front().on_axes.empty() || theta.size() != a.pairs()) return false;
  const std::size_t each = a.pairs() / a.blocks;
  for (std::size_t k = each; k < theta.size(); ++k)
    if (!(std::abs(theta[k] - theta[k % each]) <=
          e.spectrum().error_of(k) + e.spectrum().error_of(k % each)))
      return false;
  const std::string size = std::to_string(2 * each);
  result.push_back({"the frequencies repeat every " + size + " dimensions, as they do with " +
                        std::to_string(a.blocks) + " heads in one axis",
                    {"heads-in-one-axis", "give the size of a head: --dim " + size}});
  return true;
}

void order_remark(const Explanation& e, std::optional<PairLayout> assumed,
                  std::vector<Advice>& result) {
  const Arrangement& a = e.arrangement;
  const auto then = [&](std::string_view left) { return then_state(left, assumed); };
  if (a.in == 0 && a.out == -1)
    result.push_back(
        {"x has its pairs in interleaved layout, and y in half layout: the rotation reorders them, "
         "as DeepSeek's code does in transformers, or y comes from weights that were reordered",
         converted(e, "interleaved", "half", assumed)});
  if (a.in == -1 && a.out == 0)
    result.push_back(
        {"x has its pairs in half layout, and y in interleaved layout: y comes from weights in "
         "Meta's order, and x from weights in Hugging Face's",
         converted(e, "half", "interleaved", assumed)});
  if (a.in == -2 && a.out == -1)
    result.push_back(
        {"x is in the order that results when rows already in half order are reordered from "
         "interleaved to half once more",
         {"reordered-again", "leave out the second reordering of x's rows" + then("half")}});
  if (a.in == 1 && a.out == 0)
    result.push_back(
        {"x is in the order that results when interleaved rows are reordered from "
         "half to interleaved",
         {"reordered-back", "leave out that reordering of x's rows" + then("interleaved")}});
  if (a.in == 1 && a.out == -1)
    result.push_back(
        {"y comes from rows that were reordered from interleaved to half twice, and x from rows "
         "that were never reordered",
         {"y-reordered-twice",
          "reorder the rows of q_proj and k_proj once, in the same way for x and y" +
              then("half")}});
  if (a.in == -2 && a.out == 0)
    result.push_back(
        {"x comes from rows that were reordered from interleaved to half twice, and y from rows "
         "that were never reordered",
         {"x-reordered-twice", "leave out both reorderings of x's rows" + then("interleaved")}});
}

void part_remark(const Explanation& e, std::vector<Advice>& result) {
  const Arrangement& a = e.arrangement;
  if (a.offset == 0 || std::ranges::find(e.open, kHeadsBeforeOpen) != e.open.end()) return;
  const std::string first = std::to_string(a.offset);
  const std::string end = std::to_string(a.offset + a.rotary_dim);
  const std::string last = std::to_string(a.offset + a.rotary_dim - 1);
  const Axes& axes = e.spectrum().embedding.axes;
  Remedy remedy = {"rotated-part", either("rotate the first " + std::to_string(a.rotary_dim) +
                                              " dimensions of each head",
                                          "rotate dimensions " + first + " to " + last +
                                              " of each head (to compare only these, give [..., " +
                                              first + ":" + end + "] of both tensors)")};
  if (!e.regimes.front().on_axes.empty() && axes.own_series) {
    std::string dims = first;
    for (std::size_t axis = 0; axis < axes.count(); ++axis)
      dims += "," + std::to_string(2 * axes.pairs_of(axis));
    remedy = {
        "axis-at-zero",
        "state one more axis, on which every token is at 0, like the index axis of FLUX: --axes " +
            dims};
  }
  result.push_back({"the rotated dimensions are " + first + " to " + last + ", not the first ones",
                    std::move(remedy)});
}

void position_remark(const Explanation& e, bool given, std::vector<Advice>& result) {
  if (e.rounded_positions)
    result.push_back({"the positions are rounded to " + format_word(*e.rounded_positions),
                      remedy_of_rounded_positions(*e.rounded_positions)});
  else if (given && !e.axis_sources.empty())
    result.push_back(axis_advice(e));
  else if (given && e.unrotated > 0)
    result.push_back({std::to_string(e.unrotated) +
                          (e.unrotated == 1 ? " token is" : " tokens are") +
                          " not rotated (position 0); the others have the given positions",
                      {"unrotated-tokens",
                       either("rotate these tokens too: a table may end before their positions, or "
                              "x may be copied over them",
                              "leave these tokens unrotated")}});
  else if (given && !e.position_offset)
    result.push_back(
        e.runs.size() == 1
            ? run_advice(e.runs.front())
            : Advice{"the positions are neither the given ones nor at a constant offset from them",
                     {"position-runs",
                      either(kAsGiven, "give every token its position from the listed runs")}});
  if (!e.position_offset || *e.position_offset == 0) return;
  const std::int64_t offset = *e.position_offset;
  const std::string size = std::to_string(std::abs(offset));
  if (given)
    result.push_back(
        {"positions are " + size + (offset > 0 ? " higher" : " lower") + " than the given ones",
         offset_remedy(offset)});
  else
    result.push_back(
        {"positions start at " + std::to_string(offset),
         {"start", either("start at 0, unless a cache or padding precedes these tokens",
                          "say so: --start " + std::to_string(offset))}});
}

void direction_remark(const Explanation& e, std::vector<Advice>& result) {
  if (e.spectrum().clockwise && !e.direction_open)
    result.push_back({"the rotation is by −mθ: R_m is transposed", direction_remedy(e.pairs_seen)});
  if (e.spectrum().reversed && !e.direction_open)
    result.push_back({"the slowest pair comes first",
                      {"pair-order", either("reverse the order of its frequencies",
                                            "reverse the order of yours")}});
}

Remedy remedy_of_rounded_positions(Format format) {
  return {"rounded-positions",
          either("keep positions in int64 or float32 until they are multiplied by the frequencies",
                 "round yours to " + format_word(format) + " as well")};
}

std::vector<Advice> remarks(const Explanation& explanation, bool positions_given) {
  std::vector<Advice> result;
  heads_remark(explanation, result);
  order_remark(explanation, std::nullopt, result);
  part_remark(explanation, result);
  position_remark(explanation, positions_given, result);
  direction_remark(explanation, result);
  if (!explanation.assumed) ntk_remark(explanation.spectrum(), result);
  if (!explanation.assumed) one_angle_remark(explanation.spectrum(), result);
  base_remark(explanation, result);
  linear_remark(explanation, result);
  factor_remark(explanation, result);
  rounding_remark(explanation, result);
  return result;
}

}  // namespace rope
