#pragma once

#include <optional>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// The convention that most tokens, or most pairs, follow where not all of them do.
struct MajorityExplanation {
  Explanation explanation;          ///< judged at every number, those that break it included
  std::vector<std::size_t> tokens;  ///< that hold a number beyond its bound, ascending
};

/// Looks for a convention that all but a few tokens follow, or all but a few pairs.
///
/// Tokens: one that does not fit spoils at most one of four blocks of tokens, so each block is
/// explained by itself. What explains one is compared with every token, and what fits is explained
/// once more without the others. Pairs: those that no rotation fits are set to zero, which tells
/// nothing, and the others are explained.
///
/// `nearest`, `misfits`: the pairing under which most pairs turn, and its pairs that do not.
/// Edge      nothing if fewer than two thirds of the tokens or pairs follow one convention, if
/// there
///           are fewer than eight tokens and no pair to leave out, or if nothing breaks it.
std::optional<MajorityExplanation> explain_majority(const RotatedTensors& tensors,
                                                    const DiagnosisRequest& request,
                                                    const Arrangement& nearest,
                                                    std::span<const std::size_t> misfits);

/// diagnose() without this search: what the search itself uses.
Diagnosis diagnose_all_tokens(const RotatedTensors& tensors, const DiagnosisRequest& request);

}  // namespace rope
