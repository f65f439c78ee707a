#include "rope/attention/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "rope/attention/exponential.hpp"
#include "rope/error.hpp"

namespace rope {

void apply_mask(Mask mask, std::span<const std::int64_t> query_positions,
                std::span<const std::int64_t> key_positions, RowMatrix& scores) {
  if (scores.rows() != static_cast<Eigen::Index>(query_positions.size()) ||
      scores.cols() != static_cast<Eigen::Index>(key_positions.size()))
    throw ShapeError("mask: expected a score for each of " +
                     std::to_string(query_positions.size()) + " queries and " +
                     std::to_string(key_positions.size()) + " keys, got " +
                     std::to_string(scores.rows()) + "x" + std::to_string(scores.cols()));
  if (mask == Mask::none) return;
  for (std::size_t i = 0; i < query_positions.size(); ++i)
    for (std::size_t j = 0; j < key_positions.size(); ++j)
      if (key_positions[j] > query_positions[i])
        scores(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            -std::numeric_limits<double>::infinity();
}

RowMatrix softmax(const RowMatrix& scores) {
  RowMatrix weights(scores.rows(), scores.cols());
  for (Eigen::Index i = 0; i < scores.rows(); ++i) {
    double largest = -std::numeric_limits<double>::infinity();
    for (Eigen::Index j = 0; j < scores.cols(); ++j) largest = std::max(largest, scores(i, j));
    double sum = 0;
    for (Eigen::Index j = 0; j < scores.cols(); ++j) {
      weights(i, j) = exponential(scores(i, j) - largest);
      sum += weights(i, j);
    }
    for (Eigen::Index j = 0; j < scores.cols(); ++j) weights(i, j) /= sum;
  }
  return weights;
}

RowMatrix weighted_values(const RowMatrix& weights, const RowMatrix& values) {
  if (weights.cols() != values.rows())
    throw ShapeError("attention: expected a value for each of " + std::to_string(weights.cols()) +
                     " keys, got " + std::to_string(values.rows()));
  RowMatrix result = RowMatrix::Zero(weights.rows(), values.cols());
  for (Eigen::Index i = 0; i < weights.rows(); ++i)
    for (Eigen::Index j = 0; j < weights.cols(); ++j)
      for (Eigen::Index c = 0; c < values.cols(); ++c) result(i, c) += weights(i, j) * values(j, c);
  return result;
}

RowMatrix attention_weights(const PositionEncoding& encoding, const Tokens& queries,
                            const Tokens& keys, Mask mask) {
  RowMatrix scores = encoding.scores(queries, keys);
  apply_mask(mask, queries.positions, keys.positions, scores);
  return softmax(scores);
}

}  // namespace rope
