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
  std::optional<std::uint64_t> only_case;  ///< replay only this case
  std::optional<VerifyCase> given;         ///< these vectors instead of random ones
  std::optional<Control> control;          ///< judge this mistake as if it were the implementation
  std::optional<double> require;           ///< largest error/(‖q‖‖k‖) that is good enough
  Hypotheses hypotheses;
  CpuLevel cpu_level = best_cpu_level();
  std::function<void(std::uint64_t)>
      progress;  ///< called with the number of cases done; may be empty
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

/// The error of a score with the largest ratio to its bound.
struct MeasuredScore : Measured {
  double norms = 0;  ///< ‖q‖‖k‖ of that case

  /// The error and its bound, both divided by ‖q‖‖k‖.
  Measured relative() const;
};

struct IdentityReport {
  double max_abs_error = 0;
  double max_relative_error = 0;  ///< of error to ‖q‖‖k‖
  double relative_bound = 0;  ///< of that case, relative to ‖q‖‖k‖; 0 if no case has an error
  double max_ratio = 0;       ///< of error to the running bound
  double median_ratio = 0;
  double max_ratio_a_priori = 0;  ///< of error to the bound known in advance
  double median_ratio_a_priori = 0;
  std::uint64_t violations = 0;  ///< of any of the bounds of a case
  NotableCase worst;             ///< largest ratio
};

/// NOT rigorous: a limit that the identity's error would rarely exceed if all roundings were
/// independent, centred and as large as their bounds. It is λ times the root of the sum of the
/// squares of those bounds, and is exceeded with a probability of at most 2·exp(−λ²/2) (Hoeffding).
struct ProbabilisticReport {
  static constexpr double kLambda = 6;
  double max_ratio = 0;  ///< of error to that limit
  std::uint64_t exceeded = 0;
};

/// The identity for all q and k at the tested positions.
struct CertificateReport {
  bool measured = false;     ///< false: no finite case, or no matrix to measure
  double op_norm = 0;        ///< largest ‖R̂_mᵀR̂_n − R̂_{n−m}‖₂
  double op_norm_bound = 0;  ///< the bound at those positions
  double max_ratio = 0;      ///< largest ratio of the two where the bound proves something (T < 1)
  double median_ratio = 0;   ///< median of that ratio
  double eval_error_coefficient = 0;  ///< rotations and sums add at most this times ‖q‖‖k‖
  std::uint64_t violations = 0;
  std::size_t pair = 0;
  std::int64_t m = 0, n = 0;
  bool has_pair = false;            ///< whether a worst pair of vectors could be given
  WorstPair vectors{};              ///< on the two dimensions of `pair`
  double attained_ratio_exact = 0;  ///< |qᵀ(R̂_mᵀR̂_n − R̂_{n−m})k| / op_norm, evaluated exactly
  double attained_ratio = 0;  ///< the same, evaluated as the policy does
};

/// The frequency that is furthest off, among those whose error the rounding of angles does not
/// explain.
struct FrequencyFault {
  std::size_t pair = 0;
  double used = 0;      ///< θ̂_i
  double expected = 0;  ///< θ_i
  double granted = 0;   ///< |θ̂_i − θ_i| that rounding explains
};

/// Cases judged in one form and layout.
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
    not_rejected,    ///< the checker misses a mistake, and must not be trusted
    undetectable,    ///< the mistake is smaller than the error that the policy's rounding allows
    not_applicable,  ///< with these frequencies the "mistake" changes nothing
  };
  Control control;
  Outcome outcome = Outcome::not_rejected;
  bool identity_held = true;            ///< no case broke the identity's bounds
  bool faithful = true;                 ///< the table met its bound
  std::optional<double> rms;            ///< of error/(‖q‖‖k‖)
  std::optional<double> predicted_rms;  ///< ‖E‖_F/d
  std::optional<double> op_defect;
  double margin = 0;       ///< median of error/bound
  double table_error = 0;  ///< largest |ŵ − e^{ipθ}|
};

struct VerifyReport {
  Verdict verdict = Verdict::inconclusive;
  std::vector<std::string> reasons;  ///< one sentence each: why it is not a plain pass
  std::vector<std::string> causes;   ///< those reasons that say more than which check failed
  std::uint64_t trials = 0;
  IdentityReport identity;
  CertificateReport certificate;
  ProbabilisticReport probabilistic;
  Faithfulness faithfulness;
  std::optional<FrequencyFault> frequency_fault;
  std::optional<UnfaithfulEntry> first_unfaithful;
  MeasuredScore exact;     ///< a side against the exact score, at the largest ratio
  Measured orthogonality;  ///< | |ŵ| − A |, at the largest ratio
  MeasuredScore shift;     ///< at the largest ratio
  std::uint64_t exact_violations = 0, orthogonality_violations = 0, shift_violations = 0;
  std::vector<FormReport> forms;
  std::vector<ControlReport> controls;
  double libm_ulp_observed = 0;  ///< of cos and sin; 0 under the policy `exact`, which uses neither
  double pow_ulp_observed = 0;   ///< of pow
  bool round_to_nearest = true;  ///< the machine's rounding mode
  std::uint64_t vacuous = 0;     ///< cases whose bound proves nothing
  std::uint64_t unbounded = 0;   ///< of these, those with a bound that is not finite
  std::uint64_t not_finite = 0;  ///< cases with an infinity or a NaN; no other count includes them
  std::optional<NotableCase> first_not_finite;
  std::optional<NotFinite> not_finite_stage;  ///< the stage at which that case became non-finite
  std::vector<NotableCase> given;             ///< the given case in each layout, element by element
  std::optional<bool> requirement_met;
  std::optional<AxesReport> axes;  ///< for an embedding with several axes, over random positions
};

/// Largest head size for which the dense R_m, of d² numbers, is one of the forms.
inline constexpr std::size_t kLargestDenseDim = 1024;

/// Verifies ⟨R_m q, R_n k⟩ = qᵀR_{n−m}k.
///
/// A wrong number never throws an exception; it makes the report a fail.
/// Throws    DomainError or ShapeError if the options do not fit together.
VerifyReport verify(const VerifyOptions& options);

/// Throws    DomainError or ShapeError if the options do not fit together, whatever their policy.
void check_options(const VerifyOptions& options);

/// Throws    DomainError unless q and k, their rotation and their score stay within the formats of
///           the policy.
void check_given(const VerifyCase& given, const VerifyOptions& options);

/// Whether the "mistake" changes nothing for this embedding, such as a wrong base where there is
/// none.
bool changes_nothing(const Control& control, const RotaryEmbedding& embedding);

/// Negative controls are judged at positions in [−N, N]. N is the largest number ≤ 1000 up to which
/// the identity's bound stays below a quarter (of a radian), but at least 4.
std::int64_t control_range(const RotaryEmbedding& embedding, const Policy& policy,
                           Hypotheses hypotheses);

/// The outcome of a control, from the results of the two checks and from which of them must detect
/// it.
ControlReport::Outcome control_outcome(bool identity_held, bool faithful, bool must_break_identity,
                                       bool must_show_in_table);

/// Runs every negative control against the claimed embedding and policy.
std::vector<ControlReport> run_controls(const RotaryEmbedding& embedding, const Policy& policy,
                                        Hypotheses hypotheses, std::uint64_t seed);

/// Sets the verdict of a report from its numbers, with a sentence for each reason why it is not a
/// plain pass. The sentences distinguish "conforms to its policy" (no bound exceeded) from "is good
/// enough" (options.require), and replace those already in the report.
void decide(const VerifyOptions& options, VerifyReport& report, Language language = Language::en);

}  // namespace rope
