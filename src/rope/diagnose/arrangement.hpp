#pragma once

// Which dimensions turn together in x, and where they are in y: layouts, and faulty conversions
// between them.

#include <cstddef>
#include <string>

#include "rope/rotary/embedding.hpp"
#include "rope/rotary/layout.hpp"

namespace rope {

/// Which dimensions of x form a pair, and where the rotated pair is stored in y.
///
/// σ maps an index in the half order to the corresponding index in the interleaved order: σ(jK + i)
/// = 2i + j with K = r/2, which is the permutation that checkpoint converters apply. Pair i is
/// (σ^e(2i), σ^e(2i + 1)): e = 0 is interleaved and e = −1 is half; other powers result when the
/// rows of a projection are permuted once too often or in the wrong direction.
struct Arrangement {
  std::size_t offset = 0;      ///< dimensions before the rotated ones
  std::size_t rotary_dim = 0;  ///< r
  int in = 0;                  ///< e for x
  int out = 0;                 ///< e for y
  /// The number of equal-sized blocks in which pairs are laid out separately, for example one block
  /// per axis (ChatGLM-6B). The pairs of the first block come first.
  std::size_t blocks = 1;

  std::size_t pairs() const { return rotary_dim / 2; }
  /// Whether a dimension is one of the rotated ones.
  bool rotates(std::size_t dimension) const {
    return dimension >= offset && dimension < offset + rotary_dim;
  }
  PairDimensions in_dimensions(std::size_t pair) const;
  PairDimensions out_dimensions(std::size_t pair) const;

  friend bool operator==(const Arrangement&, const Arrangement&) = default;
};

/// The number of equal-sized blocks in which an embedding lays out its pairs: 1 unless each axis
/// has its own block.
///
/// Throws    ShapeError if the blocks differ in size, which an arrangement cannot express.
std::size_t blocks_of(const RotaryEmbedding& embedding);

/// "interleaved", "half", "half-in-2-blocks", "interleaved-to-half": the layout of x, followed by
/// the layout of y if it differs.
std::string name(const Arrangement& arrangement);

}  // namespace rope
