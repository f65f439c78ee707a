#include "rope/documents/verification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#if __has_include(<gnu/libc-version.h>)
#include <gnu/libc-version.h>
#endif

#include <algorithm>
#include <cmath>

#include "rope/documents/columns.hpp"
#include "rope/documents/embedding.hpp"
#include "rope/documents/junit.hpp"
#include "rope/documents/policy.hpp"
#include "rope/verify/checks.hpp"
#include "rope/verify/formula.hpp"

namespace rope {
namespace {

using io::JsonValue;

std::string hex(double value) { return fmt::format("{:a}", value); }

/// Whose cos, sin and pow were called.
std::string math_library() {
#ifdef __GLIBC__
  return std::string("glibc ") + gnu_get_libc_version();
#elif defined(__EMSCRIPTEN__)
  return "musl";
#else
  return "unknown";
#endif
}

/// Which compiler, which version. Clang's own text names it, GCC's is a bare number.
constexpr std::string_view kCompiler =
#ifdef __clang__
    __VERSION__;
#else
    "GCC " __VERSION__;
#endif

JsonValue positions_json(const VerifyOptions& options) {
  if (options.given)
    return {{"min", std::min(options.given->m, options.given->n)},
            {"max", std::max(options.given->m, options.given->n)},
            {"includes", std::vector<JsonValue>()}};
  return {{"min", -options.max_position},
          {"max", options.max_position},
          {"includes", std::vector<JsonValue>{"m=n", "m<0", "2^k+1", "extremes"}}};
}

JsonValue case_json(const NotableCase& one) {
  return {{"case", one.number},
          {"m", one.m},
          {"n", one.n},
          {"form", name(one.form)},
          {"layout", name(one.layout)},
          {"lhs", hex(one.left)},
          {"rhs", hex(one.right)},
          {"lhs_value", one.left},
          {"rhs_value", one.right},
          {"error", one.error},
          {"bound", one.bound}};
}

/// The first case whose scores are no finite numbers, and the stage that made them so.
JsonValue not_finite_json(const VerifyReport& report) {
  if (!report.first_not_finite) return {};
  JsonValue json = case_json(*report.first_not_finite);
  json.add("stage", report.not_finite_stage ? std::optional(name(report.not_finite_stage->stage))
                                            : std::nullopt);
  return json;
}

JsonValue identity_json(const VerifyReport& report) {
  const IdentityReport& identity = report.identity;
  const auto form_json = [](const FormReport& form) -> JsonValue {
    return {{"form", name(form.form)},
            {"layout", name(form.layout)},
            {"cases", form.cases},
            {"max_ratio_to_bound", form.max_ratio}};
  };
  return {{"max_abs_error", identity.max_abs_error},
          {"max_relative_error", identity.max_relative_error},
          {"max_ratio_to_bound", identity.max_ratio},
          {"median_ratio", identity.median_ratio},
          {"max_ratio_to_a_priori_bound", identity.max_ratio_a_priori},
          {"median_ratio_to_a_priori_bound", identity.median_ratio_a_priori},
          {"bound", "running"},
          {"violations", identity.violations},
          {"worst", report.not_finite < report.trials ? case_json(identity.worst) : JsonValue()},
          {"forms", io::json_list(report.forms, form_json)}};
}

JsonValue certificate_json(const CertificateReport& c) {
  if (!c.measured) return {};
  JsonValue json = {{"scope", "all q,k at the tested (m,n)"},
                    {"op_norm", c.op_norm},
                    {"op_norm_bound", c.op_norm_bound},
                    {"max_ratio_to_bound", c.max_ratio},
                    {"median_ratio", c.median_ratio},
                    {"eval_error_coefficient", c.eval_error_coefficient},
                    {"violations", c.violations},
                    {"pair", c.pair},
                    {"m", c.m},
                    {"n", c.n}};
  if (c.has_pair) {
    json.add({{"q", std::vector{hex(c.vectors.q[0]), hex(c.vectors.q[1])}},
              {"k", std::vector{hex(c.vectors.k[0]), hex(c.vectors.k[1])}},
              {"attained_ratio_exact", c.attained_ratio_exact},
              {"attained_ratio", c.attained_ratio}});
  }
  return json;
}

std::string_view observed(ControlReport::Outcome outcome) {
  switch (outcome) {
    case ControlReport::Outcome::rejected:
      return "fail";
    case ControlReport::Outcome::not_applicable:
      return "not_applicable";
    case ControlReport::Outcome::undetectable:
      return "undetectable";
    case ControlReport::Outcome::not_rejected:
      break;
  }
  return "pass";
}

JsonValue control_json(const ControlReport& control) {
  return {{"name", control.control.name},
          {"mistake", control.control.mistake},
          {"expected", "fail"},
          {"observed", observed(control.outcome)},
          {"identity_held", control.identity_held},
          {"faithful", control.faithful},
          {"rms", control.rms},
          {"predicted_rms", control.predicted_rms},
          {"op_defect", control.op_defect},
          {"margin", control.margin},
          {"max_table_error", control.table_error}};
}

JsonValue hypotheses_json(const VerifyOptions& options, const VerifyReport& report) {
  const bool libm = options.policy.angle_rule != AngleRule::exact;
  return {{"rounding", report.round_to_nearest ? "nearest-even" : "other"},
          {"fma", "either"},
          {"libm_ulp", options.hypotheses.libm_ulp},
          {"libm_ulp_observed", libm ? std::optional(report.libm_ulp_observed) : std::nullopt},
          {"pow_ulp", options.hypotheses.pow_ulp},
          {"pow_ulp_observed", libm ? std::optional(report.pow_ulp_observed) : std::nullopt}};
}

JsonValue faithfulness_json(const VerifyReport& report) {
  const Faithfulness& f = report.faithfulness;
  JsonValue first, frequency;
  if (const auto& entry = report.first_unfaithful)
    first = JsonValue{{"position", entry->position},
                      {"pair", entry->pair},
                      {"error", entry->error},
                      {"bound", entry->bound}};
  if (const auto& fault = report.frequency_fault)
    frequency = JsonValue{{"pair", fault->pair},
                          {"used", fault->used},
                          {"expected", fault->expected},
                          {"granted", fault->granted}};
  return {{"max_table_error", f.max_table_error},
          {"max_ratio_to_bound", f.max_ratio},
          {"error", f.error},
          {"bound", f.bound},
          {"violations", f.violations},
          {"entries", f.entries},
          {"pair", f.pair},
          {"position", f.position},
          {"first", first},
          {"frequency", frequency}};
}

/// The identity with positions on several axes.
JsonValue several_axes_json(const VerifyOptions& options, const VerifyReport& report) {
  const AxesReport& axes = *report.axes;
  const Axes& known = options.embedding.axes;
  JsonValue shift = JsonValue::object();
  for (std::size_t axis = 0; axis < axes.shift.size(); ++axis)
    shift.add(known.names[axis], JsonValue{{"max_relative_error", axes.shift[axis].error},
                                           {"relative_bound", axes.shift[axis].bound}});
  return {{"names", known.names},
          {"cases", axes.cases},
          {"max_relative_error", axes.identity.error},
          {"relative_bound", axes.identity.bound},
          {"violations", axes.violations},
          {"shift", shift},
          {"shift_violations", axes.shift_violations},
          {"mistakes", io::json_list(axes.mistakes, [](const AxisMistake& one) {
             return JsonValue{{"name", one.name},
                              {"mistake", one.mistake},
                              {"applies", one.applies},
                              {"caught", one.caught}};
           })}};
}

void append_axes(const AxesReport& axes, std::vector<JunitCase>& cases) {
  using Outcome = JunitCase::Outcome;
  const auto add = [&](const char* name, std::uint64_t violations) {
    cases.push_back({name, violations > 0 ? Outcome::failed : Outcome::passed,
                     fmt::format("violations: {}", violations)});
  };
  add("axes:identity", axes.violations);
  add("axes:shift", axes.shift_violations);
  for (const AxisMistake& one : axes.mistakes)
    cases.push_back({"axes:control:" + std::string(one.name),
                     !one.applies ? Outcome::skipped
                     : one.caught ? Outcome::passed
                                  : Outcome::failed,
                     std::string(one.mistake)});
}

}  // namespace

std::string verification_json(const VerifyOptions& options, const VerifyReport& report,
                              const std::vector<std::string>& warnings) {
  JsonValue document = JsonValue{
      {"schema", "rope.verify/2"},
      {"verdict", name(report.verdict)},
      {"reasons", report.reasons},
      {"rotary", rotary_json(options.embedding)},
      {"layouts", io::json_list(options.layouts, [](PairLayout layout) { return name(layout); })},
      {"policy", policy_json(options.policy)},
      {"control", options.control ? std::optional(options.control->name) : std::nullopt},
      {"positions", positions_json(options)},
      {"trials", report.trials},
      {"seed", options.seed},
      {"hypotheses", hypotheses_json(options, report)},
      {"identity", identity_json(report)},
      {"certificate", certificate_json(report.certificate)},
      {"faithfulness", faithfulness_json(report)},
      {"exact",
       {{"error", report.exact.error},
        {"bound", report.exact.bound},
        {"violations", report.exact_violations}}},
      {"probabilistic",
       {{"rigorous", false},
        {"lambda", ProbabilisticReport::kLambda},
        {"fail_prob",
         2 * std::exp(-ProbabilisticReport::kLambda * ProbabilisticReport::kLambda / 2)},
        {"max_ratio_to_bound", report.probabilistic.max_ratio},
        {"exceeded", report.probabilistic.exceeded}}},
      {"not_finite_cases", report.not_finite},
      {"first_not_finite", not_finite_json(report)},
      {"orthogonality",
       {{"max_abs_modulus_minus_1", report.orthogonality.error},
        {"bound", report.orthogonality.bound},
        {"violations", report.orthogonality_violations}}},
      {"shift",
       {{"max_abs_error", report.shift.error},
        {"bound", report.shift.bound},
        {"violations", report.shift_violations}}},
      {"vacuous", report.vacuous > 0},
      {"tells_sign", tells_sign(options, report)},
      {"vacuous_cases", report.vacuous},
      {"unbounded_cases", report.unbounded},
      {"requirement", report.requirement_met ? JsonValue{{"tolerance", *options.require},
                                                         {"met", *report.requirement_met}}
                                             : JsonValue()},
      {"controls", io::json_list(report.controls, control_json)},
      {"warnings", warnings},
      {"build", {{"compiler", kCompiler}, {"libm", math_library()}}}};
  if (report.axes) document.add("axes", several_axes_json(options, report));
  return document.document();
}

std::string verification_csv(const VerifyReport& report) {
  struct Row {
    std::string check;
    double measured, bound, predicted;
    std::uint64_t violations;
    std::string_view result;
  };
  const double none = std::nan("");
  std::vector<Row> rows;
  for (const CheckLine& check : checks_of(report)) {
    rows.push_back({check.file_name, check.raw.error, check.raw.bound, none, check.violations,
                    check.violations > 0 ? "fail"
                    : check.open()       ? "open"
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

JunitCase verdict_case(std::string name, Verdict verdict, std::string message) {
  return {std::move(name),
          verdict == Verdict::pass           ? JunitCase::Outcome::passed
          : verdict == Verdict::inconclusive ? JunitCase::Outcome::skipped
                                             : JunitCase::Outcome::failed,
          std::move(message)};
}

std::string verification_junit(const VerifyReport& report) {
  using Outcome = JunitCase::Outcome;
  std::vector<JunitCase> cases = {
      verdict_case("verdict", report.verdict, fmt::format("{}", fmt::join(report.reasons, "; ")))};
  for (const CheckLine& check : checks_of(report))
    cases.push_back({check.file_name,
                     check.violations > 0 ? Outcome::failed
                     : check.open()       ? Outcome::skipped
                                          : Outcome::passed,
                     fmt::format("violations: {}; {:.3g} where {:.3g} is allowed", check.violations,
                                 check.raw.error, check.raw.bound)});
  for (const ControlReport& control : report.controls)
    cases.push_back({"control:" + std::string(control.control.name),
                     control.outcome == ControlReport::Outcome::not_rejected ? Outcome::failed
                     : control.outcome == ControlReport::Outcome::rejected   ? Outcome::passed
                                                                             : Outcome::skipped,
                     std::string(outcome(control.outcome))});
  if (report.axes) append_axes(*report.axes, cases);
  return junit_xml("rope verify", cases);
}

}  // namespace rope
