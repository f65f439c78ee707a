// What `rope diagnose` says to people.

#include "diagnose/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/pictures/embedding_text.hpp"
#include "rope/precision/measured.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

/// How much of a long answer is shown.
struct Extent {
  std::size_t explanations;
  std::size_t runs;
};
constexpr Extent kShort = {2, 4};
constexpr Extent kDetailed = {5, 8};
constexpr std::size_t kMostPairings = 5;

/// " (low … high)" where a fitted number may be anything between, as six digits show it.
std::string interval_text(double low, double high) {
  constexpr double kShown = 1e-5;
  if (!(low > 0) || !std::isfinite(high) || !(high > low * (1 + kShown))) return {};
  return fmt::format(" ({} … {})", six_digits(low), six_digits(high));
}

std::string base_text(const Spectrum& spectrum) {
  const std::optional<double> base = spectrum.base();
  if (!base || !spectrum.recognised) return {};
  if (spectrum.embedding.pairs() == 1) return "any base (one pair turns by 1 whatever the base)";
  return "base " + plain_number(*base) + interval_text(spectrum.base_low, spectrum.base_high);
}

std::string rule_text(const Spectrum& spectrum) {
  if (!spectrum.recognised) {
    std::vector<std::string> known;
    for (std::size_t k = 0; k < spectrum.embedding.pairs(); ++k)
      if (spectrum.known(k))
        known.push_back(
            fmt::format("θ_{} {}", k, six_digits(spectrum.embedding.frequencies.theta[k])));
    if (known.size() > 2) known.erase(known.begin() + 1, known.end() - 1);
    return fmt::format("frequencies of no known rule: {}", fmt::join(known, " … "));
  }
  const std::string cast =
      spectrum.cast ? ", cast to " + std::string(limits(spectrum.cast->format).name) : "";
  if (spectrum.scaling().rule == "default") return "no scaling" + cast;
  return "scaling " + short_text(spectrum.scaling()) +
         interval_text(spectrum.divisor_low, spectrum.divisor_high) + cast;
}

/// "position 7", "positions 7, 8", "positions 7, 6, 5 …".
std::string even_positions_text(std::int64_t first, std::int64_t step, std::size_t tokens) {
  std::string text = fmt::format("position{} {}", tokens > 1 ? "s" : "", first);
  for (std::int64_t i = 1; i < static_cast<std::int64_t>(std::min<std::size_t>(tokens, 3)); ++i)
    text += fmt::format(", {}", first + i * step);
  return text + (tokens > 3 ? " …" : "");
}

bool on_axes(const Explanation& e) { return !e.regimes.front().on_axes.empty(); }

std::string positions_text(const DiagnosedCase& one, const Explanation& e) {
  const std::size_t tokens = one.diagnosis.tokens;
  if (on_axes(e) && !e.position_offset)
    return fmt::format("positions on {} axes", e.spectrum().embedding.axes.count());
  if (!e.position_offset)
    return e.runs.size() == 1
               ? even_positions_text(e.runs.front().position, e.runs.front().step, tokens)
               : fmt::format("positions in {} runs", e.runs.size());
  if (!one.positions_given) return even_positions_text(*e.position_offset, 1, tokens);
  return *e.position_offset == 0 ? "positions as given"
                                 : fmt::format("positions as given {:+}", *e.position_offset);
}

/// "16 … 39", and of numbers that lie scattered "0, 3, 6 … 63 (24)".
std::string few_ranges(const std::vector<std::size_t>& numbers) {
  std::string all = ranges_text(numbers);
  if (std::ranges::count(all, ',') < 6) return all;
  return fmt::format("{}, {}, {} … {} ({} of them)", numbers[0], numbers[1], numbers[2],
                     numbers.back(), numbers.size());
}

/// "height turns pairs 16 to 39: positions 0 to 38", a line an axis.
std::string axes_text(const Explanation& e) {
  std::string text;
  const Axes& axes = e.spectrum().embedding.axes;
  for (std::size_t a = 0; a < axes.count(); ++a) {
    const std::vector<std::size_t> pairs = pairs_on_axis(e, a);
    if (pairs.empty()) continue;
    const std::vector<std::int64_t> positions = positions_on_axis(e, a);
    const auto [least, most] = std::ranges::minmax(positions);
    text += fmt::format("    {} turns pair{} {}: position{} {}{}\n", axes.names[a],
                        pairs.size() > 1 ? "s" : "", few_ranges(pairs), least < most ? "s" : "",
                        least, least < most ? fmt::format(" to {}", most) : std::string());
  }
  return text;
}

std::string runs_text(const DiagnosedCase& one, const Explanation& e, std::size_t most) {
  if (on_axes(e)) return axes_text(e);
  std::string text;
  if (e.runs.size() == 1) return text;  // positions_text() has said it
  for (std::size_t i = 0; i < std::min(most, e.runs.size()); ++i) {
    const PositionRun& run = e.runs[i];
    const auto length = static_cast<std::int64_t>(run.last_token - run.first_token);
    const std::size_t first = one.file_token(run.first_token);
    const std::size_t last = one.file_token(run.last_token);
    std::string tokens =
        length == 0 ? fmt::format("token {}", first) : fmt::format("tokens {} … {}", first, last);
    if (const std::size_t in_row = one.row_tokens; in_row > 0) {
      tokens = fmt::format("row {}, token {}", first / in_row, first % in_row);
      if (last / in_row == first / in_row && length > 0)
        tokens += fmt::format(" … {}", last % in_row);
      if (last / in_row != first / in_row)
        tokens += fmt::format(" … row {}, token {}", last / in_row, last % in_row);
    }
    std::string where = fmt::format("position {}", run.position);
    if (length > 0 && run.step != 0)
      where = fmt::format("positions {} … {}", run.position, run.position + run.step * length);
    const std::string regime = e.regimes.size() > 1
                                   ? fmt::format(", frequencies {}: {}", run.regime + 1,
                                                 frequencies_text(e.regimes[run.regime].spectrum))
                                   : std::string();
    text += fmt::format("    {}: {}{}\n", tokens, where, regime);
  }
  if (e.runs.size() > most)
    text += fmt::format("    … and {} more (--json lists all)\n", e.runs.size() - most);
  return text;
}

/// "layout half, rotary_dim 64, base 10000 …".
std::string convention_text(const DiagnosedCase& one, const Explanation& e) {
  const Spectrum& spectrum = e.spectrum();
  std::vector<std::string> parts;
  if (!one.columns && !one.frequencies) parts.push_back("layout " + layout_text(one, e));
  if (one.columns && *one.columns != TableColumns::pairs)
    parts.push_back(fmt::format("columns repeated as {} layout has them", name(*one.columns)));
  parts.push_back(fmt::format("rotary_dim {}", e.arrangement.rotary_dim));
  if (e.arrangement.offset > 0)
    parts.push_back(fmt::format("from dimension {}", e.arrangement.offset));
  if (const std::string base = base_text(spectrum); !base.empty()) parts.push_back(base);
  parts.push_back(rule_text(spectrum));
  if (on_axes(e)) parts.push_back(sections_text(spectrum.embedding.axes));
  if (!one.frequencies) {
    parts.push_back(positions_text(one, e));
    parts.push_back(
        fmt::format("attention factor {}", six_digits(spectrum.embedding.attention_factor)) +
        interval_text(spectrum.factor_low, spectrum.factor_high));
  }
  parts.emplace_back(spectrum.clockwise ? "clockwise (−mθ)" : "counter-clockwise (mθ)");
  if (spectrum.reversed) parts.emplace_back("slowest pair first");
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// "positions from 5", where they count up; as positions_text() says otherwise.
std::string short_positions(const DiagnosedCase& one, const Explanation& e) {
  const bool several = one.diagnosis.tokens > 1 && !on_axes(e);
  if (e.position_offset && !one.positions_given && several)
    return fmt::format("positions from {}", *e.position_offset);
  if (!e.position_offset && e.runs.size() == 1 && e.runs.front().step == 1 && several)
    return fmt::format("positions from {}", e.runs.front().position);
  return positions_text(one, e);
}

/// "half layout, base 500000, positions from 0": what tells it from others; the rest is usual.
std::string short_convention(const DiagnosedCase& one, const Explanation& e) {
  const Spectrum& spectrum = e.spectrum();
  const RotaryEmbedding& embedding = spectrum.embedding;
  std::vector<std::string> parts;
  if (!one.columns && !one.frequencies) parts.push_back(layout_text(one, e) + " layout");
  if (e.head_dim > e.arrangement.rotary_dim)
    parts.push_back(fmt::format("dimensions {} to {} of {}", e.arrangement.offset,
                                e.arrangement.offset + e.arrangement.rotary_dim - 1, e.head_dim));
  if (const std::string base = base_text(spectrum); !base.empty()) parts.push_back(base);
  if (!spectrum.recognised || spectrum.cast || embedding.scaling.rule != "default")
    parts.push_back(rule_text(spectrum));
  if (on_axes(e)) parts.push_back(sections_text(embedding.axes));
  if (!one.frequencies) parts.push_back(short_positions(one, e));
  if (embedding.attention_factor != 1)
    parts.push_back(fmt::format("attention factor {}", six_digits(embedding.attention_factor)));
  if (spectrum.clockwise) parts.emplace_back("clockwise");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string explanation_text(const DiagnosedCase& one, const Explanation& e, const Extent& extent) {
  const Spectrum& spectrum = e.spectrum();
  std::string text = fmt::format("  {}\n", convention_text(one, e));
  text += runs_text(one, e, extent.runs);
  const Judgement& j = e.judgement;
  if (!one.frequencies)
    text += fmt::format(
        "    {} numbers are within the bounds of policy {}, which need not be what "
        "computed them: the largest error is {}; one number uses {:.0f} % of its bound ({} of "
        "{})\n",
        j.elements, e.policy.name, three_digits(j.max_error),
        100 * Measured{j.error, j.bound}.ratio(), three_digits(j.error), three_digits(j.bound));
  if (!spectrum.also.empty())
    text += fmt::format(
        "    the same frequencies: {}{}\n",
        fmt::join(spectrum.also.begin(),
                  spectrum.also.begin() +
                      static_cast<std::ptrdiff_t>(std::min<std::size_t>(4, spectrum.also.size())),
                  "; "),
        spectrum.also.size() > 4 ? fmt::format("; {} more", spectrum.also.size() - 4)
                                 : std::string());
  for (const std::string& open : e.open) text += fmt::format("    open: {}\n", open);
  return text;
}

std::string pairings_text(const Diagnosis& diagnosis) {
  std::vector<std::string> names;
  for (const Arrangement& a : diagnosis.pairings)
    names.push_back(
        fmt::format("{} of dimensions {} to {}", name(a), a.offset, a.offset + a.rotary_dim - 1));
  names.resize(std::min(names.size(), kMostPairings));
  return fmt::format("{}", fmt::join(names, "; "));
}

/// Why there is no explanation, without a full stop, and what to do about it.
struct Reason {
  std::string why;
  std::string remedy;
};

Reason zero_reason(const Diagnosis& d) {
  if (d.x_zero && d.y_zero)
    return {"nothing can be told: x and y are zero everywhere", "Take vectors that are not zero."};
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
          : fmt::format("; {} comes nearest, where {} of {} pairs do not fit (k = {})",
                        name(d.nearest), d.nearest_misfits.size(), d.nearest.pairs(),
                        ranges_text(d.nearest_misfits));
  return {"no pairing turns every pair by one angle per token" + nearest,
          most_fit ? "The other pairs turn: look at what else is done to the numbers of these."
                   : "Not every head or token may be turned alike, x and y may not be of the same "
                     "tokens, their axes may differ, or y is no rotation of x."};
}

/// Pairs turn, but nothing that was looked for does as they do.
Reason undetermined_reason(const DiagnosedCase& one, bool assumed) {
  const Diagnosis& d = one.diagnosis;
  const char* remedy = "Give their positions, or take more tokens, some of them neighbours.";
  if (one.positions_given && assumed)
    remedy =
        "What you state does not either, at the positions given or near them. Take more tokens.";
  else if (one.positions_given)
    remedy = "State the base, the rule or the model: it is tried. Or take more tokens.";
  else if (d.tokens < 3)
    remedy = "Give their positions, or take three neighbouring tokens and more.";
  return {
      fmt::format("the pairs turn ({}), but {}", pairings_text(d),
                  one.positions_given ? "no frequencies that were looked for come to their angles"
                                      : "these tokens do not tell frequencies and positions apart"),
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
  say(OddTurn::no_rotation, "is not rotated: it changes its length, or its vectors turn apart",
      "are not rotated: they change their length, or their vectors turn apart");
  say(OddTurn::no_frequency, "turns by angles that are no multiple of the positions",
      "turn by angles that are no multiple of the positions");
  return text;
}

/// Who does not follow the near miss: some tokens, or some pairs of all of them.
std::string exception_text(const DiagnosedCase& one) {
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

Reason no_explanation(const DiagnosedCase& one, bool assumed) {
  const Diagnosis& d = one.diagnosis;
  if (d.x_zero || d.y_zero) return zero_reason(d);
  if (d.unchanged)
    return {
        "the result is the input (y is x): every token stands at position 0, or nothing was "
        "rotated; nothing else can be "
        "told",
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

std::string near_miss_text(const DiagnosedCase& one) {
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
    return fmt::format("  {}\n{}    {}", convention_text(one, *miss), odd_pairs_text(d), worst);
  const std::string layout = layout_text(one, *miss);  // tables have none
  return fmt::format("  nearest: {}{}{}: {}", layout, layout.empty() ? "" : ", ",
                     frequencies_text(miss->spectrum()), worst);
}

std::string advice_text(const std::vector<Advice>& all, const Console& console,
                        const std::string& heading) {
  if (all.empty()) return {};
  std::string text = console.paint(Ink::strong, heading) + "\n";
  for (const Advice& advice : all) {
    text += "  " + sentence(advice.finding) + "\n";
    if (!advice.remedy.empty()) text += "    " + sentence(advice.remedy) + "\n";
  }
  return text;
}

/// What is unusual, and what is not as assumed; each thing once.
std::string comparison_text(const DiagnosedCase& one, const DiagnoseStudy& study,
                            const Console& console) {
  const Explanation& best = one.diagnosis.explanations.front();
  std::vector<Advice> unusual = case_remarks(one, best);
  if (!study.assumed) return advice_text(unusual, console, "What is unusual");
  const std::vector<Advice> all = case_differences(one, best, *study.assumed);
  std::erase_if(unusual, [&](const Advice& remark) {
    return std::any_of(all.begin(), all.end(), [&](const Advice& other) {
      return other.finding == remark.finding ||
             (!remark.remedy.empty() && other.remedy.find(remark.remedy) != std::string::npos);
    });
  });
  std::string text = advice_text(unusual, console, "What is unusual");
  if (!all.empty()) return text + advice_text(all, console, "What differs from what you assume");
  return text;  // the answer has said that it fits
}

/// "these tensors", "tensors 2", "these tables", "these frequencies"
std::string subject_of(const DiagnosedCase& one, const DiagnoseStudy& study) {
  if (one.frequencies) return "these frequencies";
  if (one.columns) return "these tables";
  if (study.cases.size() == 1) return "these tensors";
  return fmt::format("tensor pair {}", &one - study.cases.data() + 1);
}

/// The answer where what the user states explains a case; what else does is named.
std::string stated_answer(const DiagnosedCase& one, const DiagnoseStudy& study,
                          const std::string& convention) {
  const Diagnosis& d = one.diagnosis;
  const bool all = study.assumed->frequencies;
  const std::string fits =
      (all ? "what you state fits: " : "what you state fits, the frequencies were found: ") +
      convention;
  if (d.unchanged) return fits + "; but y is x, so much else does too";
  if (d.explanations.size() > 1)
    return fits + fmt::format("; {} fit{} as well",
                              counted(d.explanations.size() - 1, "other convention"),
                              d.explanations.size() == 2 ? "s" : "");
  if (d.verdict != DiagnosisVerdict::unique) return fits + "; these numbers leave something open";
  return fits + ", and nothing else does";
}

/// The answer, in a sentence without its full stop, as certain as it is and no more.
std::string answer(const DiagnosedCase& one, const DiagnoseStudy& study) {
  const Diagnosis& d = one.diagnosis;
  const std::string subject = subject_of(one, study);
  if (d.explanations.empty()) {
    if (std::string near = best_fit_text(one); !near.empty()) return near;
    std::string why = no_explanation(one, study.assumed && study.assumed->frequencies).why;
    if (d.verdict != DiagnosisVerdict::none) return why;
    return fmt::format("no convention explains {}: {}", subject, why);
  }
  const Explanation& best = d.explanations.front();
  const std::string convention = short_convention(one, best);
  if (study.stated_fits(one).value_or(false)) return stated_answer(one, study, convention);
  if (d.explanations.size() > 1)
    return fmt::format(
        "{} conventions explain {}, and the numbers cannot tell them apart; {} is: {}",
        d.explanations.size(), subject, best.assumed ? "the one you assume" : "the most usual",
        convention);
  if (d.verdict != DiagnosisVerdict::unique || !best.open.empty())
    return fmt::format("one convention was found that explains {}, but something stays open: {}",
                       subject, convention);
  return fmt::format("one convention explains {}{}: {}", subject,
                     study.assumed ? ", not the one you assume" : "", convention);
}

/// What was looked at, and what of it counts.
std::string setting_text(const DiagnosedCase& one) {
  const Diagnosis& d = one.diagnosis;
  std::string text = one.title;
  if (d.token_axis > 0) text += fmt::format("; the tokens run along axis {}", d.token_axis);
  if (one.row_tokens > 0) text += ", and every row of the batch has positions of its own";
  text += "\n";
  if (one.dropped > 0)
    text +=
        fmt::format("{} {} a NaN or an infinity and {} not count.\n", counted(one.dropped, "token"),
                    one.dropped == 1 ? "holds" : "hold", one.dropped == 1 ? "does" : "do");
  if (!one.container.empty() && !one.frequencies &&
      std::string(limits(d.storage).name) != one.container)
    text += fmt::format("The numbers are of {}, in a file of {}.\n", limits(d.storage).name,
                        one.container);
  return text;
}

std::string case_text(const DiagnosedCase& one, const DiagnoseStudy& study, const Extent& extent,
                      const Console& console) {
  const Diagnosis& d = one.diagnosis;
  if (d.explanations.empty() && d.best_fit) {
    const std::string& remedy = d.best_fit->remedy;
    return remedy.empty() ? std::string() : sentence(remedy) + "\n";
  }
  if (d.explanations.empty()) {
    const Reason reason = no_explanation(one, study.assumed && study.assumed->frequencies);
    return (reason.remedy.empty() ? std::string() : reason.remedy + "\n") + near_miss_text(one);
  }
  std::string text;
  const std::size_t count = d.explanations.size();
  for (std::size_t i = 0; i < std::min(extent.explanations, count); ++i)
    text += explanation_text(one, d.explanations[i], extent);
  if (count > extent.explanations)
    text += fmt::format("  … and {} more (--details shows up to {}, --json all)\n",
                        count - extent.explanations, kDetailed.explanations);
  return text + comparison_text(one, study, console);
}

/// Each line, wrapped where it is longer than the terminal is wide, under its own beginning.
void say_lines(const std::string& text, const Console& console) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    console.say(line.substr(indent), indent);
  }
}

void print_case(const DiagnosedCase& one, const DiagnoseStudy& study, bool details,
                const Console& console) {
  const bool good =
      one.diagnosis.verdict == DiagnosisVerdict::unique || study.stated_fits(one).value_or(false);
  const Ink ink = good ? Ink::good : Ink::bad;
  console.say(console.paint(ink, sentence(answer(one, study))));
  say_lines(setting_text(one), console);
  say_lines(case_text(one, study, details ? kDetailed : kShort, console), console);
}

/// Which of several tensors are turned alike.
void print_agreement(const DiagnoseStudy& study, const Console& console) {
  for (std::size_t i = 1; i < study.cases.size(); ++i) {
    const DiagnosedCase &first = study.cases.front(), &other = study.cases[i];
    if (first.diagnosis.explanations.empty() || other.diagnosis.explanations.empty()) continue;
    const std::vector<std::string> all = disagreements(first, other);
    const std::string text =
        all.empty() ? fmt::format("Tensors 1 and {} are turned alike.", i + 1)
                    : fmt::format("Tensors 1 and {} differ in {}.", i + 1, fmt::join(all, "; "));
    console.say(console.paint(all.empty() ? Ink::good : Ink::bad, text));
  }
}

}  // namespace

DiagnosisVerdict DiagnoseStudy::verdict() const {
  DiagnosisVerdict worst = DiagnosisVerdict::unique;
  for (const DiagnosedCase& one : cases) worst = std::max(worst, one.diagnosis.verdict);
  return worst;
}

std::optional<bool> DiagnoseStudy::stated_fits(const DiagnosedCase& one) const {
  if (!assumed) return std::nullopt;
  const std::vector<Explanation>& found = one.diagnosis.explanations;
  return !found.empty() && !one.diagnosis.overflowed &&
         case_differences(one, found.front(), *assumed).empty();
}

std::string layout_text(const DiagnosedCase& one, const Explanation& explanation) {
  if (one.columns || one.frequencies) return {};
  return explanation.arrangement.pairs() == 1 ? "either (one pair)" : name(explanation.arrangement);
}

void print_diagnosis(const DiagnoseStudy& study, bool details, const Console& console) {
  print_agreement(study, console);
  for (const DiagnosedCase& one : study.cases) {
    if (study.cases.size() > 1) console.print("\n");
    print_case(one, study, details, console);
  }
}

}  // namespace rope::app
