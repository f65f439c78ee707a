// What `rope verify --input X --result Y` says.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "rope/documents/outputs.hpp"
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

/// "3, 5 to 63"
std::string pair_list(const std::vector<std::size_t>& pairs) {
  std::string text;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t first = i;
    while (i + 1 < pairs.size() && pairs[i + 1] == pairs[i] + 1) ++i;
    text += (text.empty() ? "" : ", ") + std::to_string(pairs[first]);
    if (i > first) text += " to " + std::to_string(pairs[i]);
  }
  return (pairs.size() == 1 ? "pair " : "pairs ") + text;
}

/// What of the comparison proves nothing.
void say_evidence(const OutputReport& report, const Console& console) {
  if (report.vacuous > 0)
    console.say(fmt::format("At {} any turn would be within what is allowed.",
                            counted(report.vacuous, "place")));
  if (report.zero > 0)
    console.say(fmt::format(
        "{} of the pairs given are zero, which any angle turns to zero: they prove nothing.",
        report.zero));
  const std::vector<std::size_t> none = report.pairs_that_show(Evidence::none);
  const std::vector<std::size_t> fixed = report.pairs_that_show(Evidence::fixed);
  if (!none.empty())
    console.say(
        fmt::format("Not tested: {} (zero at every position but 0, or any turn would be "
                    "allowed).",
                    pair_list(none)));
  if (!fixed.empty())
    console.say(
        fmt::format("Too slow to see at these positions: {} (leaving them as they were "
                    "would be allowed, too).",
                    pair_list(fixed)));
}

void print_part(const OutputStudy& study, const OutputReport& report, const char* what,
                bool details, const Console& console) {
  const std::vector<OutputError> worst =
      worst_pairs(report, details ? kPairsInDetail : kShownPairs);
  // A number beyond its bound is no failure where it is like noise.
  const bool noise = study.verdict() == Verdict::inconclusive;
  const auto outcome = [&](const OutputError& one) {
    return one.violated() && noise ? console.paint(Ink::strong, "beyond")
                                   : outcome_word(one.violated(), false, console);
  };
  Columns columns = output_columns(study, worst, what);
  columns.push_back(left(table_column("", cells_of(worst, outcome))));
  console.print(table_of(columns), "The pairs furthest off");
}

/// "0.1 %"
std::string percent(double share) { return fmt::format("{:.2g} %", 100 * share); }

/// With which change of what is stated all would pass; empty if with none that was tried.
std::string change_text(const OutputStudy& study) {
  const PassingChange& change = study.would_pass;
  if (change.head_dim)
    return fmt::format("They would pass as heads of {0}: --dim {0}{1}.", *change.head_dim,
                       change.layout ? fmt::format(" --layout {}", name(*change.layout)) : "");
  if (change.layout) return fmt::format("They would pass with --layout {}.", name(*change.layout));
  if (change.clockwise)
    return "They would pass turned clockwise, by R_−m: the sines have the wrong sign, or the two "
           "files are exchanged.";
  if (change.factor)
    return fmt::format("They would pass with an attention factor of {:.10g} instead of {:.10g}.",
                       *change.factor, study.embedding.attention_factor);
  if (change.shift != 0)
    return fmt::format("They would pass with every position {} {}: the offset is another one.",
                       std::abs(change.shift), change.shift < 0 ? "lower" : "higher");
  return {};
}

/// What to do about a failure.
void say_remedy(const OutputStudy& study, const std::string& diagnose, const Console& console) {
  if (const std::string change = change_text(study); !change.empty())
    console.say(change);
  else if (study.policy_stated && study.policy.name == "exact")
    console.say(
        "Judged as exact angles and float64: code that computes in other ways needs its --policy.");
  if (study.residual.noise)
    console.say(fmt::format(
        "The difference, {} of the length, is as large everywhere and has no direction: input and "
        "result may come from two runs.",
        percent(study.residual.relative)));
  console.say("To find out which convention they follow, run:");
  console.print("  " + diagnose + "\n");
}

/// What the verdict leaves open, and how to settle it.
void say_open(const OutputStudy& study, const Console& console) {
  if (const std::optional<double> ulp = study.sufficient_libm_ulp())
    console.say(fmt::format(
        "Vectorised libraries (libmvec, SLEEF, NumPy's, CUDA's) promise 2 to {} ulp. If these "
        "numbers come from one, judge them with --libm-ulp {}.",
        kVectorLibmUlp, *ulp));
  else if (study.noise())
    console.say(
        "A wrong angle, layout or factor shows a direction if there are enough tokens. Input and "
        "result may come from two runs or two engines: take both from one run, or ask rope "
        "diagnose.");
}

/// Both parts, where there are two.
std::vector<const Certification*> parts_of(const OutputStudy& study) {
  std::vector<const Certification*> parts;
  if (study.vectors) parts.push_back(&*study.vectors);
  if (study.rows) parts.push_back(&*study.rows);
  return parts;
}

/// Why this policy, where none was stated: "as the result holds float32 numbers"
std::string reason_text(const OutputStudy& study) {
  if (study.policy_stated) return {};
  return fmt::format("as the {} {} numbers{}", study.vectors ? "result holds" : "tables hold",
                     name(study.way.result),
                     study.way.casts_input ? ", to which the input is cast" : "");
}

/// What was judged, in full.
void print_setting(const OutputStudy& study, const Console& console) {
  Table table({{"", Table::Align::left}, {"", Table::Align::left}});
  const auto line = [&](std::string what, std::string text) {
    if (!text.empty()) table.add_row({std::move(what), std::move(text)});
  };
  line("input", study.input);
  line("result", study.result);
  line("tables", study.tables);
  line("embedding", describe(study.embedding));
  line("positions", study.positions);
  line("policy", study.policy.name + ": " + stages_text(study.policy));
  line("", reason_text(study));
  if (study.embedding.scaling.rule != "default" && study.policy.angle_rule != AngleRule::exact)
    line("", fmt::format("{} roundings of each θ_i are granted to the steps of the scaling rule",
                         study.hypotheses.rule_roundings));
  if (study.narrowed) line("", "the cast to the type of the files is allowed as well");
  console.print("\n");
  console.print(table, "What was judged");
}

/// What was judged, in a sentence.
std::string setting_text(const OutputStudy& study) {
  const std::string reason = reason_text(study);
  return fmt::format("{}; positions {}; {}; policy {}{}{}.",
                     study.input.empty() ? study.tables : study.input, study.positions,
                     describe(study.embedding), study.policy.name,
                     study.narrowed ? " and the cast to the type of the files" : "",
                     reason.empty() ? "" : ", " + reason);
}

/// Which other axes the tokens were looked for along.
void say_axes(const OutputStudy& study, const Console& console) {
  if (study.failing_axes.empty()) return;
  console.say(fmt::format("With tokens along axis {} {}: --token-axis says which axis is meant.",
                          fmt::join(study.failing_axes, " or "),
                          study.unrotated_there ? "the result is the input, never rotated"
                          : study.verdict() == Verdict::fail ? "they would fail as well"
                                                             : "they would fail"));
}

}  // namespace

std::string verdict_text(const OutputStudy& study) {
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
    return fmt::format(
        "the result differs from the exact rotation by {} of its length, everywhere alike and in "
        "no direction: more than {} allows, and no sign of a wrong rotation",
        percent(study.residual.relative), study.policy.name);
  const char* const noun =
      study.embedding.rotary_dim() == study.embedding.head_dim ? "pair" : "place";
  if (open && study.heads_open)
    return fmt::format(
        "{} within what {} allows if the axis counts tokens; if it counts the heads of one token, "
        "heads were taken for tokens, and each stands at a position of its own",
        compared == 1 ? fmt::format("the one {} is", noun)
                      : fmt::format("all {} are", counted(compared, noun)),
        study.policy.name);
  return verdict_text(verdict, parts, ulp);
}

void print_output_report(const OutputStudy& study, const std::string& diagnose, bool details,
                         const Console& console) {
  const Verdict verdict = study.verdict();
  say_verdict(verdict, verdict_text(study), console);
  const bool failed = verdict == Verdict::fail;
  if (failed && !study.assumed.empty())
    console.say(fmt::format("Not stated, and so assumed: {}.", fmt::join(study.assumed, ", ")));
  if (failed) say_places(study, console);
  for (const Certification* const part : parts_of(study)) {
    const OutputReport& report = part->report;
    if (failed && report.first)
      console.say(fmt::format("The first is {}: {}.", place_text(*part, *report.first),
                              error_text(*report.first)));
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
    console.say(setting_text(study));
  for (const Certification* const part : parts_of(study))
    print_part(study, part->report, std::string(vector_noun(*part)).c_str(), details, console);
}

}  // namespace rope::app
