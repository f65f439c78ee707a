#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rope/encodings/encoding.hpp"
#include "rope/rotary/measured.hpp"

namespace rope {

/// Tokens that have the same vector at every position.
///
/// Shapes    x: (d).
Tokens copies_at(std::span<const double> x, std::vector<std::int64_t> positions);

/// Scores, by distance Δ = n − m, of one q and one k that are the same vectors at every position.
/// They are computed once for each shift s of both positions.
struct ShiftedScores {
  std::vector<std::int64_t> distances;      ///< −reach … reach
  std::vector<std::int64_t> shifts;         ///< the query is at s + reach
  std::vector<std::vector<double>> scores;  ///< for each shift, at each distance
  std::vector<double> allowed;  ///< how much rounding may change a score at each distance
};

/// Measures these scores.
///
/// Shapes    q, k: (d).
/// Throws    DomainError unless reach ≥ 0, there is at least one shift and all shifts are ≥ 0;
///           whatever the encoding throws.
ShiftedScores shifted_scores(const PositionEncoding& encoding, std::span<const double> q,
                             std::span<const double> k, std::int64_t reach,
                             std::span<const std::int64_t> shifts);

/// A difference of scores, how much of it rounding explains, and where it was found.
struct Difference : Measured {
  std::int64_t distance = 0;
  std::int64_t shift = 0;
};

/// How far the scores of one q and one k spread along the diagonals of their matrix: the largest
/// score of a diagonal minus the smallest, for the diagonal where this is largest relative to its
/// bound of twice score_error. `shift` is the number of positions between these two scores.
///
/// Shapes    scores: (T, T), query i and key j at positions i and j; q, k as given to the encoding.
/// Throws    ShapeError if the matrix has another size.
Difference spread_along_diagonals(const PositionEncoding& encoding, double q_norm, double k_norm,
                                  std::span<const std::int64_t> positions, const RowMatrix& scores);

/// Are the scores a function of only the distance? Measures the same spread over several lists of
/// tokens; all diagonals at one distance count as a single diagonal. A score may depend on other
/// tokens of the list, such as the last key, so each list is scored as a whole.
///
/// Shapes    q, k: (d), the vectors at every position of every list.
/// Throws    what the encoding throws.
Difference spread_over_lists(const PositionEncoding& encoding, std::span<const double> q,
                             std::span<const double> k,
                             std::span<const std::vector<std::int64_t>> lists);

/// Does the sign of the distance matter? The largest |score(Δ) − score(−Δ)| at the first shift.
Difference difference_of_directions(const ShiftedScores& scores);

/// How the score of a vector with itself falls with distance, averaged over query positions and
/// vectors.
struct ScoreDecay {
  /// 0, then evenly spaced per octave up to the reach; keys come before the query.
  std::vector<std::int64_t> distances;
  std::vector<double> mean;  ///< mean score minus the mean score at distance 0
};

/// Measures the decay on `samples` vectors of random signs, each at a random position up to
/// `positions`. With such vectors, all pairs of a rotation have the same weight, so RoPE shows its
/// mean cosine without noise.
///
/// Throws    DomainError unless 2 ≤ reach < positions and samples ≥ 1.
ScoreDecay score_decay(const PositionEncoding& encoding, std::size_t head_dim, std::int64_t reach,
                       std::int64_t positions, std::size_t samples, std::uint64_t seed);

/// The law that a decay follows from distance 1 on.
struct DecayLaw {
  std::string_view name;  ///< "linear", "logarithmic", "constant" or "none"
  double slope = 0;       ///< per token (linear), or per factor e in distance (logarithmic)
  double fit = 0;         ///< R², the share of the variance that the law explains
};

/// The linear or the logarithmic law, whichever fits better by least squares; "none" if both
/// explain less than nine tenths of the variance, "constant" if nothing changes by more than
/// `rounding`.
DecayLaw decay_law(const ScoreDecay& decay, double rounding);

}  // namespace rope
