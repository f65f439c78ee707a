#pragma once

#include <optional>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// A convention that most pairs follow, if no convention explains all pairs.
struct OddPairsExplanation {
  Explanation explanation;     ///< judged at every number, including those of the odd pairs
  std::vector<OddPair> pairs;  ///< ascending
};

/// Searches for such a convention. If a pairing rotates every pair, the search tries −y, then y
/// with each block of pairs in turn set to zero, so that this block is ignored. If no pairing
/// rotates every pair, the search omits the pairs that do not fit the nearest pairing. The
/// explanation of the remaining pairs is then compared with every pair.
///
/// Edge      nothing if fewer than two thirds of the pairs follow the convention (unless all are
///           negated), or if an odd pair has a frequency of its own, which may come from a rule
///           that was not tried.
std::optional<OddPairsExplanation> explain_all_but_odd_pairs(const RotatedTensors& tensors,
                                                             const DiagnosisRequest& request,
                                                             std::span<const Arrangement> pairings,
                                                             const Arrangement& nearest,
                                                             std::span<const std::size_t> misfits);

}  // namespace rope
