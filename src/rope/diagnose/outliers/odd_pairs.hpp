#pragma once

#include <optional>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// The convention that most pairs follow where nothing explains all of them.
struct OddPairsExplanation {
  Explanation explanation;     ///< judged at every number, those of the odd pairs included
  std::vector<OddPair> pairs;  ///< ascending
};

/// Looks for it where one of the pairings turns every pair: y is negated as a whole, or without one
/// block of pairs after the other, which are set to zero and so tell nothing. Where none does,
/// without those pairs that the nearest pairing does not turn. What explains the rest is compared
/// with every pair.
///
/// Edge      nothing if fewer than two thirds of the pairs follow it and not all are negated, or if
///           an odd pair turns by a frequency of its own: a rule that nobody looked for may give
///           it.
std::optional<OddPairsExplanation> explain_all_but_odd_pairs(const RotatedTensors& tensors,
                                                             const DiagnosisRequest& request,
                                                             std::span<const Arrangement> pairings,
                                                             const Arrangement& nearest,
                                                             std::span<const std::size_t> misfits);

}  // namespace rope
