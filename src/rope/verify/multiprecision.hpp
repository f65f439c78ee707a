#pragma once

#include <cstdint>
#include <vector>

#include "rope/verify/verification.hpp"

namespace rope {

/// The smallest and largest number of bits in which the identity can be evaluated.
inline constexpr int kFewestBits = 8;
inline constexpr int kMostBits = 16000;

/// The identity with every number rounded to `bits` bits, over all cases of a run. The errors are
/// long double, because at many bits they are below a double's range.
struct MultiprecisionStep {
  int bits = 0;
  std::uint64_t cases = 0;
  long double max_error = 0;  ///< largest |left − right|/(‖q‖‖k‖)
  long double bound = 0;      ///< the bound in that case, divided by ‖q‖‖k‖
  double max_ratio = 0;       ///< the largest ratio of error to bound over all cases
  std::uint64_t violations = 0;
  /// Number of cases in which rounding may turn a pair by a radian or more.
  std::uint64_t vacuous = 0;

  std::uint64_t entries = 0;        ///< number of table entries compared with the true e^{ipθ_i}
  long double max_table_error = 0;  ///< largest |ŵ − e^{ipθ_i}|
  double max_table_ratio = 0;       ///< the largest ratio of a table error to its bound
  std::uint64_t table_violations = 0;

  bool held() const { return violations == 0 && table_violations == 0; }
};

/// Evaluates ⟨R_m q, R_n k⟩ and qᵀR_{n−m}k with MPFR, for each number of bits in turn, without the
/// attention factor. Frequencies, angles, cos, sin, rotation and sum are all computed in that many
/// bits. It uses the cases and the first layout of the options; the policy and the CPU level do not
/// matter. The error of an identity, unlike that of a coincidence, falls as the number of bits
/// grows and stays below bound (1) of docs/accuracy.md with u = 2^-bits. The error of a planted
/// mistake does not fall. Every family of rotations satisfies the identity, so the tables of some
/// cases are also compared with cos and sin of the true angles, computed in many more bits; the
/// differences must meet bound (2'). Frequencies that were given or computed by a scaling rule are
/// treated as exact doubles.
///
/// Throws    DomainError unless every number of bits is kFewestBits … kMostBits; DomainError or
///           ShapeError if the options do not fit together.
std::vector<MultiprecisionStep> verify_in_bits(const VerifyOptions& options,
                                               const std::vector<int>& bits);

/// A pass if every step met its bounds, the step with the most bits proves something in every case,
/// and no mistake was planted. A vacuous step proves nothing.
Verdict verdict(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps);

/// Whether the error fell from each step to the next and stayed within each step's bound; false for
/// a single step.
bool error_falls(const std::vector<MultiprecisionStep>& steps);

}  // namespace rope
