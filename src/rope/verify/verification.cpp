#include "rope/verify/verification.hpp"

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "rope/parallel/parallel.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/verify/case_tally.hpp"
#include "rope/verify/verdict.hpp"

namespace rope {
namespace {

constexpr std::size_t kFaithfulnessEntries = 4096;  // compared with MPFR in one run
constexpr std::size_t kLibmAngles = 1024;           // at which libm is measured
constexpr std::uint64_t kDenseDefects = 16;         // operator norms of mixed-layout schemes

/// Positions repeat their kinds every 8 cases and vectors every 24 (random_case.hpp): forms and
/// layouts change at another pace, so that each meets every kind.
constexpr std::uint64_t kVariety = 24;

/// The forms in which a policy rotates vectors of that size. Emulated pipelines have one.
std::span<const RotationForm> forms_of(const Policy& policy, std::size_t head_dim) {
  static constexpr std::array kForms = {RotationForm::elementwise, RotationForm::complex,
                                        RotationForm::matrix};
  if (policy.angle_rule != AngleRule::exact) return std::span(kForms).first(1);
  return std::span(kForms).first(head_dim > kLargestDenseDim ? 2 : 3);
}

/// A dense R_m costs d² where the other forms cost d: it takes its turn in fewer rounds the larger
/// d is, so that it never dominates a run.
RotationForm form_of(std::uint64_t number, std::size_t head_dim, const Policy& policy) {
  const std::span<const RotationForm> forms = forms_of(policy, head_dim);
  const RotationForm form = number % 3 < forms.size() ? forms[number % 3] : forms.front();
  if (form != RotationForm::matrix) return form;
  const std::uint64_t ratio = head_dim / 64;
  const std::uint64_t stride = std::max<std::uint64_t>(1, ratio * ratio);
  return number / kVariety % stride == 0 ? form : RotationForm::elementwise;
}

std::size_t layout_of(std::uint64_t number, std::size_t layouts) {
  return (number / 3 + number / kVariety) % layouts;
}

class Run {
 public:
  explicit Run(const VerifyOptions& options) : options_(options) {
    for (const PairLayout layout : options.layouts)
      judged_.push_back(std::make_unique<Judged>(options, layout));
  }

  VerifyReport report() {
    run_cases();
    finish_certificate();
    check_faithfulness();
    trace_unfaithfulness();
    observe_libm();
    tally_.finish_medians();
    if (!options_.control)
      report_.controls = run_controls(judged_.front()->claimed.embedding(), options_.policy,
                                      options_.hypotheses, options_.seed);
    if (options_.embedding.axes.several() && !options_.control && !options_.given)
      check_several_axes();
    decide(options_, report_);
    return std::move(report_);
  }

 private:
  void run_cases() {
    VerifyCase given;
    if (options_.given) {
      given = *options_.given;
      for (std::size_t layout = 0; layout < judged_.size(); ++layout)
        for (const RotationForm form : forms_of(options_.policy, options_.embedding.head_dim))
          add(given, form, layout);
      return;
    }
    const CaseMaker maker = case_maker(options_);
    const std::uint64_t begin = options_.only_case.value_or(0);
    const std::uint64_t end = options_.only_case ? begin + 1 : options_.trials;
    // So many at once that starting threads does not count, and progress is seen.
    const std::size_t d = options_.embedding.head_dim;
    const std::uint64_t most = std::clamp<std::uint64_t>((std::uint64_t{1} << 19) / d, 16, 4096);
    std::vector<Trial> trials;
    for (std::uint64_t first = begin; first < end; first += trials.size()) {
      trials.resize(static_cast<std::size_t>(std::min<std::uint64_t>(most, end - first)));
      judge(maker, first, first - begin, trials);
      for (const Trial& trial : trials) {
        take(trial);
        if (options_.progress) options_.progress(trial.given.number + 1 - begin);
      }
    }
  }

  /// Judges the cases from number `first` on, `before` of which went before; on several threads,
  /// none of which knows of another.
  void judge(const CaseMaker& maker, std::uint64_t first, std::uint64_t before,
             std::span<Trial> trials) const {
    constexpr std::size_t kNumbersWorthAThread = std::size_t{1} << 14;
    const std::size_t d = options_.embedding.head_dim;
    in_parallel(trials.size(), kNumbersWorthAThread / d, [&](std::size_t begin, std::size_t end) {
      std::vector<std::unique_ptr<CaseCheck>> checks;  // each has memory that it works in
      for (const auto& judged : judged_)
        checks.push_back(
            std::make_unique<CaseCheck>(judged->scheme, judged->claimed, options_.hypotheses));
      VerifyCase given;
      for (std::size_t i = begin; i < end; ++i) {
        maker.make(first + i, given);
        Trial& trial = trials[i];
        trial.given.number = given.number;
        trial.given.m = given.m;
        trial.given.n = given.n;
        trial.given.shift = given.shift;
        trial.form = form_of(given.number, d, options_.policy);
        trial.turn = layout_of(given.number, judged_.size());
        trial.result =
            checks[trial.turn]->check(given, trial.form, with_defect(trial.turn, before + i));
      }
    });
  }

  bool with_defect(std::size_t turn, std::uint64_t before) const {
    return judged_[turn]->scheme.blockwise() || before < kDenseDefects;
  }

  void add(const VerifyCase& given, RotationForm form, std::size_t turn) {
    take({given, form, turn,
          judged_[turn]->check.check(given, form, with_defect(turn, report_.trials))});
  }

  void take(const Trial& trial) {
    if (positions_.size() < kFaithfulnessEntries) {
      positions_.push_back(trial.given.m);
      positions_.push_back(trial.given.n);
    }
    tally_.take(trial);
  }

  /// Writes down q and k that attain the largest defect, and lets the policy evaluate them.
  void finish_certificate() {
    if (!tally_.worst_defect()) return;
    CertificateReport& certificate = report_.certificate;
    const Judged& judged = *judged_[*tally_.worst_defect()];
    const ErrorBounds& bounds = judged.check.bounds();
    certificate.eval_error_coefficient = bounds.rotated_score() + bounds.relative_score();
    if (!judged.scheme.blockwise() || certificate.op_norm == 0) return;
    SchemeRows rows;
    scheme_rows(judged.scheme, certificate.m, certificate.n, rows);
    certificate.vectors = worst_pair(rows, certificate.pair);
    for (auto* x : {&certificate.vectors.q, &certificate.vectors.k})
      for (double& value : *x) value = round_to(options_.policy.input(), value);
    certificate.has_pair = true;
    VerifyCase worst;
    worst.m = certificate.m;
    worst.n = certificate.n;
    const RotaryEmbedding& embedding = judged.claimed.embedding();
    const auto [first, second] = embedding.dimensions(certificate.pair);
    worst.q.assign(embedding.head_dim, 0);
    worst.k.assign(embedding.head_dim, 0);
    worst.q[first] = certificate.vectors.q[0];
    worst.q[second] = certificate.vectors.q[1];
    worst.k[first] = certificate.vectors.k[0];
    worst.k[second] = certificate.vectors.k[1];
    CaseCheck check(judged.scheme, judged.claimed, options_.hypotheses);
    const CaseResult result = check.check(worst, RotationForm::elementwise);
    const double full = certificate.op_norm * result.norms;
    certificate.attained_ratio = result.identity.error / full;
    certificate.attained_ratio_exact =
        defect_of(rows, certificate.pair, certificate.vectors) / full;
    // The worst pair is a case like any other, and must meet its bounds too.
    if (result.violated() && !options_.control) ++report_.certificate.violations;
  }

  void check_faithfulness() {
    const std::size_t rows =
        std::max<std::size_t>(8, kFaithfulnessEntries / options_.embedding.pairs());
    std::vector<std::int64_t> positions = {1, options_.max_position, -options_.max_position};
    if (options_.given) positions = {1, options_.given->m, options_.given->n};
    for (const std::int64_t position : positions_) {
      if (positions.size() >= rows) break;
      if (std::ranges::find(positions, position) == positions.end()) positions.push_back(position);
    }
    const Judged& judged = *judged_.front();
    report_.faithfulness = FaithfulnessCheck(judged.claimed.embedding(), positions)
                               .check(judged.scheme, judged.check.bounds());
    positions_ = std::move(positions);
  }

  /// Where the frequencies of the judged scheme are not those that were asked for, and the first
  /// position at which that shows.
  void trace_unfaithfulness() {
    if (report_.faithfulness.violations == 0) return;
    const Judged& judged = *judged_.front();
    const Pipeline& used = judged.scheme.query.pipeline();
    const Frequencies& expected = judged.claimed.embedding().frequencies;
    double worst = 1;
    for (std::size_t k = 0; k < std::min<std::size_t>(used.theta().size(), expected.pairs()); ++k) {
      const double granted = judged.check.bounds().granted_frequency_error(k);
      const double off = std::abs(used.theta()[k] - expected.theta[k]);
      if (!(off > worst * granted + 0x1p-53 * expected.theta[k])) continue;
      worst = off / granted;
      report_.frequency_fault = {k, used.theta()[k], expected.theta[k], granted};
      if (granted == 0) break;
    }
    report_.first_unfaithful =
        first_unfaithful(judged.scheme, judged.claimed.embedding(), judged.check.bounds());
  }

  /// What the cases above leave out, where a position is the same on every axis.
  void check_several_axes() {
    const std::uint64_t cases = options_.only_case ? 1 : options_.trials;
    report_.axes = check_axes(judged_.front()->claimed.embedding(), options_.policy, cases,
                              options_.seed, options_.max_position, options_.hypotheses);
  }

  void observe_libm() {
    const Policy& policy = options_.policy;
    report_.round_to_nearest = std::fegetround() == FE_TONEAREST;
    if (policy.angle_rule == AngleRule::exact) return;
    const Pipeline& claimed = judged_.front()->claimed;
    std::vector<double> angles;
    for (const std::int64_t position : positions_)
      for (std::size_t k = 0; k < claimed.theta().size() && angles.size() < kLibmAngles; ++k)
        if (std::isfinite(claimed.position(position))) angles.push_back(claimed.angle(position, k));
    const bool single = policy.trig() == Format::float32;
    report_.libm_ulp_observed = observed_libm_ulp(angles, single);
    if (const std::optional<double> base = options_.embedding.geometric_base())
      report_.pow_ulp_observed =
          observed_pow_ulp(*base, options_.embedding.rotary_dim(), policy.pow() == Format::float32);
  }

  const VerifyOptions& options_;
  std::vector<std::unique_ptr<Judged>> judged_;
  VerifyReport report_;
  CaseTally tally_{options_, judged_, report_};
  std::vector<std::int64_t> positions_;  // for the comparison with the true table
};

}  // namespace

VerifyReport verify(const VerifyOptions& options) {
  check_options(options);
  if (options.given) check_given(*options.given, options);
  return Run(options).report();
}

}  // namespace rope
