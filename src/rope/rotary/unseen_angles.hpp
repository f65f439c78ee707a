#pragma once

#include <cstdint>
#include <vector>

#include "rope/rotary/frequencies.hpp"

namespace rope {

/// What a model trained on positions 0 … trained_length−1 meets when it is used up to length − 1,
/// with other frequencies or the same.
struct AngleCoverage {
  /// length·θ'_i over trained_length·θ_i: above 1, a pair that never completed a turn sees angles
  /// beyond those of training. NaN for a pair that never turned.
  std::vector<double> reach;
  /// Share of the positions trained_length … length−1 whose angle lies farther than the tolerance,
  /// around the circle, from the angle of every trained position.
  std::vector<double> unseen;
  /// Whether pair i completed no turn in training: trained_length < λ_i.
  std::vector<bool> never_turned;
};

/// The longest accepted input.
inline constexpr std::int64_t kMaxCoverageLength = std::int64_t{1} << 24;

/// An angle this close to a seen one counts as seen, in radians.
inline constexpr double kSeenWithin = 0.05;

/// Measures the coverage of every pair, by exact turns.
///
/// Shapes    both have the same number of pairs; so do the results.
/// Throws    ShapeError if they do not; DomainError unless 1 ≤ trained_length ≤ length ≤ 2^24 and
///           the tolerance is from 0 to π.
AngleCoverage angle_coverage(const Frequencies& trained, const Frequencies& extended,
                             std::int64_t trained_length, std::int64_t length,
                             double tolerance = kSeenWithin);

/// length·θ'_i over trained_length·θ_i, as in AngleCoverage.
///
/// Shapes    both have the same number of pairs; so does the result.
/// Accuracy  within 4 roundings, 2^-51 relative.
/// Throws    ShapeError if they do not; DomainError unless 1 ≤ trained_length ≤ length ≤ 2^24.
std::vector<double> angle_reach(const Frequencies& trained, const Frequencies& extended,
                                std::int64_t trained_length, std::int64_t length);

/// The widest part of the circle between two neighbouring angles of positions 0 … length−1; no
/// angle is farther than half of it from a seen one.
///
/// Units     radians, 2π for a single angle.
/// Accuracy  2^-61: the angles are cut to 64 bits of a turn; plus a rounding of 2π·gap.
/// Throws    DomainError unless there is such a pair and 1 ≤ length ≤ 2^24.
double widest_gap(const Frequencies& frequencies, std::size_t pair, std::int64_t length);

/// The angles of one pair as parts of a circle cut into `bins`: 0 where no position 0 … length−1
/// has one, 2 where a position beyond training has one farther than the tolerance from every
/// trained one, 1 elsewhere.
///
/// Throws    as angle_coverage.
std::vector<double> angle_fan(const Frequencies& trained, const Frequencies& extended,
                              std::size_t pair, std::int64_t trained_length, std::int64_t length,
                              std::size_t bins, double tolerance = kSeenWithin);

}  // namespace rope
