#include "verify/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/pictures/embedding_text.hpp"
#include "shown/columns.hpp"
#include "shown/policy.hpp"
#include "shown/table.hpp"
#include "verify/formula.hpp"
#include "verify/verdict.hpp"

namespace rope::app {
namespace {

/// One check of a report: what was measured beside what is allowed.
struct CheckLine {
  std::string name;      // for people
  std::string csv_name;  // for files
  double error;
  double bound;
  std::uint64_t violations;
};

std::vector<CheckLine> checks_of(const VerifyReport& report) {
  const CertificateReport& c = report.certificate;
  const Faithfulness& f = report.faithfulness;
  std::vector<CheckLine> checks;
  const bool any_finite = report.not_finite < report.trials;
  if (any_finite)
    checks.push_back({"these q, k", "identity", report.identity.worst.error,
                      report.identity.worst.bound, report.identity.violations});
  if (c.measured)
    checks.push_back({"all q, k", "certificate", c.op_norm, c.op_norm_bound, c.violations});
  if (any_finite)
    checks.push_back(
        {"exact scores", "exact", report.exact.error, report.exact.bound, report.exact_violations});
  checks.push_back({"true angles", "faithfulness", f.error, f.bound, f.violations});
  if (!any_finite) return checks;
  checks.push_back({"lengths kept", "orthogonality", report.orthogonality.error,
                    report.orthogonality.bound, report.orthogonality_violations});
  checks.push_back(
      {"shift of both", "shift", report.shift.error, report.shift.bound, report.shift_violations});
  return checks;
}

std::string_view outcome(ControlReport::Outcome outcome) {
  switch (outcome) {
    case ControlReport::Outcome::rejected:
      return "rejected";
    case ControlReport::Outcome::undetectable:
      return "below rounding";
    case ControlReport::Outcome::not_applicable:
      return "changes nothing";
    case ControlReport::Outcome::not_rejected:
      break;
  }
  return "NOT REJECTED";
}

void print_setting(const VerifyOptions& options, const VerifyReport& report,
                   const Console& console) {
  std::string layouts;
  for (const PairLayout layout : options.layouts)
    layouts += (layouts.empty() ? "" : " and ") + std::string(name(layout));
  const RotaryEmbedding& e = options.embedding;
  const std::string frequencies =
      e.base ? "base " + six_digits(*e.base)
             : fmt::format("{} given {}", e.pairs(), e.pairs() == 1 ? "frequency" : "frequencies");
  console.print("⟨R_m q, R_n k⟩ = qᵀR_{n−m}k ?\n");
  console.print(fmt::format("  embedding  head_dim {}, rotary_dim {}, {}; layout {}\n", e.head_dim,
                            e.rotary_dim(), frequencies, layouts));
  if (const std::string scaling = describe_scaling(e); !scaling.empty())
    console.print(fmt::format("             {}\n", scaling));
  if (e.attention_factor != 1)
    console.print("             both sides hold A² of the rotated pairs: the right one takes Aq\n");
  console.print(fmt::format("  policy     {}: {}\n", options.policy.name, options.policy.summary));
  if (options.policy.angle_rule != AngleRule::exact)
    console.print(fmt::format("  stages     {}\n", stages_text(options.policy)));
  if (options.control)
    console.print(
        fmt::format("  mistake    {}: {}\n", options.control->name, options.control->mistake));
  if (options.given)
    console.print(fmt::format("  case       your q at m = {}, your k at n = {}\n", options.given->m,
                              options.given->n));
  else if (options.only_case)
    console.print(fmt::format("  case       {} of seed {}\n", *options.only_case, options.seed));
  else
    console.print(fmt::format("  cases      {}, seed {}, positions {} to {}\n", report.trials,
                              options.seed, 0 - options.max_position, options.max_position));
  if (options.policy.angle_rule == AngleRule::exact && e.head_dim > kLargestDenseDim)
    console.print(
        fmt::format("  forms      elementwise and complex; dense R_m only up to head_dim {}\n",
                    kLargestDenseDim));
}

void print_checks(const VerifyReport& report, const Console& console) {
  Table table(
      {{"", Table::Align::left}, {"measured"}, {"allowed"}, {"ratio"}, {"", Table::Align::left}});
  for (const CheckLine& check : checks_of(report)) {
    const Measured measured{check.error, check.bound};
    const double ratio = measured.ratio();
    const std::string met =
        measured.unbounded() ? console.paint(Ink::strong, "open") : console.paint(Ink::good, "ok");
    table.add_row({check.name, three_digits(check.error), three_digits(check.bound),
                   ratio < 1e4 ? fmt::format("{:.3f}", ratio) : three_digits(ratio),
                   check.violations == 0 ? met : console.paint(Ink::bad, "FAIL")});
  }
  console.print("\n" + table.text());
}

/// qᵀR_{m−n}k of the given vectors: what the wrong sign of the distance would give.
double wrong_sign_score(const VerifyOptions& options, PairLayout layout) {
  RotaryEmbedding embedding = options.embedding;
  embedding.layout = layout;
  const VerifyCase& given = *options.given;
  const Pipeline pipeline(options.policy, embedding);
  RotationRow row;
  pipeline.table_row(given.m - given.n, row);
  std::vector<double> rotated(given.k.size());
  pipeline.rotate(RotationForm::elementwise, row, given.k, rotated);
  std::vector<double> query = given.q;
  scale_rotated(embedding, query);
  return pipeline.dot(query, rotated).value;
}

/// The two numbers that should be one, in each layout of the given vectors or in the worst case.
void print_two_sides(const VerifyOptions& options, const VerifyReport& report,
                     const Console& console) {
  std::vector<NotableCase> shown = report.given;
  if (report.not_finite == report.trials) return;  // the reasons name the first
  const auto same = [&](const NotableCase& each) {
    return each.left == shown.front().left && each.right == shown.front().right;
  };
  if (std::ranges::all_of(shown, same)) shown.resize(std::min<std::size_t>(shown.size(), 1));
  if (!options.given) {
    const NotableCase& worst = report.identity.worst;
    console.print(fmt::format("\nLargest ratio: case {} (m = {}, n = {}, {}, {})\n", worst.number,
                              worst.m, worst.n, name(worst.form), name(worst.layout)));
    shown = {worst};
  } else {
    console.print("\n");
  }
  std::vector<Table::Column> columns = {{"", Table::Align::left}};
  for (const NotableCase& each : shown)
    columns.push_back({shown.size() > 1 ? std::string(name(each.layout)) : std::string()});
  Table table(columns);
  const auto add = [&](std::string title, auto cell) {
    std::vector<std::string> cells = {std::move(title)};
    for (const NotableCase& each : shown) cells.push_back(cell(each));
    table.add_row(std::move(cells));
  };
  const auto exactly = [](double value) { return fmt::format("{:.12g}", value); };
  const SidesText sides = sides_text(options);
  add(sides.left, [&](const NotableCase& c) { return exactly(c.left); });
  add(sides.right, [&](const NotableCase& c) { return exactly(c.right); });
  add("difference", [&](const NotableCase& c) { return three_digits(c.error); });
  add("allowed", [&](const NotableCase& c) { return three_digits(c.bound); });
  bool told_apart = false;
  if (options.given && !options.control)
    add("qᵀR_{m−n}k, the wrong sign", [&](const NotableCase& c) {
      const double wrong = wrong_sign_score(options, c.layout);
      const Measured apart{std::abs(wrong - c.left), c.bound};
      told_apart = told_apart || apart.violated() || apart.unbounded();
      return exactly(wrong);
    });
  console.print(table.text());
  if (options.given && !options.control && !told_apart)
    console.print(
        "\n  With these vectors and positions the wrong sign gives the same score, but for\n"
        "  rounding: this case cannot tell right from wrong. Take m ≠ n, and q and k that\n"
        "  differ.\n");
}

void print_certificate(const VerifyOptions& options, const VerifyReport& report,
                       const Console& console) {
  const CertificateReport& c = report.certificate;
  if (!c.measured) return;
  console.print(fmt::format(
      "\nFor all q, k at the tested positions the table lets the two sides differ by at most\n"
      "  {}·|q||k|, and rotating and summing by at most {}·|q||k| more.\n",
      three_digits(c.op_norm), three_digits(c.eval_error_coefficient)));
  if (c.has_pair && !options.given)
    console.print(fmt::format(
        "  Attained on pair {} at m = {}, n = {} by q = ({:.6g}, {:.6g}), k = ({:.6g}, {:.6g}).\n",
        c.pair, c.m, c.n, c.vectors.q[0], c.vectors.q[1], c.vectors.k[0], c.vectors.k[1]));
  const ProbabilisticReport& p = report.probabilistic;
  if (!options.given && !options.only_case && !options.control)
    console.print(fmt::format(
        "  Not rigorous: independent roundings would add up to more than 6 deviations with "
        "probability\n"
        "  3e-8 a case; the largest error is {} of that, {}.\n",
        three_digits(p.max_ratio),
        p.exceeded == 0 ? "none exceeds it" : fmt::format("{} cases exceed it", p.exceeded)));
  if (report.requirement_met)
    console.print(fmt::format("  Required: at most {}: {}\n", three_digits(*options.require),
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
  console.print(
      fmt::format("\n{} planted mistakes, each on random q, k at positions {} to {}: {}\n",
                  report.controls.size(), 0 - range, range, outcomes));
  Table table({{"", Table::Align::left},
               {"", Table::Align::left},
               {"defect"},
               {"rms"},
               {"predicted"},
               {"seen by", Table::Align::left}});
  for (const ControlReport& control : report.controls) {
    const bool bad = control.outcome == ControlReport::Outcome::not_rejected;
    const auto number = [](std::optional<double> value) {
      return value ? three_digits(*value) : std::string("-");
    };
    const bool judged = control.outcome != ControlReport::Outcome::not_applicable;
    table.add_row({std::string(control.control.name),
                   console.paint(bad ? Ink::bad : Ink::good, outcome(control.outcome)),
                   number(control.op_defect), number(control.rms), number(control.predicted_rms),
                   !judged                  ? ""
                   : !control.identity_held ? "the identity"
                   : !control.faithful      ? "the true angles alone"
                                            : ""});
  }
  console.print(table.text());
}

}  // namespace

void print_verify_report(const VerifyOptions& options, const VerifyReport& report,
                         const Console& console) {
  print_setting(options, report, console);
  print_checks(report, console);
  print_two_sides(options, report, console);
  print_certificate(options, report, console);
  print_controls(options, report, console);
  for (const std::string& reason : report.reasons) console.print("\n- " + reason);
  if (!report.reasons.empty()) console.print("\n");
  console.print(verdict_line(report.verdict, console));
}

std::string verify_csv(const VerifyReport& report) {
  struct Row {
    std::string check;
    double measured, bound, predicted;
    std::uint64_t violations;
    std::string_view result;
  };
  const double none = std::nan("");
  std::vector<Row> rows;
  for (const CheckLine& check : checks_of(report)) {
    const bool open = Measured{check.error, check.bound}.unbounded();
    rows.push_back({check.csv_name, check.error, check.bound, none, check.violations,
                    check.violations > 0 ? "fail"
                    : open               ? "open"
                                         : "ok"});
  }
  // The rms error of a planted mistake stands beside its prediction: it has no bound to meet.
  for (const ControlReport& control : report.controls)
    rows.push_back({"control:" + std::string(control.control.name), control.rms.value_or(none),
                    none, control.predicted_rms.value_or(none), 0, outcome(control.outcome)});
  return csv_text({file_column("check", cells_of(rows, &Row::check)),
                   file_column("measured", cells_of(rows, &Row::measured)),
                   file_column("bound", cells_of(rows, &Row::bound)),
                   file_column("predicted", cells_of(rows, &Row::predicted)),
                   file_column("violations", cells_of(rows, &Row::violations)),
                   file_column("result", cells_of(rows, &Row::result))});
}

}  // namespace rope::app
