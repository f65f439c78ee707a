#pragma once

#include <cstddef>
#include <string>

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

}  // namespace rope
