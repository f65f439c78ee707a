#pragma once

#include <cstdint>
#include <vector>

#include "rope/verify/verification.hpp"

namespace rope {

/// The fewest and most bits in which the identity can be evaluated.
inline constexpr int kFewestBits = 8;
inline constexpr int kMostBits = 16000;

/// The identity with every number held in `bits` bits, over all cases of a run. long double, as
/// errors at many bits are below a double's range.
struct MultiprecisionStep {
  int bits = 0;
  std::uint64_t cases = 0;
  long double max_error = 0;  ///< largest |left − right|/(‖q‖‖k‖)
  long double bound = 0;      ///< of that case, /(‖q‖‖k‖)
  double max_ratio = 0;       ///< of error to bound, in any case
  std::uint64_t violations = 0;
  std::uint64_t vacuous = 0;  ///< cases in which rounding may turn a pair by a radian or more

  std::uint64_t entries = 0;        ///< of the tables, compared with the true e^{ipθ_i}
  long double max_table_error = 0;  ///< largest |ŵ − e^{ipθ_i}|
  double max_table_ratio = 0;       ///< of such an error to its bound
  std::uint64_t table_violations = 0;

  bool held() const { return violations == 0 && table_violations == 0; }
};

/// Evaluates ⟨R_m q, R_n k⟩ and qᵀR_{n−m}k, without their attention factor, by MPFR, for each
/// number of bits in turn: frequencies, angles, cos, sin, rotation and sum are all in that number
/// of bits. It uses the cases of the options (their policy and level do not matter; their first
/// layout is used). What distinguishes an identity from a coincidence is its error, which falls as
/// the bits grow and stays below bound (1) of docs/accuracy.md with u = 2^-bits; the error of a
/// planted mistake stays where it is. Every family of rotations satisfies the identity, so the
/// tables of some cases are compared with cos and sin of the true angles, in many more bits,
/// against bound (2'). Frequencies that a scaling rule made, or that were given, are taken as exact
/// doubles.
///
/// Throws    DomainError unless every number of bits is kFewestBits … kMostBits; DomainError or
///           ShapeError if the options do not fit together.
std::vector<MultiprecisionStep> verify_in_bits(const VerifyOptions& options,
                                               const std::vector<int>& bits);

/// A pass if every step held, the one with most bits proves something in every case, and no mistake
/// was planted; a vacuous step proves nothing.
Verdict verdict(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps);

/// Whether the error was seen to fall from each step to the next, each within its bound; false for
/// a single one.
bool error_falls(const std::vector<MultiprecisionStep>& steps);

}  // namespace rope
