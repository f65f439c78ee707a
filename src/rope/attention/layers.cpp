#include "rope/attention/layers.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace rope {
namespace {

std::vector<std::int64_t> negated(std::span<const std::int64_t> positions) {
  std::vector<std::int64_t> result(positions.size());
  std::ranges::transform(positions, result.begin(), std::negate());
  return result;
}

}  // namespace

std::vector<AttentionLayer> random_layers(std::size_t layers, std::size_t head_dim,
                                          const std::shared_ptr<const PositionEncoding>& encoding,
                                          std::uint64_t seed) {
  const double deviation = 1 / std::sqrt(static_cast<double>(head_dim));
  std::vector<AttentionLayer> result;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const auto matrix = [&](std::uint64_t which, double scale) {
      return random_matrix(head_dim, head_dim, scale, seed, 4 * layer + which);
    };
    result.push_back({matrix(0, deviation), matrix(1, deviation), matrix(2, deviation),
                      matrix(3, deviation / 2), encoding, std::nullopt});
  }
  return result;
}

Tokens project(const RowMatrix& w, const Tokens& hidden) {
  Tokens result{RowMatrix(hidden.vectors.rows(), w.rows()), hidden.positions};
  for (Eigen::Index t = 0; t < result.vectors.rows(); ++t)
    std::ranges::copy(multiply(w, row_of(hidden.vectors, t)), result.vectors.row(t).data());
  return result;
}

LayerAttention attend(const AttentionLayer& layer, Mask mask, const Tokens& asking,
                      const Tokens& hidden) {
  LayerAttention result;
  result.queries = project(layer.w_q, asking);
  result.keys = project(layer.w_k, hidden);
  result.scores = layer.encoding->scores(result.queries, result.keys);
  apply_mask(mask, asking.positions, hidden.positions, result.scores);
  result.weights = softmax(result.scores);
  result.values = project(layer.w_v, hidden).vectors;
  if (layer.rotated_values)
    result.values = rotate(layer.rotated_values->embedding, result.values, hidden.positions);
  result.outputs = weighted_values(result.weights, result.values);
  if (layer.rotated_values && layer.rotated_values->turned_back)
    result.outputs =
        rotate(layer.rotated_values->embedding, result.outputs, negated(asking.positions));
  return result;
}

RowMatrix run_layers(std::span<const AttentionLayer> layers, const Tokens& hidden, Mask mask) {
  Tokens state = hidden;
  for (const AttentionLayer& layer : layers)
    state.vectors +=
        project(layer.w_o, {attend(layer, mask, state, state).outputs, state.positions}).vectors;
  return state.vectors;
}

}  // namespace rope
