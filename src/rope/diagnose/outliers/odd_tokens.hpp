#pragma once

#include <optional>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// A convention that most tokens follow, but not all.
struct MajorityExplanation {
  Explanation explanation;          ///< judged at every number, including those that deviate
  std::vector<std::size_t> tokens;  ///< the tokens that hold a number beyond its bound, ascending
};

/// Searches for a convention that all but a few tokens follow.
///
/// The tokens are split into four blocks, and each block is explained by itself: a token that does
/// not fit spoils only its own block. The explanation of a block is compared with every token, and
/// the tokens that fit are explained once more by themselves. If the request has no positions,
/// tokens that do not fit may be at other positions. Rotated tokens are omitted from `tokens` if
/// the same convention explains them at other positions.
///
/// Edge      nothing if fewer than two thirds of the tokens in which y differs from x follow one
///           convention, if there are fewer than eight tokens, or if every token follows the
///           convention.
std::optional<MajorityExplanation> explain_majority(const RotatedTensors& tensors,
                                                    const DiagnosisRequest& request);

}  // namespace rope
