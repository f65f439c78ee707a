#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rope/language/language.hpp"
#include "rope/precision/not_finite.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/verify/axes_check.hpp"
#include "rope/verify/case_check.hpp"
#include "rope/verify/controls.hpp"
#include "rope/verify/faithfulness.hpp"
#include "rope/verify/verdict.hpp"

namespace rope {

/// What to verify.
struct VerifyOptions {
  RotaryEmbedding embedding;
  std::vector<PairLayout> layouts;  ///< judged in turn; at least one
  Policy policy;
  std::uint64_t trials = 2000;
  std::uint64_t seed = 42;
  std::int64_t max_position = 131072;
  std::optional<std::uint64_t> only_case;  ///< if set, only this case is replayed
  std::optional<VerifyCase> given;  ///< if set, these vectors are used instead of random ones
  /// If set, this mistake is judged as if it were the implementation.
  std::optional<Control> control;
  std::optional<double> require;  ///< the largest error/(‖q‖‖k‖) that is accepted as good enough
  Hypotheses hypotheses;
  CpuLevel cpu_level = best_cpu_level();
  /// Called with the number of cases done; may be empty.
  std::function<void(std::uint64_t)> progress;
};

/// The worst case of its kind, with what is needed to replay and inspect it.
struct NotableCase {
  std::uint64_t number = 0;
  std::int64_t m = 0, n = 0;
  PairLayout layout = PairLayout::interleaved;
  RotationForm form = RotationForm::elementwise;
  double left = 0, right = 0, error = 0, bound = 0;
  double norms = 0;  ///< ‖q‖‖k‖

  /// The error and its bound, both divided by ‖q‖‖k‖.
  Measured relative() const;
};

/// The error of a score, in the case with the largest ratio of error to bound.
struct MeasuredScore : Measured {
  double norms = 0;  ///< ‖q‖‖k‖ of that case

  /// The error and its bound, both divided by ‖q‖‖k‖.
  Measured relative() const;
};

struct IdentityReport {
  double max_abs_error = 0;
  double max_relative_error = 0;  ///< largest ratio of error to ‖q‖‖k‖
  /// The bound in that case, divided by ‖q‖‖k‖; 0 if no case has an error.
  double relative_bound = 0;
  double max_ratio = 0;  ///< largest ratio of error to running bound
  double median_ratio = 0;
  double max_ratio_a_priori = 0;  ///< largest ratio of error to a-priori bound
  double median_ratio_a_priori = 0;
  std::uint64_t violations = 0;  ///< number of cases that violate any of their bounds
  NotableCase worst;             ///< largest ratio
};

/// NOT rigorous: a limit that the identity's error would rarely exceed if all roundings were
/// independent, centred and as large as their bounds. It is λ times the root of the sum of the
/// squares of those bounds, and is exceeded with a probability of at most 2·exp(−λ²/2) (Hoeffding).
struct ProbabilisticReport {
  static constexpr double kLambda = 6;
  double max_ratio = 0;  ///< largest ratio of error to that limit
  std::uint64_t exceeded = 0;
};

/// The certificate: the identity for all q and k at the tested positions.
struct CertificateReport {
  bool measured = false;     ///< false if there is no finite case or no matrix to measure
  double op_norm = 0;        ///< largest ‖R̂_mᵀR̂_n − R̂_{n−m}‖₂
  double op_norm_bound = 0;  ///< the bound at those positions
  /// Largest ratio of norm to bound among cases whose bound proves something (T < 1).
  double max_ratio = 0;
  double median_ratio = 0;  ///< median of that ratio
  /// Rotations and sums add at most this times ‖q‖‖k‖ to the error.
  double eval_error_coefficient = 0;
  std::uint64_t violations = 0;
  std::size_t pair = 0;
  std::int64_t m = 0, n = 0;
  bool has_pair = false;            ///< whether a worst pair of vectors could be given
  WorstPair vectors{};              ///< that pair of vectors, given on the two dimensions of `pair`
  double attained_ratio_exact = 0;  ///< |qᵀ(R̂_mᵀR̂_n − R̂_{n−m})k| / op_norm, evaluated exactly
  double attained_ratio = 0;  ///< the same, evaluated in the arithmetic of the policy
};

/// The frequency with the largest error, among those whose error cannot be explained by the
/// rounding of angles.
struct FrequencyFault {
  std::size_t pair = 0;
  double used = 0;      ///< θ̂_i
  double expected = 0;  ///< θ_i
  double granted = 0;   ///< the largest |θ̂_i − θ_i| that rounding explains
};

/// The cases judged in one form and layout.
struct FormReport {
  RotationForm form = RotationForm::elementwise;
  PairLayout layout = PairLayout::interleaved;
  std::uint64_t cases = 0;
  double max_ratio = 0;
};

/// The outcome of one negative control.
struct ControlReport {
  enum class Outcome {
    rejected,        ///< as it must be
    not_rejected,    ///< the checker missed the mistake, and must not be trusted
    undetectable,    ///< the mistake is smaller than the error that the policy's rounding allows
    not_applicable,  ///< with these frequencies the "mistake" changes nothing
  };
  Control control;
  Outcome outcome = Outcome::not_rejected;
  bool identity_held = true;            ///< whether all cases met the identity's bounds
  bool faithful = true;                 ///< whether the table met its bound
  std::optional<double> rms;            ///< the root mean square of error/(‖q‖‖k‖)
  std::optional<double> predicted_rms;  ///< ‖E‖_F/d
  std::optional<double> op_defect;
  double margin = 0;       ///< median of error/bound
  double table_error = 0;  ///< largest |ŵ − e^{ipθ}|
};

struct VerifyReport {
  Verdict verdict = Verdict::inconclusive;
  /// Sentences, each giving a reason why the verdict is not a plain pass.
  std::vector<std::string> reasons;
  std::vector<std::string> causes;  ///< the reasons that do more than name the check that failed
  std::uint64_t trials = 0;
  IdentityReport identity;
  CertificateReport certificate;
  ProbabilisticReport probabilistic;
  Faithfulness faithfulness;
  std::optional<FrequencyFault> frequency_fault;
  std::optional<UnfaithfulEntry> first_unfaithful;
  /// Error of a side against the exact score, where its ratio to the bound is largest.
  MeasuredScore exact;
  Measured orthogonality;  ///< | |ŵ| − A |, where its ratio to the bound is largest
  MeasuredScore shift;     ///< where its ratio to the bound is largest
  std::uint64_t exact_violations = 0, orthogonality_violations = 0, shift_violations = 0;
  std::vector<FormReport> forms;
  std::vector<ControlReport> controls;
  /// Largest error of cos and sin; 0 under the policy `exact`, which uses neither.
  double libm_ulp_observed = 0;
  double pow_ulp_observed = 0;   ///< of pow
  bool round_to_nearest = true;  ///< whether the machine rounds to nearest
  std::uint64_t vacuous = 0;     ///< number of cases whose bound proves nothing
  std::uint64_t unbounded = 0;   ///< how many of these have a bound that is not finite
  /// Number of cases with an infinity or a NaN; no other count includes them.
  std::uint64_t not_finite = 0;
  std::optional<NotableCase> first_not_finite;
  std::optional<NotFinite> not_finite_stage;  ///< the stage at which that case became non-finite
  std::vector<NotableCase> given;             ///< the given case in each layout, element by element
  std::optional<bool> requirement_met;
  std::optional<AxesReport> axes;  ///< for an embedding with several axes, over random positions
};

/// The largest head size for which the dense R_m, with d² numbers, is one of the forms.
inline constexpr std::size_t kLargestDenseDim = 1024;

/// Verifies ⟨R_m q, R_n k⟩ = qᵀR_{n−m}k.
///
/// A wrong number does not cause an exception: the verdict of the report is then `fail`.
/// Throws    DomainError or ShapeError if the options do not fit together.
VerifyReport verify(const VerifyOptions& options);

/// Throws    DomainError or ShapeError if the options do not fit together, whatever their policy.
void check_options(const VerifyOptions& options);

/// Throws    DomainError unless q and k, their rotation and their score stay within the formats of
///           the policy.
void check_given(const VerifyCase& given, const VerifyOptions& options);

/// Whether the "mistake" changes nothing for this embedding, such as a wrong base for an embedding
/// without a base.
bool changes_nothing(const Control& control, const RotaryEmbedding& embedding);

/// Negative controls are judged at positions in [−N, N]. N is the largest number up to 1000 for
/// which the identity's bound stays below a quarter (of a radian), but at least 4.
std::int64_t control_range(const RotaryEmbedding& embedding, const Policy& policy,
                           Hypotheses hypotheses);

/// The outcome of a control, derived from the results of the two checks and from which of them must
/// detect the mistake.
ControlReport::Outcome control_outcome(bool identity_held, bool faithful, bool must_break_identity,
                                       bool must_show_in_table);

/// Runs every negative control against the claimed embedding and policy.
std::vector<ControlReport> run_controls(const RotaryEmbedding& embedding, const Policy& policy,
                                        Hypotheses hypotheses, std::uint64_t seed);

/// Sets the verdict of a report from its numbers, and adds a sentence for each reason why the
/// verdict is not a plain pass. The sentences distinguish "conforms to its policy" (no bound
/// exceeded) from "is good enough" (options.require), and replace any sentences already in the
/// report.
void decide(const VerifyOptions& options, VerifyReport& report, Language language = Language::en);

}  // namespace rope
