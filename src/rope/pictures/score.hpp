#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rope/plot/figure.hpp"
#include "rope/studies/score.hpp"

namespace rope {

/// What each pair adds to the score, next to the most that it can add, and the running sum.
/// `subtitle`, here and below: the embedding and the vectors.
plot::Figure score_terms_figure(const ScoreTerms& terms, const std::string& subtitle);

/// Both sides of the identity as bars, next to the score with both positions increased by one and
/// the score with the wrong sign. If there is only one pair, it is also shown as arrows.
plot::Figure score_sides_figure(const ScoreVectors& vectors, const ScoreSides& sides,
                                const std::string& subtitle);

/// One of several curves in the same chart.
struct NamedScoreCurve {
  std::string label;  ///< the key vector of the curve: "k = R_50 q"
  ScoreCurve curve;
  plot::Text drawn = {};  ///< the label as set in a picture; if empty, `label` itself
};

/// Scores by distance, divided by |q||k|.
plot::Figure score_curves_figure(std::span<const NamedScoreCurve> curves,
                                 const std::vector<std::int64_t>& distances,
                                 const std::string& subtitle);

/// Scores over positions m and n, with a map for each encoding and for each of its terms.
plot::Figure score_grid_figure(std::span<const GridEncoding> grid,
                               std::span<const std::int64_t> positions,
                               const std::string& subtitle);

}  // namespace rope
