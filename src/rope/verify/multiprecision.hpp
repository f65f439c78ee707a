#pragma once

#include <cstdint>
#include <vector>

#include "rope/verify/verification.hpp"

namespace rope {

/// The numbers of bits in which the identity can be evaluated.
inline constexpr int kFewestBits = 8;
inline constexpr int kMostBits = 16000;

/// The identity with every number held in `bits` bits, over all cases of a run.
struct MultiprecisionStep {
  int bits = 0;
  std::uint64_t cases = 0;
  long double max_error =
      0;  ///< largest |left − right|/(‖q‖‖k‖); below double's range for many bits
  long double bound = 0;  ///< of that case, /(‖q‖‖k‖)
  double max_ratio = 0;   ///< of error to bound, in any case
  std::uint64_t violations = 0;
};

/// Evaluates ⟨R_m q, R_n k⟩ and qᵀR_{n−m}k by MPFR with frequencies, angles, cos, sin, rotation and
/// sum all in the same number of bits, for each number of bits in turn, on the cases of the options
/// (their policy and level do not matter; their first layout is used). An identity is told from a
/// coincidence by its error, which falls with the bits and stays below bound (1) of
/// docs/accuracy.md with u = 2^-bits; the error of a planted mistake stays where it is.
///
/// Throws    DomainError unless every number of bits is kFewestBits … kMostBits.
std::vector<MultiprecisionStep> verify_in_bits(const VerifyOptions& options,
                                               const std::vector<int>& bits);

}  // namespace rope
