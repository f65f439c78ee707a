#include "rope/rotary/rotation_table.hpp"

#include <algorithm>
#include <iterator>

#include "rope/rotary/rotation.hpp"

namespace rope {

template <typename Number>
RotationTable<Number> rotation_table(const RotaryEmbedding& embedding,
                                     std::span<const std::int64_t> positions) {
  RotationTable<Number> table;
  table.positions = positions.size();
  table.pairs = embedding.pairs();
  table.cos.reserve(table.positions * table.pairs);
  table.sin.reserve(table.positions * table.pairs);
  const auto round = [](double value) { return static_cast<Number>(value); };
  for (const std::int64_t position : positions) {
    const RotationRow row = rotation_row(embedding, position);
    std::ranges::transform(row.cos, std::back_inserter(table.cos), round);
    std::ranges::transform(row.sin, std::back_inserter(table.sin), round);
  }
  return table;
}

template RotationTable<float> rotation_table(const RotaryEmbedding& embedding,
                                             std::span<const std::int64_t> positions);
template RotationTable<double> rotation_table(const RotaryEmbedding& embedding,
                                              std::span<const std::int64_t> positions);

}  // namespace rope
