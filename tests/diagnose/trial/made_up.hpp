#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/diagnose/readings.hpp"
#include "rope/random/random.hpp"
#include "support/rotated.hpp"

namespace rope::test {

/// The formats that are drawn, coarser ones behind; index into the policies of each.
enum class Width { float64, float32, bfloat16, float16 };

/// How the positions of a case lie.
enum class Order { counted, falling, mixed, scattered, packed, padded, left_padded_rows };

/// A made-up implementation and the arrays it was given.
struct MadeUp {
  bool realistic = false;
  Width width = Width::float64;
  Order order = Order::counted;
  Arrangement arrangement;
  RotaryEmbedding embedding;  ///< of the rotated block
  Policy policy;
  bool clockwise = false, noise = false;
  std::vector<std::size_t> shape;       ///< of the arrays; the last axis is the head
  std::size_t axis = 0;                 ///< that of the tokens
  std::optional<std::size_t> row_axis;  ///< whose rows have positions of their own
  std::vector<std::int64_t> positions;  ///< one per token, or per token of each row
  std::vector<double> x, y;

  bool coarse() const { return width >= Width::bfloat16; }
  std::size_t tokens() const { return shape[axis]; }
  double unit() const { return limits(policy.store).unit_roundoff; }
};

/// Case `number` of a seed: `realistic` as models have it, else anything.
MadeUp made_up(std::uint64_t seed, std::uint64_t number, bool realistic);

std::string text(const MadeUp& made);

/// Whether an explanation says what was done: the same pairs, direction, positions, and
/// frequencies that differ by no more than these vectors can show. Where the explanation says that
/// the direction is open, so is it here.
bool tells(const ArrayDiagnosis& found, const Explanation& explanation, const MadeUp& made);

}  // namespace rope::test
