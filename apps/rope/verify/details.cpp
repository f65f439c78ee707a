// What `rope verify --details` adds to the answer.

#include <fmt/format.h>

#include <algorithm>

#include "rope/words/embedding_text.hpp"
#include "rope/words/policy_text.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"
#include "verify/checks_table.hpp"
#include "verify/report.hpp"

namespace rope::app {
namespace {

std::string layouts_text(const std::vector<PairLayout>& layouts) {
  std::string text;
  for (const PairLayout layout : layouts)
    text += (text.empty() ? "" : " and ") + std::string(name(layout));
  return text;
}

std::string case_text(const VerifyOptions& options, const VerifyReport& report) {
  if (options.given)
    return fmt::format("your q at m = {}, your k at n = {}", options.given->m, options.given->n);
  if (options.only_case) return fmt::format("{} of seed {}", *options.only_case, options.seed);
  return fmt::format("{}, seed {}, positions {} to {}", report.trials, options.seed,
                     0 - options.max_position, options.max_position);
}

void print_setting(const VerifyOptions& options, const VerifyReport& report,
                   const Console& console) {
  const RotaryEmbedding& e = options.embedding;
  const std::string frequencies =
      e.base ? fmt::format("base {}", *e.base)
             : fmt::format("{} given {}", e.pairs(), e.pairs() == 1 ? "frequency" : "frequencies");
  Table table({{"", Table::Align::left}, {"", Table::Align::left}});
  const auto line = [&](std::string what, std::string text) {
    if (!text.empty()) table.add_row({std::move(what), std::move(text)});
  };
  line("embedding", fmt::format("head_dim {}, rotary_dim {}, {}; layout {}", e.head_dim,
                                e.rotary_dim(), frequencies, layouts_text(options.layouts)));
  line("", describe_scaling(e));
  if (e.attention_factor != 1)
    line("", fmt::format("attention factor A = {}: in both sides the rotated pairs count A² times",
                         six_digits(e.attention_factor)));
  line("policy", fmt::format("{} ({})", options.policy.name, options.policy.summary));
  if (options.policy.angle_rule != AngleRule::exact) line("stages", stages_text(options.policy));
  if (options.control)
    line("mistake", fmt::format("{}: {}", options.control->name, options.control->mistake));
  line(options.given || options.only_case ? "case" : "cases", case_text(options, report));
  if (options.policy.angle_rule == AngleRule::exact && e.head_dim > kLargestDenseDim)
    line("forms", fmt::format("elementwise and complex; dense R_m only up to head_dim {}",
                              kLargestDenseDim));
  console.print(table, "What was verified");
}

void print_certificate(const VerifyOptions& options, const VerifyReport& report,
                       const Console& console) {
  const CertificateReport& c = report.certificate;
  if (!c.measured) return;
  console.say(fmt::format(
      "\nGuaranteed for every q and k at these positions: at most {}·|q||k| from the tables of cos "
      "and sin, and {}·|q||k| from the arithmetic after them.",
      three_digits(c.op_norm), three_digits(c.eval_error_coefficient)));
  if (c.has_pair && !options.given)
    console.say(fmt::format(
        "The first is attained on pair {} at m = {}, n = {} by q = ({:.6g}, {:.6g}), k = ({:.6g}, "
        "{:.6g}).",
        c.pair, c.m, c.n, c.vectors.q[0], c.vectors.q[1], c.vectors.k[0], c.vectors.k[1]));
  const ProbabilisticReport& p = report.probabilistic;
  if (!options.given && !options.only_case && !options.control)
    console.say(fmt::format(
        "Statistical check, not a proof: the largest error is {} of the six-sigma limit for "
        "independent roundings, which a case exceeds with a probability of 3e-8 at most; {}.",
        three_digits(p.max_ratio),
        p.exceeded == 0 ? "none exceeds it" : counted(p.exceeded, "case") + " exceed it"));
  if (report.requirement_met)
    console.say(fmt::format("Required: at most {}·|q||k|: {}.", three_digits(*options.require),
                            *report.requirement_met ? console.paint(Ink::good, "met")
                                                    : console.paint(Ink::bad, "not met")));
}

void print_controls(const VerifyOptions& options, const VerifyReport& report,
                    const Console& console) {
  if (report.controls.empty()) return;
  const auto count = [&](ControlReport::Outcome wanted) {
    return std::ranges::count(report.controls, wanted, &ControlReport::outcome);
  };
  const std::int64_t range = control_range(options.embedding, options.policy, options.hypotheses);
  std::string outcomes = fmt::format("{} rejected", count(ControlReport::Outcome::rejected));
  for (const auto& [kind, text] :
       {std::pair{ControlReport::Outcome::not_applicable, "that change nothing here"},
        std::pair{ControlReport::Outcome::undetectable, "below rounding"},
        std::pair{ControlReport::Outcome::not_rejected, "NOT rejected"}})
    if (count(kind) > 0) outcomes += fmt::format(", {} {}", count(kind), text);
  console.say(fmt::format("\n{} planted mistakes, each on random q, k at positions {} to {}: {}.",
                          report.controls.size(), 0 - range, range, outcomes));
  Table table(
      {{"", Table::Align::left}, {"defect"}, {"rms"}, {"predicted"}, {"", Table::Align::left}});
  for (const ControlReport& control : report.controls) {
    const bool bad = control.outcome == ControlReport::Outcome::not_rejected;
    const auto number = [](std::optional<double> value) {
      return value ? three_digits(*value) : std::string("-");
    };
    std::string word(outcome(control.outcome));
    if (control.outcome == ControlReport::Outcome::rejected)
      word += control.identity_held ? " by true angles" : " by the identity";
    table.add_row({std::string(control.control.name), number(control.op_defect),
                   number(control.rms), number(control.predicted_rms),
                   console.paint(bad ? Ink::bad : Ink::good, word)});
  }
  console.print(table, "");
}

}  // namespace

void print_verify_details(const VerifyOptions& options, const VerifyReport& report,
                          const Console& console) {
  console.say("\nIs ⟨R_m q, R_n k⟩ = qᵀR_{n−m}k, but for rounding?");
  print_setting(options, report, console);
  console.print("\n");
  console.print(checks_table(report, false, console), "Errors and what rounding allows");
  if (!options.given) {  // the answer has shown those of given vectors
    console.say("\nThe two sides where the ratio of error to bound is largest:");
    print_two_sides(options, report, false, console);
  }
  print_certificate(options, report, console);
  print_controls(options, report, console);
  if (!report.reasons.empty()) console.print("\n");
  for (const std::string& reason : report.reasons) console.say(sentence(reason));
}

}  // namespace rope::app
