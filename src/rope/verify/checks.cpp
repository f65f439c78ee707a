#include "rope/verify/checks.hpp"

namespace rope {

std::vector<CheckLine> checks_of(const VerifyReport& report) {
  const CertificateReport& c = report.certificate;
  const Faithfulness& f = report.faithfulness;
  const NotableCase& worst = report.identity.worst;
  const Measured certified{c.op_norm, c.op_norm_bound}, faithful{f.error, f.bound};
  const bool vacuous = report.vacuous > 0;  // where rounding may turn a pair by any angle
  std::vector<CheckLine> checks;
  const bool any_finite = report.not_finite < report.trials;
  if (any_finite)
    checks.push_back({report.given.empty() ? "random q, k" : "your q, k",
                      "identity",
                      {worst.error, worst.bound},
                      worst.relative(),
                      report.identity.violations,
                      vacuous});
  if (c.measured)
    checks.push_back({"every q, k: cos and sin only", "certificate", certified, certified,
                      c.violations, vacuous});
  if (any_finite)
    checks.push_back({"against exact scores", "exact", report.exact, report.exact.relative(),
                      report.exact_violations, vacuous});
  checks.push_back({"cos and sin against true angles", "faithfulness", faithful, faithful,
                    f.violations, vacuous});
  if (!any_finite) return checks;
  checks.push_back({"length of a rotated vector", "orthogonality", report.orthogonality,
                    report.orthogonality, report.orthogonality_violations});
  checks.push_back({"same score after shifting m, n", "shift", report.shift,
                    report.shift.relative(), report.shift_violations, vacuous});
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

}  // namespace rope
