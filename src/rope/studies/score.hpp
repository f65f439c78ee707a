#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rope/attention/relative.hpp"
#include "rope/encodings/encodings.hpp"
#include "rope/rotary/cpu_level.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/rotary/measured.hpp"

namespace rope {

/// One query, one key, and the embedding that turns them.
struct ScoreVectors {
  RotaryEmbedding embedding;
  std::vector<double> q, k;  ///< (d) each
  CpuLevel level = best_cpu_level();
};

/// Throws    DomainError or ShapeError unless q and k have head_dim finite numbers each and each of
///           their scores fits a double.
void check_vectors(const ScoreVectors& vectors);

/// ⟨R_m q, R_n k⟩ and qᵀR_{n−m}k at one pair of positions. With an attention factor A, both contain
/// A².
struct ScoreSides {
  std::int64_t m = 0, n = 0;
  double left = 0;      ///< ⟨R_m q, R_n k⟩
  double right = 0;     ///< qᵀR_{n−m}k
  Measured difference;  ///< |left − right| and the running error bound
  double shifted = 0;   ///< ⟨R_{m+1} q, R_{n+1} k⟩
  Measured shift;       ///< |shifted − left| and its bound
  double wrong_sign = 0;
  /// Whether qᵀR_{m−n}k differs from the score by more than rounding explains.
  bool tells_sign = false;

  bool agree() const { return !difference.violated() && !shift.violated(); }
};

/// Throws    whatever check_vectors throws; DomainError for a position beyond ±2^61.
ScoreSides score_sides(const ScoreVectors& vectors, std::int64_t m, std::int64_t n);

/// What one pair of dimensions adds to the score: A²·Re(q_i* k_i e^{i(n−m)θ_i}), with q_i and k_i
/// read as complex numbers.
struct PairTerm {
  std::size_t pair = 0;
  double theta = 0;
  double most = 0;  ///< A²|q_i||k_i|: the term lies between −most and most at every distance
  double term = 0;
  double sum = 0;  ///< the sum of the terms of pairs 0 … pair
};

/// One half of the pairs, and the sum of their terms.
struct PairHalf {
  std::vector<std::size_t> pairs;  ///< ascending
  double sum = 0;
};

/// A score as the sum over its pairs.
struct ScoreTerms {
  std::int64_t distance = 0;
  std::vector<PairTerm> pairs;
  double passing = 0;  ///< Σ q_i k_i over the dimensions that pass through
  double score = 0;    ///< the sum of the terms and `passing`
  double allowed = 0;  ///< `score` differs by at most this from the same sum in any other order
  PairHalf faster;  ///< the half with the larger θ_i, including the middle pair if the number of
                    ///< pairs is odd
  PairHalf slower;
};

/// Throws    as check_vectors.
ScoreTerms score_terms(const ScoreVectors& vectors, std::int64_t distance);

/// The score qᵀR_Δk as a function of the distance Δ.
struct ScoreCurve {
  std::vector<double> scores;
  double norms = 0;    ///< |q||k|
  double allowed = 0;  ///< two scores that would be equal without rounding differ by at most this
  /// Indices of the distances with the largest and the smallest score, including all that rounding
  /// makes indistinguishable from these. The distance nearest to 0 comes first; of two equally
  /// near, the negative one.
  std::vector<std::size_t> largest, smallest;
};

/// Computes the curve. `progress` receives the number of distances computed since the last call.
///
/// Shapes    distances: (n), at least one; scores (n).
/// Throws    as check_vectors; DomainError if |q|, |k| or |q||k| is below 2^-900 or there is no
///           distance.
ScoreCurve score_curve(const ScoreVectors& vectors, const std::vector<std::int64_t>& distances,
                       const std::function<void(std::size_t)>& progress = {});

/// Scores divided by √d, or one term of these scores, for one q and one k at every pair of
/// positions.
struct ScoreMap {
  std::string name;
  RowMatrix scores;   ///< (T, T), query i and key j at positions i and j
  Difference spread;  ///< how much the numbers along a diagonal differ
};

/// One encoding over a grid of positions.
struct GridEncoding {
  EncodingSpec spec;
  EncodingLabel named;
  ParameterValues values;         ///< of every parameter
  std::vector<std::string> idle;  ///< given parameters that change no score
  ScoreMap whole;  ///< the map of the whole score: its diagonals are constant if and only if the
                   ///< encoding is relative
  std::vector<ScoreMap> terms;  ///< the maps of the four terms, for an encoding that has four
};

struct ScoreGridRequest {
  EncodingContext context;  ///< score_grid sets its map_tokens to the number of positions
  std::vector<EncodingSpec> encodings;
  std::vector<double> q, k;
  std::vector<std::int64_t> positions;
};

/// Computes scores at positions m and n, encoding by encoding; `measured` is called after each
/// encoding.
///
/// Throws    DomainError for fewer than two positions, for one that occurs twice, and for vectors
///           too short for score_curve; whatever is thrown by an encoding that cannot be made or
///           does not cover a position.
std::vector<GridEncoding> score_grid(const ScoreGridRequest& request,
                                     const std::function<void()>& measured = {});

}  // namespace rope
