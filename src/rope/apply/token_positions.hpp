#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/io/tensor_place.hpp"
#include "rope/rotary/axes.hpp"

namespace rope {

/// How the vectors of a tensor of shape [outer …, tokens, inner …, head_dim] belong to tokens.
struct TokenAxes {
  std::uint64_t outer = 1;   ///< batches, or whatever comes before the tokens
  std::uint64_t tokens = 1;  ///< T
  std::uint64_t inner = 1;   ///< heads, or whatever lies between the tokens and the head
  std::size_t head_dim = 0;  ///< d: the last axis

  std::uint64_t vectors() const { return outer * tokens * inner; }
  std::uint64_t batch_of(std::uint64_t vector) const { return vector / inner / tokens; }
  std::uint64_t token_of(std::uint64_t vector) const { return vector / inner % tokens; }
};

/// Takes a shape apart. `token_axis` counts from 0, or from the end if it is negative: −2 is the
/// axis before the last. A single axis is the head of one token.
///
/// Throws    ShapeError, beginning with `name`, if there is no such axis, if it is the last one, or
///           if the tensor has no axis or a last axis of length 0.
TokenAxes token_axes(const io::Shape& shape, std::int64_t token_axis, const std::string& name);

/// What to do if a range A:B has one position more than there are tokens; empty if the positions
/// are not such a range.
std::string remedy_for_range(const std::vector<std::int64_t>& positions, std::uint64_t tokens);

/// How positions on several axes are arranged in an array.
enum class AxisOrder {
  tokens_first,  ///< [tokens, axes], or [batch, tokens, axes]
  axes_first     ///< [axes, tokens], or [axes, batch, tokens] as Hugging Face's
};

/// An array of positions on several axes, as a file holds it.
struct AxisPositions {
  io::Shape shape;
  std::vector<std::int64_t> values;
  std::optional<AxisOrder> order;  ///< if stated
  std::string name;                ///< of the file, for messages
};

/// The position of every token.
class TokenPositions {
 public:
  /// start, start + 1, …
  ///
  /// Throws    DomainError if the last one does not fit in 64 bits.
  static TokenPositions counted(std::int64_t start, std::uint64_t tokens);

  /// Several sequences one after another along the tokens: each starts again at `start`.
  ///
  /// Throws    as counted; ShapeError unless the lengths are at least 0 and add up to `tokens`.
  static TokenPositions packed(const std::vector<std::int64_t>& lengths, std::int64_t start,
                               std::uint64_t tokens);

  /// One position per token, the same for every batch, or one per token of every batch.
  ///
  /// Throws    ShapeError if there are neither `tokens` nor `outer`·`tokens` of them.
  static TokenPositions listed(std::vector<std::int64_t> positions, const TokenAxes& axes);

  /// One position on each axis per token, the same for every batch or one for each.
  ///
  /// Throws    ShapeError if the shape fits the tokens in no order, or in both and none was stated.
  static TokenPositions on_axes(const AxisPositions& given, const TokenAxes& axes);

  Position at(std::uint64_t batch, std::uint64_t token) const;

  /// The number of axes; 1 for positions that hold on every axis.
  std::size_t axes() const { return axes_; }

  /// The extremes of all positions; 0 if there is no token.
  std::int64_t smallest() const { return smallest_; }
  std::int64_t largest() const { return largest_; }

 private:
  std::int64_t start_ = 0;
  std::int64_t smallest_ = 0;
  std::int64_t largest_ = 0;
  std::uint64_t tokens_ = 0;
  std::vector<std::uint64_t> ends_;   // of packed sequences: where each ends
  std::vector<std::int64_t> listed_;  // if given one by one
  std::size_t axes_ = 1;
  std::vector<Position> on_axes_;  // if given on several axes
};

}  // namespace rope
