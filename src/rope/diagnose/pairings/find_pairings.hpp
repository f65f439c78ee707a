#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/diagnose/arrangement.hpp"
#include "rope/diagnose/judgement.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

struct DiagnosisRequest;

/// Error of an angle mθ in float32, divided by m, for θ ≤ 1: from rounding θ and from rounding the
/// product.
inline constexpr double kFloatAngle = 0x1p-23;

/// How much rounding may have changed y, estimated before anything is known about the pipeline: for
/// the search, not for the verdict.
struct SearchTolerance {
  double relative = 0;  ///< error of one number of a rotated pair, relative to |x_a| + |x_b|
  double table = 0;     ///< error of cos and sin
  double passing = 0;   ///< error of a number that is not rotated, relative to |x|
  /// Error of a number of x that was turned back from a rotation, relative to its pair's length.
  double carried = 0;
};

/// The tolerance for numbers in a format.
///
/// `table`: error of cos and sin, if those are coarser than y.
SearchTolerance search_tolerance(const RotatedTensors& tensors, Format storage,
                                 const DiagnosisHypotheses& hypotheses, double table);

/// Every arrangement under which y can be x with each pair turned by one angle per token and scaled
/// by one factor, with the numbers outside the rotated block unchanged; usual arrangements come
/// first. Of interleaved blocks that differ only in pairs that did not visibly turn, only the
/// smallest is included.
struct FoundPairings {
  std::vector<Arrangement> fitting;
  /// If none fits: the arrangement under which the most pairs fit, and the pairs that do not.
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

/// The block with one more pair after its slowest one; nothing if the head ends there.
std::optional<Arrangement> longer_block(const Arrangement& block, bool slowest_first,
                                        std::size_t dim);

/// Whether every pair of every token is rotated under an arrangement.
bool turns(const RotatedTensors& tensors, const Arrangement& arrangement,
           const SearchTolerance& tolerance);

/// Whether vectors that deviate from the others could follow the same convention at other
/// positions: true if the request has no positions and all pairs of these vectors keep their
/// length.
bool may_stand_elsewhere(const RotatedTensors& vectors, const Arrangement& arrangement,
                         const RotatedTensors& all, const DiagnosisRequest& request);

/// Finds the arrangements that fit. `changed`: computed from all tokens; `tensors` may be a sample
/// of the tokens.
FoundPairings find_pairings(const RotatedTensors& tensors, const ChangedDimensions& changed,
                            const SearchTolerance& tolerance);

}  // namespace rope
