#pragma once

#include <cstdint>
#include <string>

#include "rope/attention/context_bound.hpp"
#include "rope/rotary/frequencies.hpp"

namespace rope::app {

/// The first distance with a negative mean cosine, and how far it was looked for: every integer up
/// to there.
struct NegativeDistance {
  FirstNegative first;
  std::int64_t searched = 0;  ///< tokens
};

/// Looks for it up to `wanted` tokens, but no further than takes a moment: 2^20 tokens, less where
/// there are many pairs.
NegativeDistance negative_distance(const Frequencies& frequencies,
                                   std::int64_t wanted = std::int64_t{1} << 20);

}  // namespace rope::app
