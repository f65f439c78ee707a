#pragma once

// The distance up to which the mean cosine of an embedding stays positive.
//
//     const auto found = rope::first_negative(embedding.frequencies, 1 << 20);
//     if (found.distance) std::cout << *found.distance << " tokens\n";

#include <cstdint>
#include <optional>

#include "rope/rotary/cpu_level.hpp"
#include "rope/rotary/frequencies.hpp"

namespace rope {

/// Where B(Δ) = Σ_i cos(Δθ_i) is first negative. Up to that distance, a key k* similar to the query
/// scores higher on average than a random key k (E[qᵀR_Δk* − qᵀR_Δk] = 2σ²B(Δ)); beyond it, k* need
/// not.
struct FirstNegative {
  /// The smallest integer Δ ≥ 1 with B(Δ) < 0: in a sequence of Δ tokens, whose distances are 0 …
  /// Δ−1, B is not negative.
  std::optional<std::int64_t> distance;
  /// The smallest real Δ > 0 with B(Δ) = 0; never above `distance`, sometimes far below.
  std::optional<double> root;
};

/// Searches for both the distance and the root, up to `limit`.
///
/// Accuracy  The sign of B is decided where |B| > 4πnΔ/2^128 for n pairs: in double, and in 256
///           bits where double cannot decide; a smaller |B| counts as 0. The root is found by steps
///           that cannot skip one: it is the first Δ where B counts as 0, rounded to double. The
///           result is the same on every machine.
/// Edge      a pair that never turns adds 1 to B at every Δ. The root is searched for only if every
///           θ_i < 2π, and only up to 2^30.
/// Throws    DomainError unless 1 <= limit <= 2^40.
/// Source    Men et al., Base of RoPE Bounds Context Length, arXiv:2405.14591.
FirstNegative first_negative(const Frequencies& frequencies, std::int64_t limit,
                             CpuLevel level = best_cpu_level());

/// The first negative distance, and how far the search over every integer went.
struct NegativeDistance {
  FirstNegative first;
  std::int64_t searched = 0;  ///< tokens
};

/// Searches for the first negative distance up to `wanted` tokens, but at most as far as is
/// possible in a moment: 2^20 tokens, or fewer if there are many pairs.
NegativeDistance negative_distance(const Frequencies& frequencies,
                                   std::int64_t wanted = std::int64_t{1} << 20);

/// Searches only for FirstNegative::distance, in a fraction of the time.
std::optional<std::int64_t> first_negative_distance(const Frequencies& frequencies,
                                                    std::int64_t limit,
                                                    CpuLevel level = best_cpu_level());

}  // namespace rope
