#pragma once

// Tables of cos and sin, positions × pairs: for use in a kernel, or to check a kernel's own tables.
//
//     const auto table = rope::rotation_table<float>(embedding, positions);
//     const float cosine = table.cos[2 * table.pairs + 5];   // third position, pair 5

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rope/rotary/embedding.hpp"

namespace rope {

/// A·cos(mθ_i) and A·sin(mθ_i), with one row per position and one column per pair, as kernels store
/// them.
template <typename Number>
struct RotationTable {
  std::size_t positions = 0;
  std::size_t pairs = 0;    ///< r/2
  std::vector<Number> cos;  ///< positions × pairs, row-major: entry (row, i) is cos[row·pairs + i]
  std::vector<Number> sin;  ///< likewise
};

/// The table for any positions, attention factor A included. Number is float or double.
///
/// Shapes    positions: (T). cos and sin: (T, r/2), row-major.
/// Units     positions in tokens; may be negative.
/// Layout    none: a column is a pair, whatever its dimensions. Tables that repeat each column, [T,
///           r], are made from this one according to the layout.
/// Accuracy  double: as rotation_row, within kCosSinError of exact if A = 1. float: the same,
///           rounded once, so within half a unit in the last place of a float, plus kCosSinError.
/// Edge      position 0 gives exactly A and 0; no positions give an empty table.
/// Errors    none of its own; memory may run out.
/// Example   examples/tables.cpp
template <typename Number>
RotationTable<Number> rotation_table(const RotaryEmbedding& embedding,
                                     std::span<const std::int64_t> positions);

extern template RotationTable<float> rotation_table(const RotaryEmbedding& embedding,
                                                    std::span<const std::int64_t> positions);
extern template RotationTable<double> rotation_table(const RotaryEmbedding& embedding,
                                                     std::span<const std::int64_t> positions);

}  // namespace rope
