#include "rope/verify/case_tally.hpp"

#include <algorithm>

#include "rope/precision/largest.hpp"
#include "rope/rotary/measured.hpp"

namespace rope {
namespace {

bool count(const Measured& measured, Measured& worst, std::uint64_t& violations) {
  if (measured.violated()) ++violations;
  if (worst.worse_than(measured)) return false;
  worst = measured;
  return true;
}

void count(const Measured& measured, double norms, MeasuredScore& worst,
           std::uint64_t& violations) {
  Measured& score = worst;
  if (count(measured, score, violations)) worst.norms = norms;
}

/// Both numbers divided by ‖q‖‖k‖, unless that is 0.
Measured relative_to(double norms, const Measured& measured) {
  return norms > 0 ? Measured{measured.error / norms, measured.bound / norms} : measured;
}

}  // namespace

Measured NotableCase::relative() const { return relative_to(norms, {error, bound}); }

Measured MeasuredScore::relative() const { return relative_to(norms, *this); }

CaseMaker case_maker(const VerifyOptions& options) {
  return {options.seed, options.embedding.head_dim, options.max_position, options.policy.input()};
}

VerifyCase CaseTally::with_vectors(const Trial& trial) const {
  VerifyCase given = trial.given;
  if (given.q.empty()) case_maker(options_).make(given.number, given);
  return given;
}

void CaseTally::take(const Trial& trial) {
  const CaseResult& result = trial.result;
  ++report_.trials;
  if (!result.finite) {
    if (report_.not_finite++ == 0) trace_not_finite(trial);
    return;
  }
  if (options_.given && trial.form == RotationForm::elementwise)
    report_.given.push_back(notable(trial));
  ratios_.push_back(static_cast<float>(result.identity.ratio()));
  report_.vacuous += result.vacuous ? 1 : 0;
  report_.unbounded += result.bounded ? 0 : 1;
  add_identity(trial);
  if (result.defect) add_defect(trial);
  add_form(trial);
  count(result.exact, result.norms, report_.exact, report_.exact_violations);
  count(result.modulus, report_.orthogonality, report_.orthogonality_violations);
  count(result.shift, result.norms, report_.shift, report_.shift_violations);
}

/// The stage that made the scores of a case no numbers, or those of the case when it is shifted.
void CaseTally::trace_not_finite(const Trial& trial) {
  const VerifyCase given = with_vectors(trial);
  report_.first_not_finite = notable(trial);
  const Pipeline& pipeline = judged_[trial.turn]->claimed;
  for (const std::int64_t shift : {std::int64_t{0}, given.shift})
    if (!report_.not_finite_stage)
      report_.not_finite_stage =
          first_not_finite(pipeline, given.m + shift, given.n + shift, given.q, given.k);
}

NotableCase CaseTally::notable(const Trial& trial) const {
  const CaseResult& result = trial.result;
  return {trial.given.number,
          trial.given.m,
          trial.given.n,
          options_.layouts[trial.turn],
          trial.form,
          result.left,
          result.right,
          result.identity.error,
          result.identity.bound,
          result.norms};
}

void CaseTally::add_identity(const Trial& trial) {
  const CaseResult& result = trial.result;
  IdentityReport& identity = report_.identity;
  if (exceeds(result.identity.error, identity.max_abs_error))
    identity.max_abs_error = result.identity.error;
  const double relative = result.identity.error == 0 ? 0 : result.identity.error / result.norms;
  if (exceeds(relative, identity.max_relative_error)) {
    identity.max_relative_error = relative;
    identity.relative_bound = result.identity.bound / result.norms;
  }
  const Measured a_priori{result.identity.error, result.a_priori_bound};
  a_priori_ratios_.push_back(static_cast<float>(a_priori.ratio()));
  if (exceeds(a_priori.ratio(), identity.max_ratio_a_priori))
    identity.max_ratio_a_priori = a_priori.ratio();
  if (result.identity_violated()) ++identity.violations;
  add_probable(trial);
  const Measured worst{identity.worst.error, identity.worst.bound};
  if (worst.worse_than(result.identity)) return;
  identity.max_ratio = result.identity.ratio();
  identity.worst = notable(trial);
}

void CaseTally::add_probable(const Trial& trial) {
  const CaseResult& result = trial.result;
  ProbabilisticReport& probabilistic = report_.probabilistic;
  const auto probable_with = [&](double deviation) {
    return Measured{result.identity.error, ProbabilisticReport::kLambda * deviation};
  };
  // The bound is the sum of what the deviation is the root of the sum of the squares of.
  const Measured most = probable_with(result.least_deviation);
  const bool surely = probable_with(result.identity.bound).violated();
  if (result.bounded && most.violated() == surely && most.ratio() <= probabilistic.max_ratio) {
    if (surely) ++probabilistic.exceeded;
    return;
  }
  const Measured probable =
      probable_with(judged_[trial.turn]->check.deviation(with_vectors(trial), trial.form));
  if (probable.violated()) ++probabilistic.exceeded;
  if (exceeds(probable.ratio(), probabilistic.max_ratio))
    probabilistic.max_ratio = probable.ratio();
}

void CaseTally::add_defect(const Trial& trial) {
  const CaseResult& result = trial.result;
  CertificateReport& certificate = report_.certificate;
  const Measured defect{result.defect->norm, result.defect_bound};
  if (Measured{defect.error, defect.bound + result.defect_error}.violated())
    ++certificate.violations;
  if (!result.vacuous) {
    certificate_ratios_.push_back(static_cast<float>(defect.ratio()));
    if (exceeds(defect.ratio(), certificate.max_ratio)) certificate.max_ratio = defect.ratio();
  }
  if (worst_defect_ && defect.error <= certificate.op_norm) return;
  worst_defect_ = trial.turn;
  certificate.measured = true;
  certificate.op_norm = defect.error;
  certificate.op_norm_bound = defect.bound;
  certificate.pair = result.defect->pair;
  certificate.m = trial.given.m;
  certificate.n = trial.given.n;
}

void CaseTally::add_form(const Trial& trial) {
  const PairLayout layout = options_.layouts[trial.turn];
  auto entry = std::ranges::find_if(report_.forms, [&](const FormReport& f) {
    return f.form == trial.form && f.layout == layout;
  });
  if (entry == report_.forms.end()) {
    report_.forms.push_back({trial.form, layout, 0, 0});
    entry = report_.forms.end() - 1;
  }
  ++entry->cases;
  entry->max_ratio = larger(entry->max_ratio, trial.result.identity.ratio());
}

void CaseTally::finish_medians() {
  report_.identity.median_ratio = median_of(ratios_);
  report_.identity.median_ratio_a_priori = median_of(a_priori_ratios_);
  report_.certificate.median_ratio = median_of(certificate_ratios_);
}

}  // namespace rope
