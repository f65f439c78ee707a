#include "rope/studies/decay_map.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "rope/error.hpp"

namespace rope {
namespace {

/// Σ cos(Δθ_i) over the pairs of one axis.
double cosines(const RotaryEmbedding& embedding, std::size_t axis, std::int64_t distance) {
  double sum = 0;
  for (std::size_t k = 0; k < embedding.pairs(); ++k)
    if (embedding.axes.of_pair[k] == axis)
      sum += cos_sin(distance * embedding.frequencies.turns[k]).cos;
  return sum;
}

/// Rows and columns where the axes are called so; the last two otherwise.
std::array<std::size_t, 2> map_axes(const std::vector<std::string>& names) {
  const auto named = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  const std::size_t row = named("height"), column = named("width");
  if (row < names.size() && column < names.size()) return {row, column};
  return {names.size() - 2, names.size() - 1};
}

}  // namespace

DecayMap decay_map(const RotaryEmbedding& embedding, std::vector<std::int64_t> distances) {
  const std::size_t axes = embedding.axes.count();
  if (axes < 2) throw ShapeError("map: expected an embedding with several axes, got one");
  const auto [row_axis, column_axis] = map_axes(embedding.axes.names);
  DecayMap map{row_axis, column_axis, std::move(distances), {}};
  const auto still = static_cast<double>(embedding.pairs() - embedding.axes.pairs_of(row_axis) -
                                         embedding.axes.pairs_of(column_axis));
  std::vector<double> rows, columns;
  for (const std::int64_t distance : map.distances) {
    rows.push_back(cosines(embedding, map.row_axis, distance));
    columns.push_back(cosines(embedding, map.column_axis, distance));
  }
  const auto pairs = static_cast<double>(embedding.pairs());
  for (const double row : rows)
    for (const double column : columns) map.mean_cosine.push_back((still + row + column) / pairs);
  return map;
}

}  // namespace rope
