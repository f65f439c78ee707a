#include "rope/rotary/rotation_columns.hpp"

#include <string>

#include "rope/error.hpp"

namespace rope {
namespace {

void check_length(const RotaryEmbedding& embedding, std::size_t length) {
  if (length != embedding.head_dim || embedding.rotary_dim() > embedding.head_dim)
    throw ShapeError("columns: expected vectors of head_dim = " +
                     std::to_string(embedding.head_dim) + ", got " + std::to_string(length));
}

}  // namespace

RotationColumns rotation_columns(const RotaryEmbedding& embedding, const RotationRow& row) {
  check_row(embedding, row);
  RotationColumns columns{std::vector<double>(embedding.head_dim, 1),
                          std::vector<double>(embedding.head_dim, 0)};
  for (std::size_t i = 0; i < embedding.pairs(); ++i) {
    const auto [first, second] = embedding.dimensions(i);
    columns.cos[first] = columns.cos[second] = row.cos[i];
    columns.sin[first] = columns.sin[second] = row.sin[i];
  }
  return columns;
}

std::vector<double> quarter_turned(const RotaryEmbedding& embedding, std::span<const double> x) {
  check_length(embedding, x.size());
  std::vector<double> turned(x.size(), 0);
  for (std::size_t i = 0; i < embedding.pairs(); ++i) {
    const auto [first, second] = embedding.dimensions(i);
    turned[first] = -x[second];
    turned[second] = x[first];
  }
  return turned;
}

std::vector<double> rotate_by_columns(const RotaryEmbedding& embedding,
                                      const RotationColumns& columns, std::span<const double> x) {
  check_length(embedding, columns.cos.size());
  check_length(embedding, columns.sin.size());
  std::vector<double> result = quarter_turned(embedding, x);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = x[i] * columns.cos[i] + result[i] * columns.sin[i];
  return result;
}

}  // namespace rope
