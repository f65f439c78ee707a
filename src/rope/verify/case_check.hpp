#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/precision/bounds.hpp"
#include "rope/precision/length.hpp"
#include "rope/precision/running_error.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/verify/certificate.hpp"
#include "rope/verify/random_case.hpp"
#include "rope/verify/scheme.hpp"

namespace rope {

/// Everything that is measured in one case.
struct CaseResult {
  double left = 0;            ///< ⟨R_m q, R_n k⟩ as computed
  double right = 0;           ///< ⟨q, R_{n−m} k⟩ as computed, q scaled to match the left side
  Measured identity;          ///< |left − right| against the running bound (B-run)
  double a_priori_bound = 0;  ///< the bound known before the computation (B-vec)
  double least_deviation = 0;  ///< CaseCheck::deviation is at least this
  /// The defect of the tables, for all q and k; additive schemes have none.
  std::optional<Defect> defect;
  Measured from_certificate;  ///< |left − right| against that defect (B-cert)
  double defect_bound = 0;    ///< max T_i
  double defect_error = 0;    ///< evaluation error of the norm of the defect
  Measured exact;             ///< the worse of left and right against the exact score (B-exact)
  Measured modulus;           ///< max | |ŵ| − A | against A·E
  Measured shift;             ///< |score(m, n) − score(m + s, n + s)|
  bool finite = true;         ///< whether every score is a finite number
  bool bounded = true;        ///< whether every bound is finite as well
  bool vacuous = false;  ///< max T_i ≥ 1 or a bound is infinite, so that the bounds prove nothing
  double norms = 0;      ///< ‖q‖‖k‖

  /// Whether the identity itself violates its running, a-priori or certificate bound.
  bool identity_violated() const;

  /// Whether any bound except that of `exact` is violated. These bounds test whether the
  /// implementation is consistent with itself.
  bool inconsistent() const;

  /// Whether any bound at all is violated.
  bool violated() const { return inconsistent() || exact.violated(); }
};

/// qᵀR_{m−n}k of a case, the score with the wrong sign of the distance; q is scaled as on the right
/// side of the identity.
double wrong_sign_score(const Pipeline& pipeline, const VerifyCase& given);

/// Checks cases of one scheme against the bounds of the pipeline that the scheme claims to
/// implement.
class CaseCheck {
 public:
  /// `claimed`: the correct pipeline under the policy by which the scheme is judged. All referenced
  /// objects must outlive the check.
  CaseCheck(const Scheme& scheme, const Pipeline& claimed, Hypotheses hypotheses);

  /// If `with_defect` is false, the operator norm is skipped; it is costly if the scheme mixes
  /// layouts.
  CaseResult check(const VerifyCase& given, RotationForm form, bool with_defect = true);

  /// The standard deviation σ that |left − right| would have if all roundings were independent. It
  /// is costly to compute; CaseResult::least_deviation is often enough.
  double deviation(const VerifyCase& given, RotationForm form);

  const Scheme& scheme() const { return scheme_; }
  const ErrorBounds& bounds() const { return bounds_; }

 private:
  struct Side {
    std::vector<double> values, errors;
    operator VectorWithError() const { return {values, errors}; }
  };
  void encode(const Rotor& rotor, const Rotor::Row& row, RotationForm form,
              const std::vector<double>& x, Side& side);
  void scale_query(const std::vector<double>& q);
  void encode_sides(const VerifyCase& given, RotationForm form);
  void weigh(const VerifyCase& given);
  void check_identity(const VerifyCase& given, const BoundedScore& left, const BoundedScore& right,
                      CaseResult& result);
  void check_tables(const VerifyCase& given, double evaluation, bool with_defect,
                    CaseResult& result);
  void check_exact_and_shift(const VerifyCase& given, RotationForm form, double left_error,
                             double right_error, CaseResult& result);

  /// A lower bound on `deviation` by Cauchy–Schwarz. It needs only Σ|x| of the sums, each of which
  /// rounds fewer than 2d numbers; 0 if a double cannot represent the squares.
  double least_deviation(const Score& left, const Score& right) const;
  double weighted(const std::vector<double>& per_pair) const;

  const Scheme& scheme_;
  const Pipeline& claimed_;
  ErrorBounds bounds_;
  Rotor exact_;  // the correct rotation under the policy `exact`
  ErrorBounds exact_bounds_;
  SchemeRows rows_;
  Eigen::MatrixXd zeros_;  // memory in which the dense R_m is assembled
  Side given_, query_, key_, relative_;
  PairLengths lengths_;
  std::vector<double> per_pair_, weights_, independent_;
};

}  // namespace rope
