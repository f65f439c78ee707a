#include "rope/attention/relative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "rope/error.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/exact_real.hpp"

namespace rope {
namespace {

constexpr double kLawExplains = 0.9;

/// The scores of one query with copies of one key at many positions.
std::vector<double> one_row(const PositionEncoding& encoding, std::span<const double> q,
                            std::int64_t query, std::span<const double> k,
                            std::vector<std::int64_t> key_positions) {
  const RowMatrix scores =
      encoding.scores(copies_at(q, {query}), copies_at(k, std::move(key_positions)));
  return {scores.data(), scores.data() + scores.size()};
}

/// 0, then four distances an octave and the reach: a law is judged on its whole range alike.
std::vector<std::int64_t> decay_distances(std::int64_t reach) {
  std::vector<std::int64_t> distances = {0};
  const double step = std::sqrt(std::sqrt(2.0));
  double real = 1;
  while (real < static_cast<double>(reach)) {
    if (const auto distance = std::int64_t{std::llround(real)}; distance > distances.back())
      distances.push_back(distance);
    real *= step;
  }
  if (distances.back() < reach) distances.push_back(reach);
  return distances;
}

struct Fit {
  double slope, explained;
};

/// Least squares of y against x with a constant.
Fit line_fit(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  return {xy / xx, yy > 0 ? xy * xy / (xx * yy) : 0};
}

/// The scores of one diagonal.
struct Diagonal {
  double low, high;
  std::int64_t low_at, high_at;  ///< positions of the query
  bool number = true;            ///< none of them is a NaN

  explicit Diagonal(double score, std::int64_t query)
      : low(score), high(score), low_at(query), high_at(query), number(!std::isnan(score)) {}

  void take(double score, std::int64_t query) {
    if (score < low) low = score, low_at = query;
    if (score > high) high = score, high_at = query;
    number = number && !std::isnan(score);
  }
  double spread() const { return number ? high - low : std::numeric_limits<double>::quiet_NaN(); }
};

/// The diagonals of one or more matrices of scores, by their distance.
class Diagonals {
 public:
  void take(std::span<const std::int64_t> positions, const RowMatrix& scores) {
    const auto size = static_cast<Eigen::Index>(positions.size());
    if (scores.rows() != size || scores.cols() != size)
      throw ShapeError("diagonals: expected scores for " + std::to_string(size) +
                       " queries and keys");
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j < size; ++j) {
        const std::int64_t query = positions[static_cast<std::size_t>(i)];
        const std::int64_t distance = positions[static_cast<std::size_t>(j)] - query;
        const auto [found, first] = diagonals_.try_emplace(distance, scores(i, j), query);
        if (!first) found->second.take(scores(i, j), query);
      }
  }

  /// The one whose spread is largest beside its bound; a NaN is worse than all.
  Difference widest(const PositionEncoding& encoding, double q_norm, double k_norm) const {
    Difference worst;
    bool first = true;
    for (const auto& [distance, diagonal] : diagonals_) {
      const Measured here{diagonal.spread(), 2 * encoding.score_error(q_norm, k_norm, distance)};
      if (!first && !here.worse_than(worst)) continue;
      first = false;
      worst = {here, distance, std::abs(diagonal.high_at - diagonal.low_at)};
    }
    return worst;
  }

 private:
  std::map<std::int64_t, Diagonal> diagonals_;
};

}  // namespace

Tokens copies_at(std::span<const double> x, std::vector<std::int64_t> positions) {
  Tokens tokens;
  tokens.vectors.resize(static_cast<Eigen::Index>(positions.size()),
                        static_cast<Eigen::Index>(x.size()));
  for (Eigen::Index t = 0; t < tokens.vectors.rows(); ++t)
    std::ranges::copy(x, tokens.vectors.row(t).data());
  tokens.positions = std::move(positions);
  return tokens;
}

ShiftedScores shifted_scores(const PositionEncoding& encoding, std::span<const double> q,
                             std::span<const double> k, std::int64_t reach,
                             std::span<const std::int64_t> shifts) {
  if (reach < 0 || shifts.empty() || std::ranges::min(shifts) < 0)
    throw DomainError("shifts: expected a reach and shifts of at least 0");
  ShiftedScores result;
  result.shifts.assign(shifts.begin(), shifts.end());
  for (std::int64_t distance = -reach; distance <= reach; ++distance) {
    result.distances.push_back(distance);
    result.allowed.push_back(2 * encoding.score_error(norm(q), norm(k), distance));
  }
  for (const std::int64_t shift : shifts) {
    std::vector<std::int64_t> keys;
    for (const std::int64_t distance : result.distances) keys.push_back(shift + reach + distance);
    result.scores.push_back(one_row(encoding, q, shift + reach, k, std::move(keys)));
  }
  return result;
}

Difference spread_along_diagonals(const PositionEncoding& encoding, double q_norm, double k_norm,
                                  std::span<const std::int64_t> positions,
                                  const RowMatrix& scores) {
  Diagonals diagonals;
  diagonals.take(positions, scores);
  return diagonals.widest(encoding, q_norm, k_norm);
}

Difference spread_over_lists(const PositionEncoding& encoding, std::span<const double> q,
                             std::span<const double> k,
                             std::span<const std::vector<std::int64_t>> lists) {
  Diagonals diagonals;
  for (const std::vector<std::int64_t>& positions : lists)
    diagonals.take(positions, encoding.scores(copies_at(q, positions), copies_at(k, positions)));
  return diagonals.widest(encoding, norm(q), norm(k));
}

Difference difference_of_directions(const ShiftedScores& scores) {
  Difference worst;
  const std::vector<double>& row = scores.scores.front();
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double error = std::abs(row[i] - row[row.size() - 1 - i]);
    if (error <= worst.error) continue;
    const double bound = (scores.allowed[i] + scores.allowed[row.size() - 1 - i]) / 2;
    worst = {{error, bound}, scores.distances[i], scores.shifts.front()};
    if (std::isnan(error)) return worst;
  }
  return worst;
}

ScoreDecay score_decay(const PositionEncoding& encoding, std::size_t head_dim, std::int64_t reach,
                       std::int64_t positions, std::size_t samples, std::uint64_t seed) {
  if (reach < 2 || reach >= positions || samples < 1)
    throw DomainError("decay: expected 2 <= reach < positions and at least one sample, got " +
                      std::to_string(reach) + ", " + std::to_string(positions) + " and " +
                      std::to_string(samples));
  ScoreDecay decay{decay_distances(reach), {}};
  decay.mean.assign(decay.distances.size(), 0);
  std::vector<double> x(head_dim);
  for (std::size_t sample = 0; sample < samples; ++sample) {
    RandomStream stream(seed, sample);
    for (double& entry : x) entry = stream.integer(0, 1) == 0 ? -1 : 1;
    const std::int64_t query = stream.integer(reach, positions - 1);
    std::vector<std::int64_t> keys;
    for (const std::int64_t distance : decay.distances) keys.push_back(query - distance);
    const std::vector<double> scores = one_row(encoding, x, query, x, std::move(keys));
    for (std::size_t i = 0; i < scores.size(); ++i)
      decay.mean[i] += (scores[i] - scores[0]) / static_cast<double>(samples);
  }
  return decay;
}

DecayLaw decay_law(const ScoreDecay& decay, double rounding) {
  const std::span<const double> mean = std::span(decay.mean).subspan(1);
  const auto [low, high] = std::ranges::minmax(mean);
  if (high - low <= rounding) return {"constant", 0, 1};
  std::vector<double> tokens, logarithms;
  for (std::size_t i = 1; i < decay.distances.size(); ++i) {
    tokens.push_back(static_cast<double>(decay.distances[i]));
    logarithms.push_back(static_cast<double>(log(ExactReal(decay.distances[i]))));
  }
  const Fit linear = line_fit(tokens, mean);
  const Fit logarithmic = line_fit(logarithms, mean);
  const bool straight = linear.explained >= logarithmic.explained;
  const Fit& better = straight ? linear : logarithmic;
  if (!(better.explained >= kLawExplains)) return {"none", better.slope, better.explained};
  return {straight ? "linear" : "logarithmic", better.slope, better.explained};
}

}  // namespace rope
