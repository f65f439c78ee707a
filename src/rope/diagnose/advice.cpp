#include "rope/diagnose/advice.hpp"

#include <algorithm>
#include <cmath>

#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/named_numbers.hpp"
#include "rope/diagnose/remedies.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

constexpr double kBaseSlack = 1e-9;  // of a base that is given exactly

/// A rule with its parameters, lists by their length alone.
std::string rule_text(const ScalingSpec& spec) {
  ScalingSpec numbers = spec;
  numbers.lists.clear();
  std::string text = scaling_text(numbers);
  for (const auto& [key, values] : spec.lists)
    text += (text.find(':') == std::string::npos ? ":" : ",") + key + "=" +
            std::to_string(values.size()) + " numbers";
  return text;
}

std::string pairs_text(PairLayout layout) {
  return layout == PairLayout::interleaved ? "(2k, 2k+1)" : "(k, k + r/2)";
}

/// What to change, whichever of the two is right: y where it is made, or what follows it.
std::string either(const std::string& in_y, const std::string& to_follow_y) {
  return "if y is your own, " + in_y + "; if it is the reference, " + to_follow_y;
}

HeadShape shape_of(const Explanation& e) { return {e.heads, e.head_dim}; }

void layout_difference(const Explanation& e, PairLayout assumed, std::vector<Advice>& result) {
  const Arrangement& a = e.arrangement;
  if (a.in != a.out || a.pairs() < 2) return;  // order_remark() covers it; one pair has no layout
  if (a.in != 0 && a.in != -1) return;
  const PairLayout found = a.in == 0 ? PairLayout::interleaved : PairLayout::half;
  if (found == assumed) return;
  result.push_back(
      {"the pairs are " + std::string(name(found)) + " " + pairs_text(found) + ", you assume " +
           std::string(name(assumed)) + " " + pairs_text(assumed),
       either("rotate " + std::string(name(assumed)) + " pairs",
              "rotate " + std::string(name(found)) + " pairs, or reorder the weights: " +
                  reorder_rows(name(found), name(assumed), a.rotary_dim, shape_of(e)))});
}

/// "partial_rotary_factor": r/d, where d is known.
void size_difference(const Explanation& e, const RotaryEmbedding& assumed,
                     std::vector<Advice>& result) {
  const std::size_t r = e.arrangement.rotary_dim;
  if (r == assumed.rotary_dim()) return;
  std::string remedy =
      "set the rotated size (partial_rotary_factor, rotary_pct, n_dims) to " + std::to_string(r);
  if (e.head_dim > 0)
    remedy += ": in config.json \"partial_rotary_factor\": " +
              plain_number(static_cast<double>(r) / static_cast<double>(e.head_dim)) +
              " of a head_dim of " + std::to_string(e.head_dim);
  result.push_back({std::to_string(r) + " dimensions are rotated, you assume " +
                        std::to_string(assumed.rotary_dim()),
                    either("rotate " + std::to_string(assumed.rotary_dim()), remedy)});
}

constexpr const char* kKeepWide =
    "keep inv_freq in float32: half(), to(dtype) and autocast of a module cast its buffers too";

/// Compares frequencies pair by pair, where they differ in neither base nor rule.
void pairwise_difference(const Spectrum& spectrum, const RotaryEmbedding& assumed,
                         std::vector<Advice>& result) {
  const std::vector<double>& a = spectrum.embedding.frequencies.theta;
  const std::vector<double>& b = assumed.frequencies.theta;
  if (a.size() != b.size()) {
    result.push_back({std::to_string(a.size()) + " pairs have frequencies, you assume " +
                          std::to_string(b.size()),
                      "give one frequency per pair"});
    return;
  }
  std::size_t differing = 0, first = 0;
  for (std::size_t k = a.size(); k-- > 0;)
    if (!(std::abs(a[k] - b[k]) <= spectrum.error_of(k) + 1e-9 * b[k])) {
      ++differing;
      first = k;
    }
  if (spectrum.cast) {
    result.push_back({"the frequencies are yours rounded to " + format_word(spectrum.cast->format) +
                          ": θ_" + std::to_string(first) + " is " + plain_number(a[first]) +
                          ", you assume " + plain_number(b[first]),
                      kKeepWide});
    return;
  }
  result.push_back({std::to_string(differing) + " of " + std::to_string(a.size()) +
                        " frequencies differ: θ_" + std::to_string(first) + " is " +
                        plain_number(a[first]) + ", you assume " + plain_number(b[first]),
                    spectrum.recognised
                        ? "they are those of " + frequencies_text(spectrum)
                        : "they follow no known rule; --json lists theta pair by pair"});
}

/// Recognises the factor by which every θ_k is wrong where pairs are counted from 1, or from −1.
bool counting_remark(const RotaryEmbedding& found, std::vector<Advice>& result) {
  constexpr double kNear = 1e-5;
  if (!found.base || found.scaling.rule != "linear") return false;
  const double factor = found.scaling.numbers.at("factor");
  const double step = std::pow(*found.base, 2 / static_cast<double>(found.rotary_dim()));
  const bool late = std::abs(factor / step - 1) < kNear;
  const bool early = std::abs(factor * step - 1) < kNear;
  if (late == early) return false;
  result.push_back({std::string("all pairs turn as the ") + (late ? "next" : "previous") +
                        " one should: the factor is b^(" + (late ? "2" : "−2") +
                        "/r), as if the exponent were " + (late ? "−2(k + 1)/r" : "−2(k − 1)/r"),
                    "count pairs from 0: θ_0 = 1"});
  return true;
}

/// Which pair turns by which axis, where tokens stand at different positions on them.
void axes_difference(const Explanation& e, const Axes& assumed, std::vector<Advice>& result) {
  const Axes& found = e.spectrum().embedding.axes;
  if (e.regimes.front().on_axes.empty() || found.of_pair == assumed.of_pair) return;
  std::string list;
  for (std::size_t a = 0; a < found.count(); ++a)
    list += (a > 0 ? (found.own_series ? "," : ", ") : "") +
            std::to_string(found.own_series ? 2 * found.pairs_of(a) : found.pairs_of(a));
  result.push_back(
      {"positions have " + std::to_string(found.count()) + " axes, " + sections_text(found) +
           ", you assume " +
           (assumed.several() ? sections_text(assumed) : "one position per token"),
       either("rotate it by " + (assumed.several() ? sections_text(assumed)
                                                   : std::string("one position per token")),
              found.own_series ? "give each axis its own: --axes " + list
                               : "set \"mrope_section\": [" + list + "] in rope_scaling")});
}

/// The stated frequencies of a part of the head, in pairs of the whole head.
bool pairs_over_the_head(const Explanation& e, const RotaryEmbedding& assumed,
                         std::vector<Advice>& result) {
  const Arrangement& a = e.arrangement;
  const std::vector<double>& found = e.spectrum().embedding.frequencies.theta;
  const std::vector<double>& stated = assumed.frequencies.theta;
  if (a.in != -1 || a.out != -1 || a.offset > 0 || stated.size() >= found.size()) return false;
  for (std::size_t k = 0; k < found.size(); ++k)
    if (!(std::abs(found[k] - (k < stated.size() ? stated[k] : 0)) <=
          e.spectrum().error_of(k) + 1e-9 * found[k]))
      return false;
  const std::string own = std::to_string(stated.size()), whole = std::to_string(a.pairs());
  result.push_back(
      {"the " + own + " frequencies are those you assume, but the pairs are (k, k + " + whole +
           "), over the whole head, where (k, k + " + own + ") is meant",
       either("rotate the first " + std::to_string(2 * stated.size()) +
                  " dimensions by themselves, and split those into halves",
              "pair dimension k with k + " + whole + ": " +
                  config_keys(e.spectrum().embedding.scaling) +
                  " beside \"rope_theta\": " + plain_number(e.spectrum().base().value_or(0)))});
  return true;
}

void frequency_difference(const Explanation& e, const RotaryEmbedding& assumed,
                          std::vector<Advice>& result) {
  const Spectrum& spectrum = e.spectrum();
  if (same_frequencies(spectrum, named(assumed))) return;
  const RotaryEmbedding& found = spectrum.embedding;
  if (!spectrum.recognised || !found.base || !assumed.base || found.pairs() < 2) {
    pairwise_difference(spectrum, assumed, result);
    return;
  }
  const std::size_t before = result.size();
  const bool may_be_assumed =
      *assumed.base >= spectrum.base_low && *assumed.base <= spectrum.base_high;
  if (*found.base != *assumed.base && !may_be_assumed) {
    std::string finding =
        "the base is " + plain_number(*found.base) + ", you assume " + plain_number(*assumed.base);
    std::string mend = "make its base " + plain_number(*assumed.base);
    if (const auto named = named_base(spectrum, *assumed.base, e.head_dim)) {
      finding += ": it is " + named->meaning;
      mend = named->mend;
    }
    result.push_back({finding, either(mend, "set rope_theta to " + plain_number(*found.base))});
  }
  if ((found.scaling.rule != assumed.scaling.rule ||
       found.scaling.numbers != assumed.scaling.numbers) &&
      !counting_remark(found, result)) {
    const auto named = assumed.scaling.rule == "default" ? named_divisor(spectrum) : std::nullopt;
    result.push_back({"the frequencies follow " + rule_text(found.scaling) + ", you assume " +
                          rule_text(assumed.scaling),
                      named ? "the factor is " + named->meaning + ": " + named->mend
                            : either("use " + rule_text(assumed.scaling) + " frequencies",
                                     config_keys(found.scaling))});
  }
  // The difference is in a list of numbers.
  if (result.size() == before && found.pairs() == assumed.pairs())
    pairwise_difference(spectrum, assumed, result);
}

/// Whether these are the stated frequencies and no others.
bool exactly(const RotaryEmbedding& found, const RotaryEmbedding& assumed) {
  constexpr double kSame = 1e-9;
  const std::vector<double>& a = found.frequencies.theta;
  const std::vector<double>& b = assumed.frequencies.theta;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return std::abs(x - y) <= kSame * y; });
}

/// Frequencies that come so near the stated ones that no number of theirs differs, though what is
/// stated leaves numbers of y beyond their bounds.
void near_difference(const Spectrum& spectrum, const RotaryEmbedding& assumed,
                     std::vector<Advice>& result) {
  if (spectrum.recognised && spectrum.embedding.base && assumed.base &&
      *spectrum.embedding.base != *assumed.base)
    result.push_back({"the base is " + plain_number(*spectrum.embedding.base) + ", you assume " +
                          plain_number(*assumed.base) +
                          ", which leaves numbers of y beyond their bounds",
                      either("make its base " + plain_number(*assumed.base),
                             "set rope_theta to " + plain_number(*spectrum.embedding.base))});
  else
    result.push_back(
        {"the frequencies you assume leave numbers of y beyond their bounds, although "
         "each is near what was measured",
         "compare theta pair by pair, as --json lists it"});
}

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
                          ""});
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
      result.push_back({"this base is " + named->meaning, named->mend});
      return;
    }
}

/// Recognises an attention factor that comes from elsewhere.
void factor_remark(const Explanation& e, std::vector<Advice>& result) {
  const Spectrum& spectrum = e.spectrum();
  const double found = spectrum.embedding.attention_factor;
  if (std::abs(found - spectrum.rule_factor) <= spectrum.factor_error) return;
  if (const auto named = named_factor(spectrum, spectrum.rule_factor, e.head_dim))
    result.push_back(
        {"the attention factor " + plain_number(found) + " is " + named->meaning, named->mend});
}

/// A pipeline that rounds frequencies to 16 bits is no convention but a mistake. Those of float16
/// and of TF32 have the same digits.
void rounding_remark(const Explanation& e, std::vector<Advice>& result) {
  const Format format = e.spectrum().cast ? e.spectrum().cast->format : e.policy.frequency;
  if (limits(format).precision >= limits(Format::float32).precision) return;
  result.push_back(
      {"y fits only if the frequencies (inv_freq) are rounded to " +
           (limits(format).precision == limits(Format::float16).precision ? "float16 or TF32"
                                                                          : format_word(format)),
       kKeepWide});
}

void linear_remark(const Explanation& e, std::vector<Advice>& result) {
  const RotaryEmbedding& embedding = e.spectrum().embedding;
  if (embedding.scaling.rule != "linear") return;
  const double factor = embedding.scaling.numbers.at("factor");
  const auto r = static_cast<double>(embedding.rotary_dim());
  if (counting_remark(embedding, result)) return;
  if (const auto named = named_divisor(e.spectrum()))
    result.push_back({"all angles are those of base " + plain_number(embedding.base.value_or(0)) +
                          " divided by " + named->meaning,
                      named->mend});
  else if (factor < 1)
    result.push_back(
        {"a factor below 1 is the same as positions in steps of " + plain_number(1 / factor),
         "count positions one by one"});
  else if (r > 2)
    for (const double s : {2.0, 4.0, 8.0, 16.0, 32.0})
      if (std::abs(factor / std::pow(s, r / (r - 2)) - 1) < 1e-5)
        result.push_back({"all pairs are divided by " + plain_number(s) +
                              "^(r/(r − 2)): the factor that NTK-aware scaling puts into the base",
                          "multiply the base by it, and leave the frequencies alone"});
}

void order_remark(const Explanation& e, std::vector<Advice>& result) {
  const Arrangement& a = e.arrangement;
  if (a.in == 0 && a.out == -1)
    result.push_back(
        {"x holds its pairs interleaved, y holds them half: the rotation reorders them, as "
         "DeepSeek's does in transformers, or y comes from weights that were reordered",
         "if x comes from your own weights, they still have Meta's order: " +
             reorder_rows("interleaved", "half", a.rotary_dim, shape_of(e))});
  if (a.in == -1 && a.out == 0)
    result.push_back(
        {"x holds its pairs half, y holds them interleaved: y comes from weights in "
         "Meta's order, x from weights in Hugging Face's",
         reorder_rows("half", "interleaved", a.rotary_dim, shape_of(e))});
  if (a.in == -2 && a.out == -1)
    result.push_back(
        {"x is in the order that results when rows already in half order are reordered from "
         "interleaved to half once more",
         "leave out the second reordering of q_proj and k_proj"});
  if (a.in == 1 && a.out == 0)
    result.push_back(
        {"x is in the order that results when interleaved rows are reordered from half to "
         "interleaved",
         "leave out that reordering of q_proj and k_proj"});
  if (a.in == 1 && a.out == -1)
    result.push_back(
        {"y comes from rows that were reordered from interleaved to half twice, x from rows that "
         "were not",
         "reorder the rows of q_proj and k_proj once"});
  if (a.in == -2 && a.out == 0)
    result.push_back(
        {"x comes from rows that were reordered from interleaved to half twice, y from rows that "
         "were not",
         "reorder the rows of q_proj and k_proj once"});
  if (a.in == a.out && a.in != 0 && a.in != -1 && a.pairs() > 1)
    result.push_back({"the pairs of x and y stand as rows do that were reordered once too often (" +
                          name(a) + ")",
                      "leave out the second reordering of q_proj and k_proj"});
  if (a.offset > 0)
    result.push_back({"the rotated dimensions are " + std::to_string(a.offset) + " to " +
                          std::to_string(a.offset + a.rotary_dim - 1) + ", not the first ones",
                      e.regimes.front().on_axes.empty()
                          ? "rotate that part of each head and pass the rest through"
                          : "those before them may turn by one more axis, on which every token "
                            "stands at 0, as the index of FLUX: --axes says so, or pass them "
                            "through"});
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

/// Positions at even steps that are not those of the given ones.
Advice run_advice(const PositionRun& run) {
  const std::string first = std::to_string(run.position);
  if (run.step == 0)
    return {"every token stands at position " + first + ", not at the given one",
            "look for a position that is not advanced, or for x and y of different tokens"};
  if (run.step == 1)
    return {"the positions count up from " + first + ", unlike the given ones",
            "compare them with those of the cache"};
  if (run.step < 0)
    return {"the positions run backwards from " + first,
            "turn the order of the tokens around, or that of the positions"};
  return {"the positions are every " + ordinal(run.step) + " one from " + first +
              " on, not the given ones",
          "give token t the position " + first + " + " + std::to_string(run.step) +
              "·t, as a part of a striped sequence has it, or gather the tokens in order"};
}

void position_remark(const Explanation& e, bool given, std::vector<Advice>& result) {
  if (e.rounded_positions)
    result.push_back(
        {"the positions are rounded to " + format_word(*e.rounded_positions),
         "keep positions in int64 or float32 until they are multiplied by the frequencies"});
  else if (given && !e.position_offset)
    result.push_back(
        e.runs.size() == 1
            ? run_advice(e.runs.front())
            : Advice{"the positions are neither the given ones nor at a constant offset from them",
                     "compare them with the listed runs"});
  if (!e.position_offset || *e.position_offset == 0) return;
  const std::int64_t offset = *e.position_offset;
  const std::string size = std::to_string(std::abs(offset));
  if (given)
    result.push_back(
        {"positions are " + size + (offset > 0 ? " higher" : " lower") + " than the given ones",
         either(offset == 1    ? "begin its tables with position 0"
                : offset == -1 ? "look for a row 0 that stands in its tables twice"
                               : "correct the start of its cache",
                offset > 0 ? "add " + size + " to yours" : "subtract " + size + " from yours")});
  else
    result.push_back({"positions start at " + std::to_string(offset),
                      "start at 0 unless a cache or padding stands before these tokens"});
}

void direction_remark(const Explanation& e, std::vector<Advice>& result) {
  if (e.spectrum().clockwise && !e.direction_open)
    result.push_back({"the rotation is by −mθ: R_m is transposed",
                      "flip the sign of the sines; scores are the same if q and k agree"});
  if (e.spectrum().reversed && !e.direction_open)
    result.push_back({"the slowest pair stands first", "reverse the order of the frequencies"});
}

void factor_difference(const Explanation& e, double assumed, std::vector<Advice>& result) {
  const Spectrum& spectrum = e.spectrum();
  const double found = spectrum.embedding.attention_factor;
  const double error = 1e-6 + spectrum.factor_error;
  if (std::abs(found - assumed) <= error * larger(1.0, found)) return;
  const std::string other = plain_number(assumed);
  std::string text = plain_number(found);
  std::string remedy = either("multiply its cos and sin by " + plain_number(assumed / found),
                              "set \"attention_factor\": " + text + " in rope_scaling");
  if (const auto named = named_factor(spectrum, assumed, e.head_dim)) {
    text += ", " + named->meaning;
    remedy = named->mend;
  }
  result.push_back({"the attention factor is " + text + ", you assume " + other, remedy});
}

/// More than one set of frequencies, as in a cache whose keys were rotated by others.
void run_differences(const Explanation& e, std::vector<Advice>& result) {
  if (e.regimes.size() > 1)
    result.push_back({"tokens are rotated by " + std::to_string(e.regimes.size()) +
                          " different sets of frequencies, you assume one",
                      "rotate the keys of a cache by the frequencies that the queries have"});
}

}  // namespace

std::string frequencies_text(const Spectrum& spectrum) {
  if (!spectrum.recognised) return "as measured";
  std::string text = rule_text(spectrum.scaling());
  if (spectrum.base()) text += ", base " + plain_number(*spectrum.base());
  if (spectrum.cast) text += ", cast to " + format_word(spectrum.cast->format);
  return text;
}

std::vector<Advice> differences(const Explanation& explanation, const Assumption& assumption) {
  std::vector<Advice> result;
  const RotaryEmbedding& assumed = assumption.embedding;
  if (assumption.layout && explanation.pairs_seen)
    layout_difference(explanation, assumed.layout, result);
  const bool whole_head =
      assumption.frequencies && pairs_over_the_head(explanation, assumed, result);
  if (!whole_head) size_difference(explanation, assumed, result);
  order_remark(explanation, result);
  if (assumption.frequencies && !whole_head) frequency_difference(explanation, assumed, result);
  direction_remark(explanation, result);
  if (assumption.positions) position_remark(explanation, true, result);
  axes_difference(explanation, assumed.axes, result);
  run_differences(explanation, result);
  factor_difference(explanation, assumed.attention_factor, result);
  // What is stated was tried: where it reproduces y, the explanation is marked as assumed.
  if (result.empty() && assumption.frequencies && !explanation.assumed &&
      explanation.regimes.size() == 1 && !exactly(explanation.spectrum().embedding, assumed))
    near_difference(explanation.spectrum(), assumed, result);
  return result;
}

std::vector<Advice> remarks(const Explanation& explanation, bool positions_given) {
  std::vector<Advice> result;
  order_remark(explanation, result);
  position_remark(explanation, positions_given, result);
  direction_remark(explanation, result);
  if (!explanation.assumed) ntk_remark(explanation.spectrum(), result);
  base_remark(explanation, result);
  linear_remark(explanation, result);
  factor_remark(explanation, result);
  rounding_remark(explanation, result);
  return result;
}

}  // namespace rope
