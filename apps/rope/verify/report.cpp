#include "verify/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rope/language/said.hpp"
#include "rope/verify/formula.hpp"
#include "rope/words/policy_text.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"
#include "shown/verdict.hpp"
#include "verify/checks_table.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostCauses = 2;

bool emulated(const VerifyOptions& options) {
  return options.policy.angle_rule != AngleRule::exact;
}

/// Of which single case a report speaks: "at m = 5, n = 2 ", "in case 7 of seed 42 "; or nothing.
std::string single_case(const VerifyOptions& options, Language language) {
  if (options.given)
    return said(language, "at m = {}, n = {}, ", options.given->m, options.given->n);
  if (options.only_case)
    return said(language, "in case {} of seed {}, ", *options.only_case, options.seed);
  return {};
}

/// An emulated policy passes that is as wrong as its rounding must make it, however much that is.
std::string pass_text(const VerifyOptions& options, const VerifyReport& report, Language language) {
  const std::string where = single_case(options, language);
  if (emulated(options))
    return said(language, "{}policy {} stays within its rounding limits", where,
                options.policy.name);
  if (where.empty())
    return said(language,
                "The score of q at position m and k at position n depends on n − m alone");
  return tells_sign(options, report)
             ? said(language, "{}⟨R_m q, R_n k⟩ and qᵀR_{{n−m}}k agree within rounding", where)
             : said(language,
                    "{}⟨R_m q, R_n k⟩ and qᵀR_{{n−m}}k agree within rounding, but also with the "
                    "wrong sign",
                    where);
}

/// "0.5·|q||k| (rounding limit 1e-15·|q||k|)"; of given vectors in raw numbers.
std::string excess_text(const CheckLine& check, const VerifyOptions& options, Language language) {
  const Measured& measured = options.given ? check.raw : check.unit;
  const bool of_scores = check.file_name != "orthogonality";
  const char* unit =
      of_scores && (!options.given || check.file_name == "certificate") ? "·|q||k|" : "";
  return said(language, "{}{} (rounding limit {}{})", three_digits(measured.error), unit,
              three_digits(measured.bound), unit);
}

/// The first check that failed, and by how much.
std::string fail_text(const VerifyOptions& options, const VerifyReport& report, Language language) {
  std::string text = report.reasons.front();
  const bool counted_first = report.causes.empty() || report.causes.front() != text;
  if (counted_first) {
    const std::vector<CheckLine> checks = checks_of(report);
    const auto failed = std::ranges::find_if(checks, [](const CheckLine& check) {
      return check.violations > 0 && check.file_name != "faithfulness";
    });
    if (failed != checks.end() && failed->raw.violated())
      text += report.trials == 1 || options.given
                  ? said(language, ": by {}", excess_text(*failed, options, language))
                  : said(language, ", at worst by {}", excess_text(*failed, options, language));
  }
  if (!options.control) return text;
  return said(language, "as expected, the planted mistake {} was caught ({}); {}",
              options.control->name, translated(options.control->mistake, language), text);
}

/// What is left open. A policy that cannot hold the positions is the reason for all of it.
std::string open_text(const VerifyOptions& options, const VerifyReport& report, Language language) {
  const auto distance = [](std::int64_t position) { return position < 0 ? -position : position; };
  const std::int64_t furthest =
      options.given ? std::max(distance(options.given->m), distance(options.given->n))
                    : options.max_position;
  const std::string collide =
      report.vacuous > 0 ? collision_text(options.policy, furthest, language) : std::string();
  return collide.empty()
             ? said(language, "no check failed, but {}", report.reasons.front())
             : said(language, "{}No check failed, but {}", collide, report.reasons.front());
}

std::string why(const VerifyOptions& options, const VerifyReport& report, Language language) {
  switch (report.verdict) {
    case Verdict::pass:
      return pass_text(options, report, language);
    case Verdict::fail:
      return fail_text(options, report, language);
    case Verdict::inconclusive:
      return open_text(options, report, language);
    case Verdict::self_test_failed:
      break;
  }
  return report.reasons.back();
}

/// What else keeps a report from being a plain pass, as far as the checks do not say it.
void say_causes(const VerifyReport& report, const Console& console) {
  if (report.reasons.empty()) return;  // a plain pass
  const std::string& said =
      report.verdict == Verdict::self_test_failed ? report.reasons.back() : report.reasons.front();
  std::size_t shown = 0;
  for (const std::string& cause : report.causes) {
    if (cause == said || shown == kMostCauses) continue;
    console.say(sentence(cause, console.language()));
    ++shown;
  }
}

/// How far apart the two sides are over the random cases.
std::string evidence_text(const VerifyOptions& options, const VerifyReport& report,
                          Language language) {
  const IdentityReport& identity = report.identity;
  const std::string where = options.max_position == 0
                                ? said(language, "position 0")
                                : said(language, "positions up to ±{}", options.max_position);
  const std::string sides = options.only_case
                                ? said(language, "⟨R_m q, R_n k⟩ and qᵀR_{{n−m}}k")
                                : said(language, "Over {} at {}, ⟨R_m q, R_n k⟩ and qᵀR_{{n−m}}k",
                                       counted(report.trials, "random case", language), where);
  if (identity.max_relative_error == 0) return said(language, "{} are the same number.", sides);
  std::string text = said(language, "{} differ by at most {:.2g}·|q||k| (rounding limit {:.2g})",
                          sides, identity.max_relative_error, identity.relative_bound);
  if (!emulated(options) && !options.require) return sentence(text, language);
  const CertificateReport& c = report.certificate;
  if (c.measured)
    text += said(language, "; for the worst possible q and k there, by up to {:.2g}",
                 c.op_norm + c.eval_error_coefficient);
  if (options.require)
    return text + said(language, ", within the required {:.3g}.", *options.require);
  return text + said(language, ". Use --require TOL to judge whether that is good enough.");
}

/// What positions of their own on every axis come to.
std::string axes_text(const VerifyOptions& options, const AxesReport& report, Language language) {
  double shift = 0;
  for (const Measured& one : report.shift) shift = std::max(shift, one.error);
  const auto planted = std::ranges::count_if(report.mistakes, &AxisMistake::applies);
  const auto caught = std::ranges::count_if(report.mistakes, &AxisMistake::caught);
  std::vector<std::string> axes;
  axes.reserve(options.embedding.axes.names.size());
  for (const std::string& name : options.embedding.axes.names)
    axes.emplace_back(translated(name, language));
  return said(
      language,
      "With separate positions on {}, they differ by at most {:.2g}·|q||k| (rounding limit "
      "{:.2g}). A shift along a single axis changes the score by at most {:.2g}. {} of {} mistakes "
      "planted in the axes were caught.",
      joined(axes, language), report.identity.error, report.identity.bound, shift, caught, planted);
}

/// "All 17 planted mistakes were caught"
std::string controls_text(const VerifyReport& report, Language language) {
  using Outcome = ControlReport::Outcome;
  const auto count = [&](Outcome wanted) {
    return std::ranges::count(report.controls, wanted, &ControlReport::outcome);
  };
  const auto planted = std::ssize(report.controls);
  const auto caught = count(Outcome::rejected);
  std::string text = caught == planted
                         ? said(language, "All {} planted mistakes were caught", planted)
                         : said(language, "{} of {} planted mistakes were caught", caught, planted);
  if (const auto none = count(Outcome::not_applicable); none > 0)
    text += none == 1 ? said(language, ", {} changes nothing here", none)
                      : said(language, ", {} change nothing here", none);
  if (const auto small = count(Outcome::undetectable); small > 0)
    text += small == 1 ? said(language, ", {} is below rounding", small)
                       : said(language, ", {} are below rounding", small);
  if (const auto missed = count(Outcome::not_rejected); missed > 0)
    text += said(language, ", {} went undetected", missed);
  return text;
}

/// The embedding, in all layouts that were judged, and the policy, in a line.
std::string setting_text(const VerifyOptions& options, const RotaryVariant& variant,
                         Language language) {
  std::vector<RotaryVariant> judged;
  for (const PairLayout layout : options.layouts) {
    judged.push_back(variant);
    RotaryEmbedding& embedding = judged.back().embedding;
    embedding.layout = layout;
    embedding.scaling.numbers.clear();  // what a rule was told is a line of its own
    embedding.scaling.lists.clear();
    embedding.max_positions.reset();
    embedding.seq_len.reset();
  }
  std::string text = describe(judged, language);
  if (options.layouts.size() > 1) text += said(language, ", both layouts");
  return text + (emulated(options) ? said(language, "; policy {}", options.policy.name)
                                   : said(language, "; exact angles, float64"));
}

}  // namespace

void print_verify_report(const VerifyOptions& options, VerifyReport report,
                         const RotaryVariant& variant, bool details, const Console& console) {
  const Language language = console.language();
  decide(options, report, language);
  say_verdict(report.verdict, why(options, report, language), console);
  if (options.given) print_two_sides(options, report, false, console);
  if (report.verdict == Verdict::pass && !options.given)
    console.say(evidence_text(options, report, language));
  if (report.verdict == Verdict::pass && report.axes)
    console.say(axes_text(options, *report.axes, language));
  const bool failed = report.verdict == Verdict::fail;
  if (!failed || !options.control) say_causes(report, console);  // of a mistake that is known
  if (options.control && !options.given) print_two_sides(options, report, true, console);
  const bool lists_controls = !failed && !report.controls.empty();
  const auto ended = [&](std::string text, std::string_view details_hint) {
    if (!details && !details_hint.empty()) text += hint(translated(details_hint, language));
    return text + std::string(word({".", "。"}, language));
  };
  if (lists_controls)
    console.say(ended(controls_text(report, language), " (--details lists them)"));
  console.say(
      ended(setting_text(options, variant, language), lists_controls ? "" : "; see --details"));
  if (!options.given)
    console.print(checks_table(report, true, console), "Errors and what rounding allows");
  if (details) print_verify_details(options, report, console);
}

}  // namespace rope::app
