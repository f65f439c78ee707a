#pragma once

#include <array>
#include <span>
#include <vector>

#include "rope/precision/pipeline.hpp"

namespace rope {

// Bounds on evaluation errors, computed from the intermediate numbers; docs/accuracy.md derives
// them.

/// A vector together with a bound on the error of each of its entries.
struct VectorWithError {
  std::span<const double> values;
  std::span<const double> errors;  ///< empty: the values are exact
};

/// da_i ≥ |y_i − (exact product of the table's blocks with x)_i| from the intermediate numbers:
/// u(|first product| + |second product| + |sum|) + η, and the cast to the store format. A product
/// with 0 or ±1 adds only the actual rounding of the other number: nothing if the apply format can
/// represent that number.
///
/// Shapes    x, y, errors: (d).
void rotation_running_error(const Pipeline& pipeline, const PairBlocks& blocks,
                            std::span<const double> x, std::span<const double> y,
                            std::span<double> errors);

/// A_run: bound on |computed dot product − exact dot product of the exact vectors|, from the actual
/// partial sums (Higham, Accuracy and Stability, 2nd ed., §3.3).
double dot_running_error(const Pipeline& pipeline, VectorWithError a, VectorWithError b,
                         const Score& score);

/// Appends the independent parts of that error to `errors`.
void add_dot_errors(const Pipeline& pipeline, VectorWithError a, VectorWithError b,
                    std::vector<double>& errors);

/// A score for a pipeline to compute together with its bound A_run.
struct ScoreTask {
  const Pipeline& pipeline;
  VectorWithError a, b;
};
struct BoundedScore {
  Score score;
  double error = 0;
};

/// Two scores of vectors of equal length, computed side by side, because neither sum depends on the
/// other. The bits are those of Pipeline::dot and dot_running_error.
std::array<BoundedScore, 2> bounded_scores(const ScoreTask& first, const ScoreTask& second);

}  // namespace rope
