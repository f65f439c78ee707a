#include "rope/verify/verification.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <string>
#include <utility>

#include "rope/error.hpp"

namespace rope {
namespace {

constexpr std::size_t kFaithfulnessEntries = 4096;  // compared with MPFR in one run
constexpr std::size_t kLibmAngles = 1024;           // at which libm is measured
constexpr std::uint64_t kDenseDefects = 16;         // operator norms of mixed-layout schemes

/// Positions repeat their kinds every 8 cases and vectors every 24 (random_case.hpp): forms and
/// layouts change at another pace, so that each meets every kind.
constexpr std::uint64_t kVariety = 24;

/// A dense R_m costs d² where the other forms cost d: it takes its turn in fewer rounds the larger
/// d is, so that it never dominates a run.
RotationForm form_of(std::uint64_t number, std::size_t head_dim) {
  const std::uint64_t ratio = head_dim / 64;
  const std::uint64_t stride = std::max<std::uint64_t>(1, ratio * ratio);
  switch (number % 3) {
    case 1:
      return RotationForm::complex;
    case 2:
      return number / kVariety % stride == 0 ? RotationForm::matrix : RotationForm::elementwise;
    default:
      return RotationForm::elementwise;
  }
}

std::size_t layout_of(std::uint64_t number, std::size_t layouts) {
  return (number / 3 + number / kVariety) % layouts;
}

/// Larger in ratio; a NaN is larger than anything and stays.
bool replaces(const Measured& candidate, const Measured& worst) {
  return !std::isnan(worst.ratio()) && !(candidate.ratio() < worst.ratio());
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
    observe_libm();
    if (!options_.control)
      report_.controls = run_controls(judged_.front()->claimed.embedding(), options_.policy,
                                      options_.hypotheses, options_.seed);
    decide();
    return std::move(report_);
  }

 private:
  void run_cases() {
    VerifyCase given;
    if (options_.given) {
      given = *options_.given;
      for (std::uint64_t turn = 0; turn < 3 * judged_.size(); ++turn)
        add(given, static_cast<RotationForm>(turn % 3), turn / 3);
      return;
    }
    const CaseMaker maker(options_.seed, options_.embedding.head_dim, options_.max_position,
                          options_.policy.store);
    const std::uint64_t begin = options_.only_case.value_or(0);
    const std::uint64_t end = options_.only_case ? begin + 1 : options_.trials;
    for (std::uint64_t number = begin; number < end; ++number) {
      maker.make(number, given);
      add(given, form_of(number, options_.embedding.head_dim), layout_of(number, judged_.size()));
      if (options_.progress) options_.progress(number + 1 - begin);
    }
  }

  void add(const VerifyCase& given, RotationForm form, std::size_t turn) {
    Judged& judged = *judged_[turn];
    const bool with_defect = judged.scheme.blockwise() || report_.trials < kDenseDefects;
    const CaseResult result = judged.check.check(given, form, with_defect);
    ++report_.trials;
    ratios_.push_back(static_cast<float>(result.identity.ratio()));
    report_.vacuous += result.vacuous ? 1 : 0;
    add_identity(given, form, turn, result);
    if (result.defect) add_defect(given, turn, result);
    add_form(form, judged.claimed.embedding().layout, result);
    if (result.modulus.violated()) ++report_.orthogonality_violations;
    if (replaces(result.modulus, report_.orthogonality)) report_.orthogonality = result.modulus;
    if (result.shift.violated()) ++report_.shift_violations;
    if (replaces(result.shift, report_.shift)) report_.shift = result.shift;
    if (positions_.size() < kFaithfulnessEntries) {
      positions_.push_back(given.m);
      positions_.push_back(given.n);
    }
  }

  void add_identity(const VerifyCase& given, RotationForm form, std::size_t turn,
                    const CaseResult& result) {
    IdentityReport& identity = report_.identity;
    if (!(result.identity.error <= identity.max_abs_error))
      identity.max_abs_error = result.identity.error;
    const double relative = result.identity.error == 0 ? 0 : result.identity.error / result.norms;
    if (!(relative <= identity.max_relative_error)) identity.max_relative_error = relative;
    identity.max_ratio_a_priori =
        std::max(identity.max_ratio_a_priori, result.identity.error / result.a_priori_bound);
    if (result.identity.violated() || !(result.identity.error <= result.a_priori_bound) ||
        (result.defect && result.from_certificate.violated()))
      ++identity.violations;
    const Measured worst{identity.worst.error, identity.worst.bound};
    if (!replaces(result.identity, worst) && report_.trials > 1) return;
    identity.max_ratio = result.identity.ratio();
    identity.worst = {given.number,
                      given.m,
                      given.n,
                      options_.layouts[turn],
                      form,
                      result.left,
                      result.right,
                      result.identity.error,
                      result.identity.bound};
  }

  void add_defect(const VerifyCase& given, std::size_t turn, const CaseResult& result) {
    CertificateReport& certificate = report_.certificate;
    const Measured defect{result.defect->norm, result.defect_bound};
    if (defect.violated()) ++certificate.violations;
    if (!(defect.ratio() <= certificate.max_ratio)) certificate.max_ratio = defect.ratio();
    if (certificate_turn_ && defect.error <= certificate.op_norm) return;
    certificate_turn_ = turn;
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
    entry->max_ratio = std::max(entry->max_ratio, result.identity.ratio());
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
      for (double& value : *x) value = round_to(options_.policy.store, value);
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

  void observe_libm() {
    if (options_.policy.angle_rule == AngleRule::exact) return;
    const Pipeline& claimed = judged_.front()->claimed;
    std::vector<double> angles;
    for (const std::int64_t position : positions_)
      for (std::size_t k = 0; k < claimed.theta().size() && angles.size() < kLibmAngles; ++k)
        angles.push_back(claimed.angle(position, k));
    report_.libm_ulp_observed = observed_libm_ulp(angles, options_.policy.angle == Format::float32);
  }

  void decide() {
    IdentityReport& identity = report_.identity;
    std::ranges::nth_element(ratios_, ratios_.begin() + static_cast<long>(ratios_.size() / 2));
    identity.median_ratio = static_cast<double>(ratios_[ratios_.size() / 2]);
    const bool failed = add_failures();
    const bool open = add_open_questions();
    bool blind = false;
    for (const ControlReport& control : report_.controls) {
      if (control.outcome != ControlReport::Outcome::not_rejected) continue;
      blind = true;
      reason("the planted mistake '" + std::string(control.control.name) +
             "' was not rejected: this verdict cannot be trusted");
    }
    report_.verdict = blind    ? Verdict::self_test_failed
                      : failed ? Verdict::fail
                      : open   ? Verdict::inconclusive
                               : Verdict::pass;
  }

  void reason(std::string text) { report_.reasons.push_back(std::move(text)); }

  bool add_failures() {
    const std::size_t before = report_.reasons.size();
    const auto count = [&](std::uint64_t n, const std::string& what) {
      if (n > 0) reason(std::to_string(n) + " " + what);
    };
    count(report_.identity.violations, "case(s) where the two sides differ by more than rounding");
    count(report_.certificate.violations, "case(s) where some q, k differ by more than rounding");
    count(report_.orthogonality_violations, "case(s) where a rotation changes lengths");
    count(report_.shift_violations, "case(s) where the score changes when both positions shift");
    if (report_.faithfulness.violations > 0)
      reason(std::to_string(report_.faithfulness.violations) + " of " +
             std::to_string(report_.faithfulness.entries) +
             " table entries are not cos and sin of the angles they should be");
    if (options_.require) {
      const CertificateReport& c = report_.certificate;
      report_.requirement_met =
          certificate_turn_ && c.op_norm + c.eval_error_coefficient <= *options_.require;
      if (!*report_.requirement_met && c.op_norm > *options_.require)
        reason("not good enough: at m = " + std::to_string(c.m) + ", n = " + std::to_string(c.n) +
               " pair " + std::to_string(c.pair) + " lets some q, k be off by more than required");
      else if (!*report_.requirement_met)
        reason("not good enough: rotating and summing alone may be off by more than required");
    }
    return report_.reasons.size() > before;
  }

  bool add_open_questions() {
    const std::size_t before = report_.reasons.size();
    if (report_.vacuous > 0)
      reason("at " + std::to_string(report_.vacuous) +
             " case(s) the bound allows any error at all: nothing is proven there");
    if (report_.libm_ulp_observed > options_.hypotheses.libm_ulp)
      reason("this machine's cos and sin are off by more than the bounds assume");
    if (std::fegetround() != FE_TONEAREST) reason("the rounding mode is not to nearest");
    for (const ControlReport& control : report_.controls)
      if (control.outcome == ControlReport::Outcome::undetectable)
        reason("the planted mistake '" + std::string(control.control.name) +
               "' is smaller than this policy's rounding");
    return report_.reasons.size() > before;
  }

  const VerifyOptions& options_;
  std::vector<std::unique_ptr<Judged>> judged_;
  VerifyReport report_;
  std::vector<float> ratios_;
  std::vector<std::int64_t> positions_;          // for the comparison with the true table
  std::optional<std::size_t> certificate_turn_;  // layout of the worst defect
};

void check_options(const VerifyOptions& options) {
  if (options.layouts.empty()) throw ShapeError("layouts: expected at least one, got none");
  if (options.trials == 0 && !options.given && !options.only_case)
    throw DomainError("trials: expected at least 1, got 0");
  if (!options.given) return;
  const VerifyCase& given = *options.given;
  const std::size_t d = options.embedding.head_dim;
  if (given.q.size() != d || given.k.size() != d)
    throw ShapeError("query and key: expected " + std::to_string(d) + " numbers each, got " +
                     std::to_string(given.q.size()) + " and " + std::to_string(given.k.size()));
  for (const std::vector<double>* x : {&given.q, &given.k})
    for (const double value : *x)
      if (!std::isfinite(value) || round_to(options.policy.store, value) != value)
        throw DomainError("query and key: expected finite numbers that " +
                              std::string(limits(options.policy.store).name) +
                              " holds exactly, got " + number_text(value),
                          "Round the vectors to the format first.");
  for (const std::int64_t position : {given.m, given.n})
    if (position > kMaxVerifyPosition || position < -kMaxVerifyPosition)
      throw DomainError("positions: expected -2^61 to 2^61, got " + std::to_string(position));
}

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::fail:
      return "fail";
    case Verdict::inconclusive:
      return "inconclusive";
    case Verdict::self_test_failed:
      break;
  }
  return "self_test_failed";
}

VerifyReport verify(const VerifyOptions& options) {
  check_options(options);
  return Run(options).report();
}

}  // namespace rope
