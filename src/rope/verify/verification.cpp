#include "rope/verify/verification.hpp"

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "rope/error.hpp"
#include "rope/parallel/parallel.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/length.hpp"
#include "rope/precision/measured.hpp"
#include "rope/precision/rounding.hpp"
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

/// One layout of the embedding: the claimed pipeline and the scheme that is judged.
struct Judged {
  Judged(const VerifyOptions& options, PairLayout layout)
      : claimed(options.policy, with_layout(options.embedding, layout), options.cpu_level),
        scheme(options.policy,
               options.control ? options.control->plant(claimed.embedding())
                               : right_scheme(claimed.embedding()),
               options.cpu_level),
        check(scheme, claimed, options.hypotheses) {}
  Judged(const Judged&) = delete;
  Judged& operator=(const Judged&) = delete;

  static RotaryEmbedding with_layout(RotaryEmbedding embedding, PairLayout layout) {
    embedding.layout = layout;
    return embedding;
  }

  Pipeline claimed;
  Scheme scheme;
  CaseCheck check;
};

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
    finish_medians();
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
    const CaseMaker maker = case_maker();
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

  CaseMaker case_maker() const {
    return {options_.seed, options_.embedding.head_dim, options_.max_position,
            options_.policy.input()};
  }

  /// A case that was judged. Those of a run keep no vectors: the number of a case tells them.
  struct Trial {
    VerifyCase given;
    RotationForm form = RotationForm::elementwise;
    std::size_t turn = 0;  // of the layouts
    CaseResult result;
  };

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
    const auto& [given, form, turn, result] = trial;
    const Judged& judged = *judged_[turn];
    ++report_.trials;
    if (positions_.size() < kFaithfulnessEntries) {
      positions_.push_back(given.m);
      positions_.push_back(given.n);
    }
    if (!result.finite) {
      if (report_.not_finite++ == 0) trace_not_finite(given, form, turn, result);
      return;
    }
    if (options_.given && form == RotationForm::elementwise)
      report_.given.push_back(notable(given, form, turn, result));
    ratios_.push_back(static_cast<float>(result.identity.ratio()));
    report_.vacuous += result.vacuous ? 1 : 0;
    report_.unbounded += result.bounded ? 0 : 1;
    add_identity(given, form, turn, result);
    if (result.defect) add_defect(given, turn, result);
    add_form(form, judged.claimed.embedding().layout, result);
    count(result.exact, result.norms, report_.exact, report_.exact_violations);
    count(result.modulus, report_.orthogonality, report_.orthogonality_violations);
    count(result.shift, result.norms, report_.shift, report_.shift_violations);
  }

  /// The stage that made the scores of a case no numbers, or those of the case when it is shifted.
  void trace_not_finite(VerifyCase given, RotationForm form, std::size_t turn,
                        const CaseResult& result) {
    if (given.q.empty()) case_maker().make(given.number, given);
    report_.first_not_finite = notable(given, form, turn, result);
    const Pipeline& pipeline = judged_[turn]->claimed;
    for (const std::int64_t shift : {std::int64_t{0}, given.shift})
      if (!report_.not_finite_stage)
        report_.not_finite_stage =
            first_not_finite(pipeline, given.m + shift, given.n + shift, given.q, given.k);
  }

  static bool count(const Measured& measured, Measured& worst, std::uint64_t& violations) {
    if (measured.violated()) ++violations;
    if (worst.worse_than(measured)) return false;
    worst = measured;
    return true;
  }

  static void count(const Measured& measured, double norms, MeasuredScore& worst,
                    std::uint64_t& violations) {
    Measured& score = worst;
    if (count(measured, score, violations)) worst.norms = norms;
  }

  NotableCase notable(const VerifyCase& given, RotationForm form, std::size_t turn,
                      const CaseResult& result) const {
    return {given.number,
            given.m,
            given.n,
            options_.layouts[turn],
            form,
            result.left,
            result.right,
            result.identity.error,
            result.identity.bound,
            result.norms};
  }

  void add_identity(const VerifyCase& given, RotationForm form, std::size_t turn,
                    const CaseResult& result) {
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
    add_probable(given, form, turn, result);
    const Measured worst{identity.worst.error, identity.worst.bound};
    if (worst.worse_than(result.identity)) return;
    identity.max_ratio = result.identity.ratio();
    identity.worst = notable(given, form, turn, result);
  }

  void add_probable(VerifyCase given, RotationForm form, std::size_t turn,
                    const CaseResult& result) {
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
    if (given.q.empty()) case_maker().make(given.number, given);
    const Measured probable = probable_with(judged_[turn]->check.deviation(given, form));
    if (probable.violated()) ++probabilistic.exceeded;
    if (exceeds(probable.ratio(), probabilistic.max_ratio))
      probabilistic.max_ratio = probable.ratio();
  }

  void add_defect(const VerifyCase& given, std::size_t turn, const CaseResult& result) {
    CertificateReport& certificate = report_.certificate;
    const Measured defect{result.defect->norm, result.defect_bound};
    if (Measured{defect.error, defect.bound + result.defect_error}.violated())
      ++certificate.violations;
    if (!result.vacuous) {
      certificate_ratios_.push_back(static_cast<float>(defect.ratio()));
      if (exceeds(defect.ratio(), certificate.max_ratio)) certificate.max_ratio = defect.ratio();
    }
    if (certificate_turn_ && defect.error <= certificate.op_norm) return;
    certificate_turn_ = turn;
    certificate.measured = true;
    certificate.op_norm = defect.error;
    certificate.op_norm_bound = defect.bound;
    certificate.pair = result.defect->pair;
    certificate.m = given.m;
    certificate.n = given.n;
  }

  void add_form(RotationForm form, PairLayout layout, const CaseResult& result) {
    auto entry = std::ranges::find_if(
        report_.forms, [&](const FormReport& f) { return f.form == form && f.layout == layout; });
    if (entry == report_.forms.end()) {
      report_.forms.push_back({form, layout, 0, 0});
      entry = report_.forms.end() - 1;
    }
    ++entry->cases;
    entry->max_ratio = larger(entry->max_ratio, result.identity.ratio());
  }

  /// Writes down q and k that attain the largest defect, and lets the policy evaluate them.
  void finish_certificate() {
    if (!certificate_turn_) return;
    CertificateReport& certificate = report_.certificate;
    const Judged& judged = *judged_[*certificate_turn_];
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

  void finish_medians() {
    report_.identity.median_ratio = median_of(ratios_);
    report_.identity.median_ratio_a_priori = median_of(a_priori_ratios_);
    report_.certificate.median_ratio = median_of(certificate_ratios_);
  }

  const VerifyOptions& options_;
  std::vector<std::unique_ptr<Judged>> judged_;
  VerifyReport report_;
  std::vector<float> ratios_, a_priori_ratios_, certificate_ratios_;
  std::vector<std::int64_t> positions_;          // for the comparison with the true table
  std::optional<std::size_t> certificate_turn_;  // layout of the worst defect
};

/// Both numbers divided by ‖q‖‖k‖, unless that is 0.
Measured relative_to(double norms, const Measured& measured) {
  return norms > 0 ? Measured{measured.error / norms, measured.bound / norms} : measured;
}

}  // namespace

Measured NotableCase::relative() const { return relative_to(norms, {error, bound}); }

Measured MeasuredScore::relative() const { return relative_to(norms, *this); }

void check_options(const VerifyOptions& options) {
  if (options.layouts.empty()) throw ShapeError("layouts: expected at least one, got none");
  if (options.trials == 0 && !options.given && !options.only_case)
    throw DomainError("trials: expected at least 1, got 0");
  if (options.control && changes_nothing(*options.control, options.embedding))
    throw DomainError(
        "control: '" + std::string(options.control->name) + "' changes nothing for this embedding",
        "Choose another mistake, or other frequencies.");
  if (!options.given) return;
  const VerifyCase& given = *options.given;
  const std::size_t d = options.embedding.head_dim;
  if (given.q.size() != d || given.k.size() != d)
    throw ShapeError("query and key: expected " + std::to_string(d) + " numbers each, got " +
                     std::to_string(given.q.size()) + " and " + std::to_string(given.k.size()));
  for (const std::vector<double>* x : {&given.q, &given.k})
    for (const double value : *x)
      if (!std::isfinite(value))
        throw DomainError("query and key: expected finite numbers, got " + number_text(value));
  for (const std::int64_t position : {given.m, given.n})
    if (position > kMaxVerifyPosition || position < -kMaxVerifyPosition)
      throw DomainError(Subject{"positions"},
                        "expected -2^61 to 2^61, got " + std::to_string(position),
                        "Farther out, differences and shifts would not fit 64 bits.");
}

void check_given(const VerifyCase& given, const VerifyOptions& options) {
  for (const std::vector<double>* x : {&given.q, &given.k})
    for (const double value : *x)
      if (round_to(options.policy.input(), value) != value)
        throw DomainError("query and key: expected numbers that " +
                              std::string(limits(options.policy.input()).name) +
                              " holds exactly, got " + number_text(value),
                          "Round the vectors to the format first.");
  // A rotated number is at most as long as its vector, but for the rounding that 2 covers.
  const Policy& policy = options.policy;
  const Format narrow =
      policy.store != Format::float8 && limits(policy.store).largest < limits(policy.apply).largest
          ? policy.store
          : policy.apply;
  const double q = vector_length(given.q), k = vector_length(given.k);
  for (const double length : {q, k})
    if (!(2 * length < limits(narrow).largest))
      throw DomainError("query and key: a rotated number may reach " + number_text(length) +
                            ", and " + std::string(limits(narrow).name) + " ends at " +
                            number_text(limits(narrow).largest),
                        "Scale the vectors down: the identity does not depend on their length.");
  const Format sum = policy.accumulate;
  const double longer = stretch(options.embedding);
  if (!(2 * (q * longer) * (k * longer) < limits(sum).largest))
    throw DomainError("query and key: their score may reach " + number_text(q * longer) +
                          " times " + number_text(k * longer) + ", and " +
                          std::string(limits(sum).name) + " ends at " +
                          number_text(limits(sum).largest),
                      "Scale the vectors down: the identity does not depend on their length.");
}

VerifyReport verify(const VerifyOptions& options) {
  check_options(options);
  if (options.given) check_given(*options.given, options);
  return Run(options).report();
}

}  // namespace rope
