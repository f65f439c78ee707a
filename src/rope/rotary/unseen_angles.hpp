#pragma once

#include <cstdint>
#include <vector>

#include "rope/rotary/frequencies.hpp"

namespace rope {

/// How new the angles at positions up to length − 1 are to a model trained on positions 0 …
/// trained_length−1. The frequencies may have changed since training.
struct AngleCoverage {
  /// length·θ'_i over trained_length·θ_i, where θ'_i is the frequency after extension. If it is
  /// above 1, a pair that never completed a turn sees angles beyond those in training. NaN if θ_i
  /// is 0.
  std::vector<double> reach;
  /// Share of the positions trained_length … length−1 whose angle is farther than the tolerance,
  /// around the circle, from the angle of every trained position.
  std::vector<double> unseen;
  /// Whether pair i completed no turn in training: trained_length < λ_i.
  std::vector<bool> never_turned;
};

/// The largest accepted length.
inline constexpr std::int64_t kMaxCoverageLength = std::int64_t{1} << 24;

/// The distance, in radians, from a seen angle within which another angle counts as seen.
inline constexpr double kSeenWithin = 0.05;

/// Measures the coverage of every pair, using exact turns.
///
/// Shapes    trained and extended have the same number of pairs, and the results have as many.
/// Throws    ShapeError if they do not; DomainError unless 1 ≤ trained_length ≤ length ≤ 2^24 and
///           the tolerance is from 0 to π.
AngleCoverage angle_coverage(const Frequencies& trained, const Frequencies& extended,
                             std::int64_t trained_length, std::int64_t length,
                             double tolerance = kSeenWithin);

/// length·θ'_i over trained_length·θ_i, as in AngleCoverage.
///
/// Shapes    trained and extended have the same number of pairs, and the result has as many.
/// Accuracy  within 4 roundings, 2^-51 relative.
/// Throws    ShapeError if they do not; DomainError unless 1 ≤ trained_length ≤ length ≤ 2^24.
std::vector<double> angle_reach(const Frequencies& trained, const Frequencies& extended,
                                std::int64_t trained_length, std::int64_t length);

/// The widest gap on the circle between two neighbouring angles of positions 0 … length−1; no angle
/// is farther than half of this gap from the nearest of them.
///
/// Units     radians, 2π for a single angle.
/// Accuracy  2^-61, because the angles are cut to 64 bits of a turn, plus a rounding of 2π·gap.
/// Throws    DomainError unless the pair exists and 1 ≤ length ≤ 2^24.
double widest_gap(const Frequencies& frequencies, std::size_t pair, std::int64_t length);

/// The angles of one pair, on a circle cut into `bins` parts. The value of a part is 0 if no
/// position 0 … length−1 has an angle in it; 2 if a position beyond training has an angle there
/// farther than the tolerance from every trained angle; 1 otherwise.
///
/// Throws    as angle_coverage does.
std::vector<double> angle_fan(const Frequencies& trained, const Frequencies& extended,
                              std::size_t pair, std::int64_t trained_length, std::int64_t length,
                              std::size_t bins, double tolerance = kSeenWithin);

}  // namespace rope
