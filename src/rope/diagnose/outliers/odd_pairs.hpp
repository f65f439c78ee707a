#pragma once

#include <optional>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// A convention that most pairs follow, where none explains all of them.
struct OddPairsExplanation {
  Explanation explanation;     ///< judged at every number, those of the odd pairs included
  std::vector<OddPair> pairs;  ///< ascending
};

/// Looks for such a convention. Where one of the pairings rotates every pair, −y is tried, then y
/// without one block of pairs after the other, which are set to zero and so say nothing. Where none
/// does, the pairs that do not fit the nearest pairing are left out. What explains the rest is
/// compared with every pair.
///
/// Edge      nothing if fewer than two thirds of the pairs follow it, unless all are negated, or if
/// an odd pair has a frequency of its own, which may come from a rule that was not
///           tried.
std::optional<OddPairsExplanation> explain_all_but_odd_pairs(const RotatedTensors& tensors,
                                                             const DiagnosisRequest& request,
                                                             std::span<const Arrangement> pairings,
                                                             const Arrangement& nearest,
                                                             std::span<const std::size_t> misfits);

}  // namespace rope
