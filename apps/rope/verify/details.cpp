// What `rope verify --details` adds to the answer.

#include <fmt/format.h>

#include <algorithm>

#include "rope/language/said.hpp"
#include "rope/words/embedding_text.hpp"
#include "rope/words/policy_text.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"
#include "verify/checks_table.hpp"
#include "verify/report.hpp"

namespace rope::app {
namespace {

std::string layouts_text(const std::vector<PairLayout>& layouts, Language language) {
  std::vector<std::string> names;
  names.reserve(layouts.size());
  for (const PairLayout layout : layouts) names.emplace_back(translated(name(layout), language));
  return listed(names, language);
}

std::string case_text(const VerifyOptions& options, const VerifyReport& report, Language language) {
  if (options.given)
    return said(language, "your q at m = {}, your k at n = {}", options.given->m, options.given->n);
  if (options.only_case) return said(language, "{} of seed {}", *options.only_case, options.seed);
  return said(language, "{}, seed {}, positions {} to {}", report.trials, options.seed,
              0 - options.max_position, options.max_position);
}

void print_setting(const VerifyOptions& options, const VerifyReport& report,
                   const Console& console) {
  const RotaryEmbedding& e = options.embedding;
  const Language language = console.language();
  const std::string frequencies = e.base ? said(language, "base {}", *e.base)
                                  : e.pairs() == 1
                                      ? said(language, "{} given frequency", e.pairs())
                                      : said(language, "{} given frequencies", e.pairs());
  Table table({{"", Table::Align::left}, {"", Table::Align::left}});
  const auto line = [&](std::string what, std::string text) {
    if (!text.empty()) table.add_row({std::move(what), std::move(text)});
  };
  line("embedding", said(language, "head_dim {}, rotary_dim {}, {}; layout {}", e.head_dim,
                         e.rotary_dim(), frequencies, layouts_text(options.layouts, language)));
  line("", describe_scaling(e, language));
  if (e.attention_factor != 1)
    line("", said(language,
                  "attention factor A = {}: on both sides, it multiplies the rotated pairs by A²",
                  six_digits(e.attention_factor)));
  line("policy", said(language, "{} ({})", options.policy.name,
                      translated(options.policy.summary, language)));
  if (options.policy.angle_rule != AngleRule::exact)
    line("stages", stages_text(options.policy, language));
  if (options.control)
    line("mistake", said(language, "{}: {}", options.control->name,
                         translated(options.control->mistake, language)));
  const bool one = options.given || options.only_case;
  line(std::string(word({one ? "case" : "cases", "算例"}, language)),
       case_text(options, report, language));
  if (options.policy.angle_rule == AngleRule::exact && e.head_dim > kLargestDenseDim)
    line("forms", said(language, "elementwise and complex; dense R_m only up to head_dim {}",
                       kLargestDenseDim));
  console.print(table, "What was verified");
}

void print_certificate(const VerifyOptions& options, const VerifyReport& report,
                       const Console& console) {
  const CertificateReport& c = report.certificate;
  if (!c.measured) return;
  const Language language = console.language();
  console.print("\n");
  console.say(
      said(language,
           "Guaranteed for every q and k at these positions: an error of at most {}·|q||k| from "
           "the tables of cos and sin, and {}·|q||k| from the arithmetic that follows.",
           three_digits(c.op_norm), three_digits(c.eval_error_coefficient)));
  if (c.has_pair && !options.given)
    console.say(said(language,
                     "The first of these is attained on pair {} at m = {}, n = {} by q = ({:.6g}, "
                     "{:.6g}), k = ({:.6g}, "
                     "{:.6g}).",
                     c.pair, c.m, c.n, c.vectors.q[0], c.vectors.q[1], c.vectors.k[0],
                     c.vectors.k[1]));
  const ProbabilisticReport& p = report.probabilistic;
  if (!options.given && !options.only_case && !options.control)
    console.say(said(
        language,
        "Statistical check, not a proof: the largest error is {} of the six-sigma limit for "
        "independent roundings, which a case exceeds with a probability of at most 3e-8; {}.",
        three_digits(p.max_ratio),
        p.exceeded == 0 ? said(language, "none exceeds it")
                        : said(language, "{} above it", counted(p.exceeded, "case", language))));
  if (report.requirement_met)
    console.say(said(language, "Required: at most {}·|q||k|: {}.", three_digits(*options.require),
                     *report.requirement_met
                         ? console.paint(Ink::good, translated("met", language))
                         : console.paint(Ink::bad, translated("not met", language))));
}

void print_controls(const VerifyOptions& options, const VerifyReport& report,
                    const Console& console) {
  if (report.controls.empty()) return;
  const auto count = [&](ControlReport::Outcome wanted) {
    return std::ranges::count(report.controls, wanted, &ControlReport::outcome);
  };
  const std::int64_t range = control_range(options.embedding, options.policy, options.hypotheses);
  const Language language = console.language();
  std::string outcomes = said(language, "{} rejected", count(ControlReport::Outcome::rejected));
  if (const auto none = count(ControlReport::Outcome::not_applicable); none > 0)
    outcomes += said(language, ", {} that change nothing here", none);
  if (const auto small = count(ControlReport::Outcome::undetectable); small > 0)
    outcomes += said(language, ", {} below rounding", small);
  if (const auto missed = count(ControlReport::Outcome::not_rejected); missed > 0)
    outcomes += said(language, ", {} NOT rejected", missed);
  console.print("\n");
  console.say(said(language,
                   "{} planted mistakes, each tested on random q and k at positions {} to {}: {}.",
                   report.controls.size(), 0 - range, range, outcomes));
  Table table(
      {{"", Table::Align::left}, {"defect"}, {"rms"}, {"predicted"}, {"", Table::Align::left}});
  for (const ControlReport& control : report.controls) {
    const bool bad = control.outcome == ControlReport::Outcome::not_rejected;
    const auto number = [](std::optional<double> value) {
      return value ? three_digits(*value) : std::string("-");
    };
    const std::string_view word = control.outcome != ControlReport::Outcome::rejected
                                      ? outcome(control.outcome)
                                  : control.identity_held ? "rejected by true angles"
                                                          : "rejected by the identity";
    table.add_row({std::string(control.control.name), number(control.op_defect),
                   number(control.rms), number(control.predicted_rms),
                   console.paint(bad ? Ink::bad : Ink::good, translated(word, language))});
  }
  console.print(table, "");
}

}  // namespace

void print_verify_details(const VerifyOptions& options, const VerifyReport& report,
                          const Console& console) {
  const Language language = console.language();
  console.print("\n");
  console.say(said(language, "Is ⟨R_m q, R_n k⟩ = qᵀR_{{n−m}}k, except for rounding?"));
  print_setting(options, report, console);
  console.print("\n");
  console.print(checks_table(report, false, console), "Errors and what rounding allows");
  if (!options.given) {  // the answer has shown those of given vectors
    console.print("\n");
    console.say(said(language, "The two sides where the ratio of error to bound is largest:"));
    print_two_sides(options, report, false, console);
  }
  print_certificate(options, report, console);
  print_controls(options, report, console);
  if (!report.reasons.empty()) console.print("\n");
  for (const std::string& reason : report.reasons) console.say(sentence(reason, language));
}

}  // namespace rope::app
