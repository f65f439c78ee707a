#include "rope/diagnose/advice.hpp"

#include <algorithm>
#include <cmath>

#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/named_numbers.hpp"
#include "rope/diagnose/other_length.hpp"
#include "rope/diagnose/remarks.hpp"
#include "rope/diagnose/remedies.hpp"
#include "rope/diagnose/verdict/open_questions.hpp"
#include "rope/precision/largest.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

bool unscaled(const RotaryEmbedding& embedding) { return embedding.scaling.rule == "default"; }

constexpr const char* kAssumed = "use the frequencies you assume";
constexpr const char* kListed = " that --json lists as theta, pair by pair: --frequencies";

std::string pairs_text(PairLayout layout) {
  return layout == PairLayout::interleaved ? "(2i, 2i+1)" : "(i, i + r/2)";
}

void layout_difference(const Explanation& e, PairLayout assumed, std::vector<Advice>& result) {
  const Arrangement& a = e.arrangement;
  if (a.in != a.out || a.pairs() < 2) return;  // order_remark() covers it; one pair has no layout
  if (a.in != 0 && a.in != -1) return;
  const PairLayout found = a.in == 0 ? PairLayout::interleaved : PairLayout::half;
  if (found == assumed) return;
  result.push_back(
      {"the pairs are " + std::string(name(found)) + " " + pairs_text(found) + "; you assume " +
           std::string(name(assumed)) + " " + pairs_text(assumed),
       {"layout",
        either("rotate " + std::string(name(assumed)) + " pairs",
               "rotate " + std::string(name(found)) + " pairs, or reorder the weights: " +
                   reorder_rows(name(found), name(assumed), a.rotary_dim, shape_of(e)))}});
}

/// Pairs within blocks of the head where they are meant over the whole, or the reverse.
void block_difference(const Explanation& e, const RotaryEmbedding& assumed,
                      std::vector<Advice>& result) {
  const Arrangement& a = e.arrangement;
  const std::size_t meant = blocks_of(assumed);
  if (a.blocks == meant || a.in != -1 || a.out != -1 || a.pairs() < 2) return;
  const auto text = [&](std::size_t blocks) {
    const std::size_t size = a.rotary_dim / blocks;
    return "(i, i + " + std::to_string(size / 2) + ")" +
           (blocks > 1 ? " within each of " + std::to_string(blocks) + " blocks of " +
                             std::to_string(size) + " dimensions"
                       : " over all " + std::to_string(size) + " dimensions");
  };
  result.push_back(
      {"the pairs are " + text(a.blocks) + "; you assume " + text(meant),
       {"blocks", either("pair dimensions " + text(meant), "pair dimensions " + text(a.blocks))}});
}

/// "partial_rotary_factor": r/d, where d is known.
void size_difference(const Explanation& e, const RotaryEmbedding& assumed,
                     std::vector<Advice>& result) {
  const std::size_t r = e.arrangement.rotary_dim;
  if (r == assumed.rotary_dim()) return;
  if (e.head_dim > 0 && assumed.rotary_dim() > e.head_dim) {  // no code can rotate so much of it
    result.push_back({"these tensors have heads of size " + std::to_string(e.head_dim) +
                          ", but your model has heads of size " + std::to_string(assumed.head_dim) +
                          ": they do not come from that model",
                      {}});
    return;
  }
  const bool may_be_more = std::ranges::find(e.open, kSizeOpen) != e.open.end();
  if (may_be_more && r < assumed.rotary_dim()) return;
  std::string remedy =
      "set the rotated size (partial_rotary_factor, rotary_pct, n_dims) to " + std::to_string(r);
  if (e.head_dim > 0)
    remedy += ": in config.json, \"partial_rotary_factor\": " +
              all_digits(static_cast<double>(r) / static_cast<double>(e.head_dim)) +
              " (\"rotary_pct\" in GPT-NeoX) with a head_dim of " + std::to_string(e.head_dim);
  result.push_back(
      {std::to_string(r) + " dimensions are rotated; you assume " +
           std::to_string(assumed.rotary_dim()),
       {"rotary-dim",
        either("rotate " + std::to_string(assumed.rotary_dim()) + " dimensions", remedy)}});
}

/// Compares frequencies pair by pair, where they differ in neither base nor rule.
void pairwise_difference(const Spectrum& spectrum, const RotaryEmbedding& assumed,
                         std::vector<Advice>& result) {
  const std::vector<double>& a = spectrum.embedding.frequencies.theta;
  const std::vector<double>& b = assumed.frequencies.theta;
  if (a.size() != b.size()) {
    const std::string of_a = std::to_string(a.size()), of_b = std::to_string(b.size());
    result.push_back(
        {of_a + " pairs have frequencies; you assume " + of_b,
         {"frequencies", either("use the " + of_b + " frequencies you assume",
                                spectrum.recognised ? "use those of " + frequencies_text(spectrum)
                                                    : "give the " + of_a + kListed)}});
    return;
  }
  if (const auto divisor = named_divisor(spectrum, assumed); divisor && !spectrum.recognised) {
    result.push_back({"all frequencies are those you assume, divided by " + divisor->meaning,
                      {divisor->mend.name,
                       either(divisor->mend.text, "give the frequencies" + std::string(kListed))}});
    return;
  }
  std::size_t differing = 0, first = 0;
  for (std::size_t k = a.size(); k-- > 0;)
    if (!(std::abs(a[k] - b[k]) <= spectrum.error_of(k) + 1e-9 * b[k])) {
      ++differing;
      first = k;
    }
  if (spectrum.cast) {
    const Format format = spectrum.cast->format;
    const bool yours = same_frequencies(spectrum, cast_to(format, named(assumed)));
    result.push_back(
        {(yours ? "the frequencies are yours rounded to " + format_word(format)
                : "the frequencies are those of " + frequencies_text(spectrum)) +
             ": θ_" + std::to_string(first) + " is " + plain_number(a[first]) + "; you assume " +
             plain_number(b[first]),
         {"cast-frequencies",
          yours ? either(kKeepWide, "round your inv_freq to " + format_word(format) + " as well")
                : either("use the frequencies you assume, and " + std::string(kKeepWide),
                         "use those of " + frequencies_text(spectrum))}});
    return;
  }
  result.push_back(
      {std::to_string(differing) + " of " + std::to_string(a.size()) + " frequencies differ: θ_" +
           std::to_string(first) + " is " + plain_number(a[first]) + "; you assume " +
           plain_number(b[first]),
       {"frequencies",
        either(kAssumed, spectrum.recognised ? "use those of " + frequencies_text(spectrum)
                                             : "give the frequencies" + std::string(kListed))}});
}

/// How many pairs each axis turns, times a number: "24,20,20".
std::string numbers_of_axes(const Axes& axes, std::size_t times, const char* between = ",") {
  std::string list;
  for (std::size_t a = 0; a < axes.count(); ++a)
    list += (a > 0 ? between : "") + std::to_string(times * axes.pairs_of(a));
  return list;
}

/// Whether pairs turn by axes in sections of the sizes of others, in this order.
bool are_sections(const Axes& axes, const Axes& sizes, SectionOrder order) {
  std::vector<std::size_t> pairs;
  for (std::size_t a = 0; a < sizes.count(); ++a) pairs.push_back(sizes.pairs_of(a));
  return sizes.several() && sizes.of_pair.size() == axes.of_pair.size() &&
         section_axes(pairs, axes.of_pair.size(), order).of_pair == axes.of_pair;
}

/// In what sections differ from those that are assumed: their sizes, or whether they lie in turn.
/// The class of some models decides the order, whatever config.json says.
std::string section_keys(const Axes& found, const Axes& assumed) {
  for (const SectionOrder order : {SectionOrder::contiguous, SectionOrder::interleaved}) {
    const bool in_turn = order == SectionOrder::interleaved;
    const bool same_sizes = !assumed.own_series && are_sections(found, assumed, order);
    if (!same_sizes && !are_sections(found, found, order)) continue;
    const Axes& sizes = same_sizes ? assumed : found;
    std::string keys;
    if (!same_sizes) keys = "\"mrope_section\": [" + numbers_of_axes(sizes, 1, ", ") + "]";
    if (!are_sections(assumed, assumed, order))
      keys += std::string(keys.empty() ? "" : ", ") +
              "\"mrope_interleaved\": " + (in_turn ? "true" : "false");
    return "set " + keys + " in rope_scaling (if the model's class ignores this: --sections " +
           numbers_of_axes(sizes, 1) + (in_turn ? ":interleaved)" : ")");
  }
  return "turn each pair by its position on the axis that --json lists for it";
}

/// Which pair turns by which axis, where tokens stand at different positions on them.
void axes_difference(const Explanation& e, const Axes& assumed, std::vector<Advice>& result) {
  const Axes& found = e.spectrum().embedding.axes;
  if (e.regimes.front().on_axes.empty() || found.of_pair == assumed.of_pair) return;
  const std::string own =
      "rotate it by " +
      (assumed.several() ? sections_text(assumed) : std::string("one position per token"));
  result.push_back({"positions have " + std::to_string(found.count()) + " axes, " +
                        sections_text(found) + "; you assume " +
                        (assumed.several() ? sections_text(assumed) : "one position per token"),
                    {found.own_series ? RemedyName("axes") : RemedyName("sections"),
                     either(own, found.own_series ? "give each axis its own frequencies: --axes " +
                                                        numbers_of_axes(found, 2)
                                                  : section_keys(found, assumed))}});
}

/// The stated frequencies in pairs of halves, but over another part of the head, where the further
/// pairs of the larger part do not turn.
bool pairs_over_another_part(const Explanation& e, const RotaryEmbedding& assumed,
                             std::vector<Advice>& result) {
  const Arrangement& a = e.arrangement;
  const std::vector<double>& found = e.spectrum().embedding.frequencies.theta;
  const std::vector<double>& stated = assumed.frequencies.theta;
  if (a.in != -1 || a.out != -1 || a.offset > 0 || a.blocks != 1 || stated.size() == found.size())
    return false;
  const auto of = [](const std::vector<double>& theta, std::size_t k) {
    return k < theta.size() ? theta[k] : 0;
  };
  for (std::size_t k = 0; k < found.size() || k < stated.size(); ++k)
    if (!(std::abs(of(found, k) - of(stated, k)) <=
          (k < found.size() ? e.spectrum().error_of(k) : 0) + 1e-9 * of(found, k)))
      return false;
  const std::string own = std::to_string(stated.size()), whole = std::to_string(a.pairs());
  if (found.size() < stated.size()) {
    const std::string size = std::to_string(a.rotary_dim);
    result.push_back({"the frequencies are those you assume, but the pairs are (i, i + " + whole +
                          ") in the first " + size + " dimensions, where (i, i + " + own +
                          ") is meant",
                      {"pairs-in-part",
                       either("pair dimension i with i + " + own,
                              "rotate the first " + size + " dimensions: --rotary-dim " + size +
                                  " --frequencies with the numbers that --json lists as theta")}});
    return true;
  }
  result.push_back(
      {"the " + own + " frequencies are those you assume, but the pairs are (i, i + " + whole +
           "), over the whole head, where (i, i + " + own + ") is meant",
       {"pairs-over-head", either("rotate the first " + std::to_string(2 * stated.size()) +
                                      " dimensions by themselves, and split those into halves",
                                  "pair dimension i with i + " + whole +
                                      ", and turn the other pairs by 0: --frequencies with the "
                                      "numbers that --json lists as theta")}});
  return true;
}

/// Whether two are one rule with the same numbers, each that is left out at what counts then.
bool same_rule(const ScalingSpec& a, const ScalingSpec& b) {
  const ScalingRule* const rule = find_scaling_rule(a.rule);
  if (a.rule != b.rule || rule == nullptr) return a.rule == b.rule && a.numbers == b.numbers;
  const auto of = [](const ScalingSpec& spec, const Parameter& parameter) {
    const auto found = spec.numbers.find(std::string(parameter.name));
    return found != spec.numbers.end() ? std::optional(found->second) : parameter.standard;
  };
  return std::ranges::all_of(rule->parameters, [&](const Parameter& parameter) {
    return of(a, parameter) == of(b, parameter);
  });
}

/// Position interpolation the wrong way round: angles times s, where they should be divided by it.
bool divided_for_multiplied(const RotaryEmbedding& found, const RotaryEmbedding& assumed,
                            std::vector<Advice>& result) {
  constexpr double kNear = 1e-4;
  if (found.scaling.rule != "linear" || assumed.scaling.rule != "linear") return false;
  const double meant = assumed.scaling.numbers.at("factor");
  if (meant == 1 || !(std::abs(found.scaling.numbers.at("factor") * meant - 1) < kNear))
    return false;
  result.push_back({"all angles are multiplied by " + plain_number(meant) +
                        ", but linear scaling divides them by that factor",
                    {"linear-inverted",
                     either("divide the positions or the frequencies by " + plain_number(meant),
                            config_keys(found.scaling))}});
  return true;
}

/// "at most 32768": the lengths that the stated frequencies of a rule are for.
std::string assumed_length(const RotaryEmbedding& assumed) {
  const std::int64_t trained = trained_length(assumed).value_or(0);
  return assumed.seq_len && *assumed.seq_len > trained ? std::to_string(*assumed.seq_len)
                                                       : "at most " + std::to_string(trained);
}

/// The frequencies of the stated dynamic rule for another length, as a longer sequence leaves them.
bool dynamic_length_difference(const Spectrum& spectrum, const RotaryEmbedding& assumed,
                               std::vector<Advice>& result) {
  const std::optional<LengthInterval> length = length_of_dynamic(spectrum, assumed);
  if (!length) return false;
  const std::string tokens = std::to_string(length->likely);
  result.push_back(
      {"the frequencies are those of your " + brief_scaling_text(assumed.scaling) + " for " +
           (length->exact ? "" : "about ") + tokens + " tokens (base " +
           plain_number(*spectrum.embedding.base) + "); you assume " + assumed_length(assumed),
       {"dynamic-length",
        either("recompute inv_freq for the current length: reset it after a longer sequence",
               "state that length: --seq-len " + tokens)}});
  return true;
}

/// The other list of the stated longrope rule: it has one for short sequences and one for long.
bool longrope_list_difference(const Spectrum& spectrum, const RotaryEmbedding& assumed,
                              std::vector<Advice>& result) {
  const std::optional<RotaryEmbedding> other = with_other_list(assumed);
  if (!other || !same_frequencies(spectrum, named(*other))) return false;
  const std::int64_t trained = *trained_length(assumed);
  const bool is_long = *other->seq_len > trained;
  const std::string most = std::to_string(trained);
  const std::string in_short = "short list, for at most " + most;
  const std::string in_long = "long list, for more than " + most;
  result.push_back(
      {"the frequencies are those of longrope's " + (is_long ? in_long : in_short) +
           " tokens; you assume the " + (is_long ? in_short : in_long),
       {"longrope-list", either("choose the list by the sequence length",
                                std::string("state a ") + (is_long ? "longer" : "shorter") +
                                    " sequence: --seq-len " + std::to_string(*other->seq_len))}});
  return true;
}

void base_difference(const Explanation& e, double assumed, std::vector<Advice>& result) {
  const double found = *e.spectrum().embedding.base;
  std::string finding =
      "the base is " + plain_number(found) + "; you assume " + plain_number(assumed);
  Remedy mend = {"base", "make its base " + plain_number(assumed)};
  if (const auto named = named_base(e.spectrum(), assumed, e.head_dim)) {
    finding += "; the base found is " + named->meaning;
    mend = named->mend;
  }
  result.push_back(
      {finding, {mend.name, either(mend.text, "set rope_theta to " + all_digits(found))}});
}

void frequency_difference(const Explanation& e, const RotaryEmbedding& assumed,
                          std::vector<Advice>& result) {
  const Spectrum& spectrum = e.spectrum();
  if (same_frequencies(spectrum, named(assumed))) return;
  if (dynamic_length_difference(spectrum, assumed, result) ||
      longrope_list_difference(spectrum, assumed, result))
    return;
  const RotaryEmbedding& found = spectrum.embedding;
  if (!spectrum.recognised || !found.base || !assumed.base || found.pairs() < 2) {
    pairwise_difference(spectrum, assumed, result);
    return;
  }
  const std::size_t before = result.size();
  const bool may_be_assumed =
      *assumed.base >= spectrum.base_low && *assumed.base <= spectrum.base_high;
  if (*found.base != *assumed.base && !may_be_assumed) {
    if (!one_angle_remark(spectrum, result)) base_difference(e, *assumed.base, result);
  }
  if (divided_for_multiplied(found, assumed, result)) return;
  if (!same_rule(found.scaling, assumed.scaling) && !counting_remark(found, result)) {
    const auto named = assumed.scaling.rule == "default" ? named_divisor(spectrum) : std::nullopt;
    result.push_back(
        {"the frequencies follow " +
             (unscaled(found) ? "no scaling rule" : brief_scaling_text(found.scaling)) +
             "; you assume " + (unscaled(assumed) ? "none" : brief_scaling_text(assumed.scaling)),
         named
             ? Remedy(named->mend.name,
                      either("the factor is " + named->meaning + ": " + named->mend.text,
                             config_keys(found.scaling)))
             : Remedy("rule", either("use " + brief_scaling_text(assumed.scaling) + " frequencies",
                                     config_keys(found.scaling)))});
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
    result.push_back(
        {"the base is " + plain_number(*spectrum.embedding.base) + "; you assume " +
             plain_number(*assumed.base) + ", " + std::string(kBeyondBounds),
         {"base", either("make its base " + plain_number(*assumed.base),
                         "set rope_theta to " + all_digits(*spectrum.embedding.base))}});
  else
    result.push_back(
        {"the frequencies you assume leave numbers of y beyond their bounds, although each is "
         "close to the measured one",
         {"near-frequencies", either(kAssumed, "give the frequencies" + std::string(kListed))}});
}

/// YaRN's s, as it is stated or found.
std::optional<double> stretch_of(const ScalingSpec& found, const ScalingSpec& assumed) {
  for (const ScalingSpec* spec : {&assumed, &found})
    if (const auto s = spec->numbers.find("factor");
        spec->rule == "yarn" && s != spec->numbers.end())
      return s->second;
  return std::nullopt;
}

/// A measured factor has as many digits as are known of it, and says between what it may be.
void factor_difference(const Explanation& e, const RotaryEmbedding& embedding,
                       std::vector<Advice>& result) {
  const Spectrum& spectrum = e.spectrum();
  const double assumed = embedding.attention_factor;
  const double found = spectrum.embedding.attention_factor;
  constexpr double kHeld = 0x1p-23;  // engines hold the factor in float32
  const double error = kHeld + spectrum.factor_error;
  if (std::abs(found - assumed) <= error * larger(1.0, found)) return;
  const auto finding = [&](const std::string& what) {
    return "the attention factor is " + what + "; you assume " + plain_number(assumed);
  };
  // The rule whose key it would be is the one that y follows, or the one that stands in the file.
  const ScalingSpec& rule = spectrum.recognised ? spectrum.scaling() : embedding.scaling;
  if (const auto named = named_factor(spectrum, assumed, e.head_dim,
                                      stretch_of(spectrum.scaling(), embedding.scaling))) {
    result.push_back(
        {finding(number_apart(found, assumed) + ", " + named->meaning),
         {named->mend.name, either(named->mend.text, follow_factor(rule, named->value))}});
    return;
  }
  const std::string least = plain_number(found * (1 - error));
  const std::string most = plain_number(found * (1 + error));
  const std::string measured =
      least != most ? " (measured: " + least + " … " + most + ")" : std::string();
  result.push_back({finding(number_apart(found, assumed)),
                    {"attention-factor",
                     either("multiply its cos and sin by " + all_digits(assumed / found) + measured,
                            follow_factor(rule, found) + measured)}});
}

/// More than one set of frequencies, as in a cache whose keys were rotated by others.
void run_differences(const Explanation& e, std::vector<Advice>& result) {
  if (e.regimes.size() > 1)
    result.push_back(
        {"tokens are rotated with " + std::to_string(e.regimes.size()) +
             " different sets of frequencies; you assume one",
         {"several-frequencies",
          either("rotate every token with the frequencies you assume",
                 "compare the tokens of each run separately, with its own frequencies")}});
}

}  // namespace

std::string frequencies_text(const Spectrum& spectrum) {
  if (!spectrum.recognised) return "as measured";
  std::string text = brief_scaling_text(spectrum.scaling());
  if (spectrum.base()) text += ", base " + plain_number(*spectrum.base());
  if (spectrum.cast) text += ", cast to " + format_word(spectrum.cast->format);
  return text;
}

std::vector<Advice> differences(const Explanation& explanation, const Assumption& assumption) {
  std::vector<Advice> result;
  if (heads_remark(explanation, result)) return result;
  const RotaryEmbedding& assumed = assumption.embedding;
  if (assumption.layout && explanation.pairs_seen)
    layout_difference(explanation, assumed.layout, result);
  const bool other_part =
      assumption.frequencies && pairs_over_another_part(explanation, assumed, result);
  if (!other_part) size_difference(explanation, assumed, result);
  if (assumption.layout || assumption.frequencies) block_difference(explanation, assumed, result);
  order_remark(explanation, assumption.layout ? std::optional(assumed.layout) : std::nullopt,
               result);
  part_remark(explanation, result);
  if (assumption.frequencies && !other_part) frequency_difference(explanation, assumed, result);
  direction_remark(explanation, result);
  if (assumption.positions) position_remark(explanation, true, result);
  axes_difference(explanation, assumed.axes, result);
  run_differences(explanation, result);
  factor_difference(explanation, assumed, result);
  // What is stated was tried: where it reproduces y, the explanation is marked as assumed.
  if (result.empty() && assumption.frequencies && !explanation.assumed &&
      explanation.regimes.size() == 1 && !exactly(explanation.spectrum().embedding, assumed))
    near_difference(explanation.spectrum(), assumed, result);
  return result;
}

}  // namespace rope
