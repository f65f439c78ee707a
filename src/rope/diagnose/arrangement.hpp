#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rope/diagnose/tensors.hpp"
#include "rope/rotary/layout.hpp"

namespace rope {

/// Which dimensions of x form a pair, and where the rotated pair stands in y.
///
/// σ takes place i of the half order to its place in the interleaved order: σ(jK + k) = 2k + j, the
/// permutation that converters between checkpoints of the two layouts make, K = r/2. A pair stands
/// at σ^e(2k), σ^e(2k + 1): e = 0 is interleaved, e = −1 half; the other powers arise where the
/// rows of a projection were permuted once too often or in the wrong sense.
struct Arrangement {
  std::size_t offset = 0;      ///< dimensions before the rotated ones
  std::size_t rotary_dim = 0;  ///< r
  int in = 0;                  ///< e of x
  int out = 0;                 ///< e of y

  std::size_t pairs() const { return rotary_dim / 2; }
  PairDimensions in_dimensions(std::size_t pair) const;
  PairDimensions out_dimensions(std::size_t pair) const;

  friend bool operator==(const Arrangement&, const Arrangement&) = default;
};

/// "interleaved", "half", "interleaved-to-half": the layout of x, and of y where it differs.
std::string name(const Arrangement& arrangement);

/// The bound on what rounding alone did to one number of a rotated pair is `relative` times
/// (|x_a| + |x_b|), before anything is known of the pipeline: for the search, not for the verdict.
struct SearchTolerance {
  double relative = 0;
  double table = 0;    ///< error of cos and sin
  double passing = 0;  ///< relative to |x|: what may happen to a number that is not rotated
};

/// Every arrangement under which y can be pairs of x, turned by one angle a token and stretched by
/// one factor, numbers outside the block unchanged; the usual ones first. Of interleaved blocks
/// that differ by pairs which did not visibly turn, the smallest.
struct ArrangementSearch {
  std::vector<Arrangement> fitting;
  /// Where none fits: the one under which most pairs fit, and the pairs that do not.
  Arrangement nearest;
  std::vector<std::size_t> nearest_misfits;
};

/// The dimensions in which y differs from x.
struct ChangedDimensions {
  bool any = false;
  std::size_t first = 0, last = 0;
};
ChangedDimensions changed_dimensions(const RotatedTensors& tensors,
                                     const SearchTolerance& tolerance);

/// Whether every pair of every token turns under an arrangement.
bool turns(const RotatedTensors& tensors, const Arrangement& arrangement,
           const SearchTolerance& tolerance);

/// One pair of every vector, as vectors of two dimensions.
RotatedTensors pair_alone(const RotatedTensors& tensors, const Arrangement& arrangement,
                          std::size_t pair);

/// `changed`: those of all tokens; `tensors` may be a sample.
ArrangementSearch find_arrangements(const RotatedTensors& tensors, const ChangedDimensions& changed,
                                    const SearchTolerance& tolerance);

}  // namespace rope
