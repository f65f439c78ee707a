// What `rope verify --input X --result Y` says.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "rope/documents/outputs.hpp"
#include "rope/language/said.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "rope/verify/judge_outputs.hpp"
#include "rope/words/certification_text.hpp"
#include "rope/words/embedding_text.hpp"
#include "rope/words/policy_text.hpp"
#include "shown/columns.hpp"
#include "shown/text.hpp"
#include "shown/verdict.hpp"
#include "verify/output.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kShownPairs = 4;
constexpr std::size_t kPairsInDetail = 8;

/// "pairs 3, 5 to 63"
std::string pair_list(const std::vector<std::size_t>& pairs, Language language) {
  const std::string_view to = word({" to ", " … "}, language);
  std::string text;
  for (const auto& [first, last] : ranges_of(pairs)) {
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (last > first) text.append(to).append(std::to_string(last));
  }
  return pairs.size() == 1 ? said(language, "pair {}", text) : said(language, "pairs {}", text);
}

/// What of the comparison proves nothing.
void say_evidence(const OutputReport& report, const Console& console) {
  const Language language = console.language();
  if (report.vacuous > 0)
    console.say(said(language, "At {}, any turn would be within the limit.",
                     counted(report.vacuous, "place", language)));
  if (report.zero > 0)
    console.say(said(language,
                     "In {} of the given pairs, both numbers are zero, and any angle turns zero "
                     "into zero: such pairs prove nothing.",
                     report.zero));
  const std::vector<std::size_t> none = report.pairs_that_show(Evidence::none);
  const std::vector<std::size_t> fixed = report.pairs_that_show(Evidence::fixed);
  if (!none.empty())
    console.say(said(
        language, "Not tested: {} (zero at every position except 0, or any turn would be allowed).",
        pair_list(none, language)));
  if (!fixed.empty())
    console.say(said(
        language,
        "Too slow to test at these positions: {} (leaving them unrotated would also be allowed).",
        pair_list(fixed, language)));
}

void print_part(const OutputStudy& study, const OutputReport& report, const char* what,
                bool details, const Console& console) {
  const std::vector<OutputError> worst =
      worst_pairs(report, details ? kPairsInDetail : kShownPairs);
  // A number beyond its bound is no failure where it is like noise.
  const bool noise = study.verdict() == Verdict::inconclusive;
  const auto outcome = [&](const OutputError& one) {
    return one.violated() && noise
               ? console.paint(Ink::strong, translated("beyond", console.language()))
               : outcome_word(one.violated(), false, console);
  };
  Columns columns = output_columns(study, worst, what);
  columns.push_back(left(table_column("", cells_of(worst, outcome))));
  console.print(table_of(columns), "The pairs with the largest error relative to the limit");
}

/// "0.1 %"
std::string percent(double share) { return fmt::format("{:.2g} %", 100 * share); }

/// With which change of what is stated all would pass; empty if with none that was tried.
std::string change_text(const OutputStudy& study, Language language) {
  const PassingChange& change = study.would_pass;
  if (change.head_dim)
    return said(language, "They would pass as heads of {0}: --dim {0}{1}.", *change.head_dim,
                change.layout ? fmt::format(" --layout {}", name(*change.layout)) : "");
  if (change.layout)
    return said(language, "They would pass with --layout {}.", name(*change.layout));
  if (change.clockwise)
    return said(language,
                "They would pass if turned clockwise, by R_−m: the sines have the wrong sign, or "
                "the two files are swapped.");
  if (change.factor)
    return said(language, "They would pass with an attention factor of {:.10g} instead of {:.10g}.",
                *change.factor, study.embedding.attention_factor);
  if (change.shift == 0) return {};
  const std::int64_t by = std::abs(change.shift);
  return change.shift < 0 ? said(language,
                                 "They would pass if every position were {} lower: the positions "
                                 "have another offset.",
                                 by)
                          : said(language,
                                 "They would pass if every position were {} higher: the positions "
                                 "have another offset.",
                                 by);
}

/// What to do about a failure.
void say_remedy(const OutputStudy& study, const std::string& diagnose, const Console& console) {
  const Language language = console.language();
  if (const std::string change = change_text(study, language); !change.empty())
    console.say(change);
  else if (study.policy_stated && study.policy.name == "exact")
    console.say(said(language,
                     "Judged as if computed with exact angles in float64: code that computes "
                     "differently needs its own --policy."));
  if (study.residual.noise)
    console.say(said(language,
                     "The difference, {} of the length, is of similar size everywhere and shows no "
                     "pattern, like noise: input and result may come from different runs.",
                     percent(study.residual.relative)));
  console.say(said(language, "To find out which convention they follow, run:"));
  console.print("  " + diagnose + "\n");
}

/// What the verdict leaves open, and how to settle it.
void say_open(const OutputStudy& study, const Console& console) {
  const Language language = console.language();
  if (const std::optional<double> ulp = study.sufficient_libm_ulp())
    console.say(
        said(language,
             "Vectorised libraries (libmvec, SLEEF, NumPy's, CUDA's) promise errors of at most 2 "
             "to {} ulp. If these numbers come from one, judge them with --libm-ulp {}.",
             kVectorLibmUlp, *ulp));
  else if (study.noise())
    console.say(said(language,
                     "With enough tokens, a wrong angle, layout or factor would leave a pattern. "
                     "Input and result may come from two runs or two engines: take both from one "
                     "run, or try rope diagnose."));
}

/// Both parts, where there are two.
std::vector<const Certification*> parts_of(const OutputStudy& study) {
  std::vector<const Certification*> parts;
  if (study.vectors) parts.push_back(&*study.vectors);
  if (study.rows) parts.push_back(&*study.rows);
  return parts;
}

/// Why this policy, where none was stated: "as the result holds float32 numbers"
std::string reason_text(const OutputStudy& study, Language language) {
  if (study.policy_stated) return {};
  const std::string_view type = name(study.way.result);
  const std::string holds = study.vectors ? said(language, "as the result holds {} numbers", type)
                                          : said(language, "as the tables hold {} numbers", type);
  return study.way.casts_input ? said(language, "{} and the input is cast to that type", holds)
                               : holds;
}

/// What was judged, in full.
void print_setting(const OutputStudy& study, const Console& console) {
  const Language language = console.language();
  Table table({{"", Table::Align::left}, {"", Table::Align::left}});
  const auto line = [&](std::string what, std::string text) {
    if (!text.empty()) table.add_row({std::move(what), std::move(text)});
  };
  line("input", study.input);
  line("result", study.result);
  line("tables", study.tables);
  line("embedding", describe(RotaryVariant{{}, study.embedding}, language));
  line("positions", study.positions);
  line("policy", said(language, "{}: {}", study.policy.name, stages_text(study.policy, language)));
  line("", reason_text(study, language));
  if (study.embedding.scaling.rule != "default" && study.policy.angle_rule != AngleRule::exact)
    line("",
         said(language, "{} roundings of each θ_i are allowed for the steps of the scaling rule",
              study.hypotheses.rule_roundings));
  if (study.narrowed)
    line("", said(language, "the cast to the type of the files is allowed as well"));
  console.print("\n");
  console.print(table, "What was judged");
}

/// What was judged, in a sentence.
std::string setting_text(const OutputStudy& study, Language language) {
  std::string policy = said(language, "policy {}", study.policy.name);
  if (study.narrowed) policy += said(language, " and the cast to the type of the files");
  if (const std::string reason = reason_text(study, language); !reason.empty())
    policy.append(word({", ", "，"}, language)).append(reason);
  return said(language, "{}; positions {}; {}; {}.",
              study.input.empty() ? study.tables : study.input, study.positions,
              describe(RotaryVariant{{}, study.embedding}, language), policy);
}

/// Which other axes the tokens were looked for along.
void say_axes(const OutputStudy& study, const Console& console) {
  if (study.failing_axes.empty()) return;
  const Language language = console.language();
  const std::string axes =
      fmt::format("{}", fmt::join(study.failing_axes, word({" or ", "、"}, language)));
  if (study.unrotated_there)
    console.say(said(language,
                     "With tokens along axis {}, the result is the input, never rotated: set the "
                     "right axis with --token-axis.",
                     axes));
  else if (study.verdict() == Verdict::fail)
    console.say(said(
        language,
        "With tokens along axis {}, they would fail as well: set the right axis with --token-axis.",
        axes));
  else
    console.say(said(
        language,
        "With tokens along axis {}, they would fail: set the right axis with --token-axis.", axes));
}

}  // namespace

std::string verdict_text(const OutputStudy& study, Language language) {
  const std::vector<const Certification*> parts = parts_of(study);
  const Verdict verdict = study.verdict();
  const std::optional<double> ulp = study.sufficient_libm_ulp();
  std::uint64_t compared = 0;
  bool violated = false;
  for (const Certification* const part : parts) {
    compared += part->report.compared;
    violated = violated || !part->report.passed();
  }
  const bool open = verdict != Verdict::pass && verdict != Verdict::fail && !ulp;
  if (open && violated)
    return said(
        language,
        "the result differs from the exact rotation by {} of its length, with similar size "
        "everywhere and no pattern, like noise: more than {} allows; a mistake in slow pairs, "
        "such as a missing scaling rule, can look the same",
        percent(study.residual.relative), study.policy.name);
  const bool whole = study.embedding.rotary_dim() == study.embedding.head_dim;
  if (open && study.heads_open)
    return said(
        language,
        "{} within what {} allows if the axis runs over tokens; if it runs over the heads of one "
        "token, heads were taken for tokens, and each was given a position of its own",
        all_text(compared, whole, language), study.policy.name);
  return verdict_text(verdict, parts, ulp, language);
}

void print_output_report(const OutputStudy& study, const std::string& diagnose, bool details,
                         const Console& console) {
  const Verdict verdict = study.verdict();
  const Language language = console.language();
  say_verdict(verdict, verdict_text(study, language), console);
  const bool failed = verdict == Verdict::fail;
  if (failed && !study.assumed.empty())
    console.say(said(language, "Not stated, so assumed: {}.", joined(study.assumed, language)));
  if (failed) say_places(study, console);
  for (const Certification* const part : parts_of(study)) {
    const OutputReport& report = part->report;
    if (failed && report.first)
      console.say(said(language, "The first is {}: {}.", place_text(*part, *report.first, language),
                       error_text(*report.first, language)));
    if (!failed) say_evidence(report, console);
  }
  say_axes(study, console);
  if (failed)
    say_remedy(study, diagnose, console);
  else
    say_open(study, console);
  if (details)
    print_setting(study, console);
  else
    console.say(setting_text(study, language));
  for (const Certification* const part : parts_of(study))
    print_part(study, part->report, std::string(vector_noun(*part)).c_str(), details, console);
}

}  // namespace rope::app
