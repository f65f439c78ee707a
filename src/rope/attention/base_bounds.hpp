#pragma once

// Which bases suit a context length.
//
//     const auto base = rope::round_base(8192, 128, 10000);   // at least 10000
//     if (base) std::cout << base->base << "\n";

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace rope {

/// The base for which the last pair that completed a turn in training still completes one within
/// the new length: b^(log_{T/2π}(T*/2π)), the critical base of Liu et al., also known as the
/// "Gradient" formula.
///
/// Throws    DomainError unless base is finite and > 1, and 2π < trained_length ≤ length.
/// Source    Liu et al., Scaling Laws of RoPE-based Extrapolation, arXiv:2310.05209.
double critical_base(double base, std::int64_t trained_length, std::int64_t length);

/// The factor α of an NTK-aware base b·α that keeps every pair that completed no turn in training
/// within its trained angles: (T*/T)^(d/2i) for the fastest such pair. The usual (T*/T)^(d/(d−2))
/// keeps only the last pair within them. Returns 1 if every pair completed a turn.
///
/// Accuracy  correctly rounded.
/// Throws    DomainError and ShapeError as geometric_frequencies does; DomainError also unless 1 ≤
///           T ≤ T*.
double covering_factor(double base, std::size_t rotary_dim, std::int64_t trained_length,
                       std::int64_t length);

/// A base that serves a length in the sense of smallest_base, and a base below which certainly none
/// does.
struct SmallestBase {
  double base;
  double none_below;

  /// Whether the smallest base is known to within a millionth of itself. If not, it lies between
  /// `none_below` and `base`.
  bool certified() const;
};

/// The infimum of the bases b ≥ 1 for which Σ_i cos(Δb^(−2i/r)) ≥ 0 at every 1 ≤ Δ < length. By a
/// rule of thumb, these bases serve that length. Some bases above the infimum fail: the set is not
/// an interval. Returns nothing if no base up to e^690 serves, as for a single pair and length > 2:
/// θ is then 1 whatever the base, and cos 2 < 0.
///
/// Accuracy  starting at 1, bases are ruled out interval by interval, each by a distance whose sum
///           is negative throughout the interval (derived at QuickSum::reach), so no base below
///           none_below serves. The base returned does serve: the signs of its sums are decided as
///           in first_negative.
/// Time      a second for 2^17 tokens and 64 pairs, and three to six times as long for four times
///           as many tokens.
/// Throws    ShapeError as geometric_frequencies does; DomainError unless 2 ≤ length ≤ 2^40.
/// Source    Men et al., Base of RoPE Bounds Context Length, arXiv:2405.14591, definition 1.
std::optional<SmallestBase> smallest_base(std::int64_t length, std::size_t rotary_dim,
                                          const std::function<void()>& progress = {});

/// A base of at most two significant digits that serves a length with a margin: so do the bases
/// tried around it.
struct RoundBase {
  double base;
  double from;  ///< the smallest base tried: 5 % less
  double to;    ///< the largest: 5 % more; those between are a thousandth of `base` apart
};

/// The smallest base b ≥ `least` of at most two significant digits for which, as for all 100 bases
/// tried around it, Σ_i cos(Δb^(−2i/r)) ≥ 0 at every 1 ≤ Δ < length. A base that serves may have
/// none beside it that does: the smallest of all often lies in an interval too narrow for a round
/// number, and a round one may serve by accident. Returns nothing if no base up to e^690 serves.
///
/// Accuracy  every base is judged as in first_negative; nothing is known about the bases between
///           those tried.
/// Throws    ShapeError as geometric_frequencies does; DomainError unless 2 ≤ length ≤ 2^40 and 1 ≤
///           least.
std::optional<RoundBase> round_base(std::int64_t length, std::size_t rotary_dim, double least,
                                    const std::function<void()>& progress = {});

}  // namespace rope
