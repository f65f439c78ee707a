#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "named/policy_option.hpp"
#include "rope/io/json.hpp"
#include "shown/rotary_json.hpp"
#include "verify/report.hpp"

namespace rope::app {
namespace {

using io::Json;

std::string hex(double value) { return fmt::format("{:a}", value); }

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json positions_json(const VerifyOptions& options) {
  if (options.given)
    return {{"min", std::min(options.given->m, options.given->n)},
            {"max", std::max(options.given->m, options.given->n)},
            {"includes", Json::array()}};
  return {{"min", -options.max_position},
          {"max", options.max_position},
          {"includes", {"m=n", "m<0", "2^k+1", "extremes"}}};
}

Json case_json(const NotableCase& one) {
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
Json not_finite_json(const VerifyReport& report) {
  if (!report.first_not_finite) return {};
  Json json = case_json(*report.first_not_finite);
  json["stage"] = report.not_finite_stage ? Json(name(report.not_finite_stage->stage)) : Json();
  return json;
}

Json identity_json(const VerifyReport& report) {
  const IdentityReport& identity = report.identity;
  Json forms = Json::array();
  for (const FormReport& form : report.forms)
    forms.push_back({{"form", name(form.form)},
                     {"layout", name(form.layout)},
                     {"cases", form.cases},
                     {"max_ratio_to_bound", form.max_ratio}});
  return {{"max_abs_error", identity.max_abs_error},
          {"max_relative_error", identity.max_relative_error},
          {"max_ratio_to_bound", identity.max_ratio},
          {"median_ratio", identity.median_ratio},
          {"max_ratio_to_a_priori_bound", identity.max_ratio_a_priori},
          {"median_ratio_to_a_priori_bound", identity.median_ratio_a_priori},
          {"bound", "running"},
          {"violations", identity.violations},
          {"worst", report.not_finite < report.trials ? case_json(identity.worst) : Json()},
          {"forms", forms}};
}

Json certificate_json(const CertificateReport& c) {
  if (!c.measured) return {};
  Json json = {{"scope", "all q,k at the tested (m,n)"},
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
    json["q"] = {hex(c.vectors.q[0]), hex(c.vectors.q[1])};
    json["k"] = {hex(c.vectors.k[0]), hex(c.vectors.k[1])};
    json["attained_ratio_exact"] = c.attained_ratio_exact;
    json["attained_ratio"] = c.attained_ratio;
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

Json controls_json(const VerifyReport& report) {
  Json controls = Json::array();
  for (const ControlReport& control : report.controls)
    controls.push_back({{"name", control.control.name},
                        {"mistake", control.control.mistake},
                        {"expected", "fail"},
                        {"observed", observed(control.outcome)},
                        {"identity_held", control.identity_held},
                        {"faithful", control.faithful},
                        {"rms", optional(control.rms)},
                        {"predicted_rms", optional(control.predicted_rms)},
                        {"op_defect", optional(control.op_defect)},
                        {"margin", control.margin},
                        {"max_table_error", control.table_error}});
  return controls;
}

Json hypotheses_json(const VerifyOptions& options, const VerifyReport& report) {
  const bool libm = options.policy.angle_rule != AngleRule::exact;
  return {{"rounding", report.round_to_nearest ? "nearest-even" : "other"},
          {"fma", "either"},
          {"libm_ulp", options.hypotheses.libm_ulp},
          {"libm_ulp_observed", libm ? Json(report.libm_ulp_observed) : Json()},
          {"pow_ulp", options.hypotheses.pow_ulp},
          {"pow_ulp_observed", libm ? Json(report.pow_ulp_observed) : Json()}};
}

Json faithfulness_json(const VerifyReport& report) {
  const Faithfulness& f = report.faithfulness;
  Json first, frequency;
  if (const auto& entry = report.first_unfaithful)
    first = {{"position", entry->position},
             {"pair", entry->pair},
             {"error", entry->error},
             {"bound", entry->bound}};
  if (const auto& fault = report.frequency_fault)
    frequency = {{"pair", fault->pair},
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

}  // namespace

std::string verify_json(const VerifyOptions& options, const VerifyReport& report,
                        const std::vector<std::string>& warnings) {
  Json layouts = Json::array();
  for (const PairLayout layout : options.layouts) layouts.push_back(name(layout));
  Json json = {
      {"schema", "rope.verify/1"},
      {"verdict", name(report.verdict)},
      {"reasons", report.reasons},
      {"rotary", rotary_json(options.embedding)},
      {"layouts", layouts},
      {"policy", policy_json(options.policy)},
      {"control", options.control ? Json(options.control->name) : Json()},
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
      {"vacuous_cases", report.vacuous},
      {"unbounded_cases", report.unbounded},
      {"requirement", report.requirement_met
                          ? Json{{"tolerance", *options.require}, {"met", *report.requirement_met}}
                          : Json()},
      {"controls", controls_json(report)},
      {"warnings", warnings},
      {"build",
       {{"compiler", __VERSION__}, {"libm", std::string("glibc ") + gnu_get_libc_version()}}}};
  return io::to_json_text(json);
}

}  // namespace rope::app
