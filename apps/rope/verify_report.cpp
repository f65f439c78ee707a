#include "verify_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/io/csv.hpp"
#include "rotary_options.hpp"
#include "table.hpp"

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
  std::vector<CheckLine> checks = {{"these q, k", "identity", report.identity.worst.error,
                                    report.identity.worst.bound, report.identity.violations}};
  if (c.op_norm_bound > 0)
    checks.push_back({"all q, k", "certificate", c.op_norm, c.op_norm_bound, c.violations});
  checks.push_back({"true angles", "faithfulness", f.error, f.bound, f.violations});
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

std::string scientific(double value) { return fmt::format("{:.3g}", value); }

void print_setting(const VerifyOptions& options, const VerifyReport& report,
                   const Console& console) {
  std::string layouts;
  for (const PairLayout layout : options.layouts)
    layouts += (layouts.empty() ? "" : " and ") + std::string(name(layout));
  const RotaryEmbedding& e = options.embedding;
  const std::string frequencies =
      e.base ? "base " + six_digits(*e.base) : std::to_string(e.pairs()) + " given frequencies";
  console.print("⟨R_m q, R_n k⟩ = qᵀR_{n−m}k ?\n");
  console.print(fmt::format("  embedding  head_dim {}, rotary_dim {}, {}; layout {}\n", e.head_dim,
                            e.rotary_dim(), frequencies, layouts));
  console.print(fmt::format("  policy     {}: {}\n", options.policy.name, options.policy.summary));
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
                              options.seed, -options.max_position, options.max_position));
}

void print_checks(const VerifyReport& report, const Console& console) {
  Table table(
      {{"", Table::Align::left}, {"measured"}, {"allowed"}, {"ratio"}, {"", Table::Align::left}});
  for (const CheckLine& check : checks_of(report)) {
    const double ratio = check.error == 0 ? 0 : check.error / check.bound;
    table.add_row(
        {check.name, scientific(check.error), scientific(check.bound),
         ratio < 1e4 ? fmt::format("{:.3f}", ratio) : scientific(ratio),
         check.violations == 0 ? console.paint(Ink::good, "ok") : console.paint(Ink::bad, "FAIL")});
  }
  console.print("\n" + table.text());
}

/// The two numbers that should be one.
void print_two_sides(const VerifyOptions& options, const VerifyReport& report,
                     const Console& console) {
  const NotableCase& worst = report.identity.worst;
  if (!options.given)
    console.print(fmt::format("\nLargest ratio: case {} (m = {}, n = {}, {}, {})\n", worst.number,
                              worst.m, worst.n, name(worst.form), name(worst.layout)));
  else
    console.print("\n");
  Table table({{"", Table::Align::left}, {""}});
  table.add_row({"⟨R_m q, R_n k⟩", fmt::format("{:.12g}", worst.left)});
  table.add_row({"qᵀR_{n−m}k", fmt::format("{:.12g}", worst.right)});
  table.add_row({"difference", scientific(worst.error)});
  table.add_row({"allowed", scientific(worst.bound)});
  if (options.given && !options.control) {
    const Pipeline pipeline(options.policy, options.embedding);
    RotationRow row;
    pipeline.table_row(worst.m - worst.n, row);
    std::vector<double> rotated(options.given->k.size());
    pipeline.rotate(RotationForm::elementwise, row, options.given->k, rotated);
    table.add_row({"qᵀR_{m−n}k, the wrong sign",
                   fmt::format("{:.12g}", pipeline.dot(options.given->q, rotated))});
  }
  console.print(table.text());
}

void print_certificate(const VerifyOptions& options, const VerifyReport& report,
                       const Console& console) {
  const CertificateReport& c = report.certificate;
  if (c.op_norm_bound == 0) return;
  console.print(fmt::format(
      "\nFor all q, k at the tested positions the table lets the two sides differ by at most\n"
      "  {}·|q||k|, and rotating and summing by at most {}·|q||k| more.\n",
      scientific(c.op_norm), scientific(c.eval_error_coefficient)));
  if (c.has_pair && !options.given)
    console.print(fmt::format(
        "  Attained on pair {} at m = {}, n = {} by q = ({:.6g}, {:.6g}), k = ({:.6g}, {:.6g}).\n",
        c.pair, c.m, c.n, c.vectors.q[0], c.vectors.q[1], c.vectors.k[0], c.vectors.k[1]));
  if (report.requirement_met)
    console.print(fmt::format("  Required: at most {}: {}\n", scientific(*options.require),
                              *report.requirement_met ? console.paint(Ink::good, "met")
                                                      : console.paint(Ink::bad, "not met")));
}

void print_controls(const VerifyReport& report, const Console& console) {
  if (report.controls.empty()) return;
  const auto count = [&](ControlReport::Outcome wanted) {
    return std::ranges::count(report.controls, wanted, &ControlReport::outcome);
  };
  console.print(fmt::format("\n{} planted mistakes, {} rejected\n", report.controls.size(),
                            count(ControlReport::Outcome::rejected)));
  Table table({{"", Table::Align::left},
               {"", Table::Align::left},
               {"defect"},
               {"rms"},
               {"predicted"},
               {"seen by", Table::Align::left}});
  for (const ControlReport& control : report.controls) {
    const bool bad = control.outcome == ControlReport::Outcome::not_rejected;
    const auto number = [](std::optional<double> value) {
      return value ? fmt::format("{:.3g}", *value) : std::string("-");
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
  print_controls(report, console);
  for (const std::string& reason : report.reasons) console.print("\n- " + reason);
  if (!report.reasons.empty()) console.print("\n");
  const auto verdict = [&]() -> std::string {
    switch (report.verdict) {
      case Verdict::pass:
        return console.paint(Ink::good, "PASS");
      case Verdict::fail:
        return console.paint(Ink::bad, "FAIL");
      case Verdict::inconclusive:
        return console.paint(Ink::strong, "INCONCLUSIVE");
      case Verdict::self_test_failed:
        break;
    }
    return console.paint(Ink::bad, "SELF-TEST FAILED");
  };
  console.print("\n" + verdict() + "\n");
}

std::string verify_csv(const VerifyReport& report) {
  std::vector<std::string> names, results;
  std::vector<double> errors, bounds;
  std::vector<std::int64_t> violations;
  for (const CheckLine& check : checks_of(report)) {
    names.push_back(check.csv_name);
    errors.push_back(check.error);
    bounds.push_back(check.bound);
    violations.push_back(static_cast<std::int64_t>(check.violations));
    results.emplace_back(check.violations == 0 ? "ok" : "fail");
  }
  for (const ControlReport& control : report.controls) {
    names.push_back("control:" + std::string(control.control.name));
    errors.push_back(control.rms.value_or(std::nan("")));
    bounds.push_back(control.predicted_rms.value_or(std::nan("")));
    violations.push_back(0);
    results.emplace_back(outcome(control.outcome));
  }
  return io::to_csv({{"check", names},
                     {"measured", errors},
                     {"bound", bounds},
                     {"violations", violations},
                     {"result", results}});
}

}  // namespace rope::app
