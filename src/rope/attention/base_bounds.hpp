#pragma once

// Which base serves a length.
//
//     const auto base = rope::round_base(8192, 128, 10000);   // at least 10000
//     if (base) std::cout << base->base << "\n";

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace rope {

/// The base for which the last pair that completed a turn in training still does so in proportion:
/// b^(log_{T/2π}(T*/2π)), the critical base of Liu et al., also known as the "Gradient" formula.
///
/// Throws    DomainError unless base > 1, finite, and 2π < trained_length ≤ length.
/// Source    Liu et al., Scaling Laws of RoPE-based Extrapolation, arXiv:2310.05209.
double critical_base(double base, std::int64_t trained_length, std::int64_t length);

/// The factor of an NTK-aware base, b·α, that keeps every pair within the angles of training which
/// completed no turn there: (T*/T)^(d/2i) of the fastest such pair. The usual (T*/T)^(d/(d−2)) does
/// so for the last pair alone. 1 if every pair completed a turn.
///
/// Accuracy  correctly rounded.
/// Throws    DomainError and ShapeError as geometric_frequencies, and unless 1 ≤ T ≤ T*.
double covering_factor(double base, std::size_t rotary_dim, std::int64_t trained_length,
                       std::int64_t length);

/// A base that serves a length, and one below which certainly none does.
struct SmallestBase {
  double base;
  double none_below;

  /// The smallest base is known to a millionth of itself. Where it is not, it lies between the two.
  bool certified() const;
};

/// The infimum of the bases b ≥ 1 for which Σ_i cos(Δb^(−2i/r)) ≥ 0 at every 1 ≤ Δ < length: a
/// rule of thumb for the bases that serve that length. Larger bases fail too, as the set is no
/// interval. Nothing if no base up to e^690 serves: with a single pair θ is 1 whatever the base,
/// and cos 2 < 0.
///
/// Accuracy  from 1 on bases are thrown out interval by interval, each by a distance whose sum is
///           negative all along it (derived at QuickSum::reach); so none below none_below serves.
///           The base serves: its sums are decided as first_negative does.
/// Time      a second for 2^17 tokens and 64 pairs, and three to six times as long for four times
///           as many.
/// Throws    ShapeError as geometric_frequencies; DomainError unless 2 ≤ length ≤ 2^40.
/// Source    Men et al., Base of RoPE Bounds Context Length, arXiv:2405.14591, definition 1.
std::optional<SmallestBase> smallest_base(std::int64_t length, std::size_t rotary_dim,
                                          const std::function<void()>& progress = {});

/// A base of at most two significant digits that serves a length, and bases about it that do.
struct RoundBase {
  double base;
  double from;  ///< all that were tried from here to
  double to;    ///< here serve: a thousandth of the base apart, no farther off than a twentieth
};

/// The smallest base b ≥ `least` of at most two significant digits for which
/// Σ_i cos(Δb^(−2i/r)) ≥ 0 at every 1 ≤ Δ < length. The smallest base of all often stands in an
/// interval so narrow that it cannot be rounded. Nothing if no base up to e^690 serves.
///
/// Accuracy  every base is judged as first_negative does; between those that were tried about the
///           found one, nothing is known.
/// Throws    ShapeError as geometric_frequencies; DomainError unless 2 ≤ length ≤ 2^40 and
///           1 ≤ least.
std::optional<RoundBase> round_base(std::int64_t length, std::size_t rotary_dim, double least,
                                    const std::function<void()>& progress = {});

}  // namespace rope
