#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rope/precision/bounds.hpp"

namespace rope {

// How wrong the tables of a pipeline are, by position. The error of pair i at 0 ≤ m ≤ n is
//
//     |conj(ŵ_m)·ŵ_n − ŵ_{n−m}|         against the identity, or
//     |conj(ŵ_m)·ŵ_n − e^{i(n−m)θ_i}|   against the exact rotation;
//
// its maximum over i is the operator norm: the largest error of a score for any q, k of length 1.
// With an attention factor A, ŵ is the entry divided by A: errors are relative to A².

enum class Against { identity, exact };

/// "identity" or "exact".
inline std::string_view name(Against against) {
  return against == Against::identity ? "identity" : "exact";
}

/// An error, and where it was found.
struct FoundError {
  double error = 0;
  std::int64_t m = 0, n = 0;
  std::size_t pair = 0;
};

/// The error of one pair at the positions 0 ≤ m ≤ n; NaN if an entry is not finite.
double position_error(const Pipeline& pipeline, Against against, std::int64_t m, std::int64_t n,
                      std::size_t pair);

/// An upper bound on the errors of that pair for 0 ≤ m ≤ n ≤ last.
double error_bound_up_to(const ErrorBounds& bounds, Against against, std::int64_t last,
                         std::size_t pair);

/// The largest position up to `last` that the policy's position format can represent.
std::int64_t last_finite_position(const Policy& policy, std::int64_t last);

/// The errors up to one position N: 0 ≤ m ≤ n ≤ N.
struct PositionError {
  std::int64_t position = 0;
  FoundError worst;  ///< the largest error that was found
  /// Whether `worst` is the largest of all, to within 0.1 %; sample_errors cannot tell.
  bool largest = false;
  double bound = 0;       ///< an upper bound on the error
  double random_rms = 0;  ///< rms error of the score over random q, k, divided by ‖q‖‖k‖, near N
  std::vector<double> per_pair;  ///< the largest error found, for each pair
};

/// Samples the errors up to each of the positions, which must ascend and be finite in the policy's
/// position format. `known`: errors found elsewhere, which are included.
///
/// At each position N, 256 pairs of positions with n in [N/2, N] are drawn: anywhere, near each
/// other, near powers of two, and where an angle has just passed a power of two; for small N, all
/// pairs are taken. The rms comes from 128 scores of near-normal q, k at 16 of these pairs of
/// positions.
std::vector<PositionError> sample_errors(const Pipeline& pipeline, Against against,
                                         std::span<const std::int64_t> positions,
                                         std::span<const FoundError> known = {});

}  // namespace rope
