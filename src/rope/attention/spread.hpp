#pragma once

#include <span>

namespace rope {

/// How one query spreads its attention over its keys.
struct Spread {
  double entropy = 0;  ///< −Σ a_j log₂ a_j, bits: 0 for a single key, log₂ n for n equal weights
  double top = 0;      ///< the largest weight
};

/// The spread of softmax(scores).
///
/// Shapes    scores: (n), n ≥ 1.
/// Accuracy  the entropy within (2n + 20)·u·(1 + log₂ n), the weight within (n + 4)·u relative, u =
///           2^-53 and n scores; in addition to the effect of errors in the scores.
/// Edge      a hidden key (−∞) is not counted. NaN if no key is visible, or if a score is NaN or
///           +∞.
Spread spread_of(std::span<const double> scores);

/// log₂ n: the entropy of n equal weights.
double most_entropy(std::size_t keys);

}  // namespace rope
