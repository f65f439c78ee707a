#pragma once

#include <cstddef>
#include <vector>

namespace rope {

/// Vectors that no rotation made although it made the others: y is zero where x is not, or y is x,
/// bit for bit, where the other vectors of the token turn.
///
/// Lanes are vectors of every token, tokens hold all their vectors. Ascending.
struct Unwritten {
  std::vector<std::size_t> zero_lanes;
  std::vector<std::size_t> zero_tokens;
  std::vector<std::size_t> same_lanes;

  bool any() const { return !zero_lanes.empty() || !zero_tokens.empty() || !same_lanes.empty(); }
};

/// Dimensions behind the rotated ones, which should pass through, and are not those of x.
struct ForeignTail {
  enum class Holds {
    zero,          ///< zeros
    another_lane,  ///< those of the vector of x that stands `lanes` further on
    others,        ///< other numbers
  };
  std::size_t first = 0, last = 0;  ///< dimensions
  Holds holds = Holds::others;
  std::ptrdiff_t lanes = 0;
};

}  // namespace rope
