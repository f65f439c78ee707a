#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/io/tensor_place.hpp"
#include "rope/rotary/axes.hpp"

namespace rope {

/// Which vectors belong to which token in a tensor of shape [outer …, tokens, inner …, head_dim].
struct TokenAxes {
  std::uint64_t outer =
      1;  ///< the product of the axis lengths before the tokens, such as batches × heads
  std::uint64_t batch = 1;   ///< the length of the first axis, if it precedes the token axis
  std::uint64_t tokens = 1;  ///< T
  /// The product of the axis lengths between the tokens and the head, such as heads.
  std::uint64_t inner = 1;
  std::size_t head_dim = 0;  ///< d: the last axis

  std::uint64_t vectors() const { return outer * tokens * inner; }
  std::uint64_t batch_of(std::uint64_t vector) const { return vector / inner / tokens; }
  std::uint64_t token_of(std::uint64_t vector) const { return vector / inner % tokens; }
};

/// Splits a shape into the parts of TokenAxes. `token_axis` counts from 0, or from the end if it is
/// negative: −2 is the last axis but one. A tensor with one axis is the head of one token.
///
/// Throws    ShapeError, with a message that begins with `name`, if there is no such axis, if it is
///           the last one, or if the tensor has no axis or a last axis of length 0.
TokenAxes token_axes(const io::Shape& shape, std::int64_t token_axis, const std::string& name);

/// The remedy for a range A:B that has one position more than there are tokens; empty for all other
/// positions.
std::string remedy_for_range(const std::vector<std::int64_t>& positions, std::uint64_t tokens);

/// How positions on several axes are arranged in an array.
enum class AxisOrder {
  tokens_first,  ///< [tokens, axes], or [batch, tokens, axes]
  axes_first     ///< [axes, tokens], or [axes, batch, tokens] as in Hugging Face
};

/// An array of positions on several axes, as stored in a file.
struct AxisPositions {
  io::Shape shape;
  std::vector<std::int64_t> values;
  std::optional<AxisOrder> order;  ///< if stated
  std::string name;                ///< of the file, for messages
};

/// The position of every token.
class TokenPositions {
 public:
  /// The positions start, start + 1, …
  ///
  /// Throws    DomainError if the last one does not fit in 64 bits.
  static TokenPositions counted(std::int64_t start, std::uint64_t tokens);

  /// Several sequences one after another along the token axis; the positions in each begin at
  /// `start`.
  ///
  /// Throws    what `counted` throws; ShapeError unless the lengths are at least 0 and add up to
  ///           `tokens`.
  static TokenPositions packed(const std::vector<std::int64_t>& lengths, std::int64_t start,
                               std::uint64_t tokens);

  /// One position per token, either the same for every batch or separate for each batch. Positions
  /// of shape [batch, tokens] for a tensor [batch, heads, tokens, head_dim] are shared by the heads
  /// of a batch.
  ///
  /// Throws    ShapeError unless there are `tokens`, `batch`·`tokens` or `outer`·`tokens`
  ///           positions.
  static TokenPositions listed(std::vector<std::int64_t> positions, const TokenAxes& axes);

  /// One position per axis for each token, either the same for every batch or separate for each
  /// batch.
  ///
  /// Throws    ShapeError if the shape matches the tokens in neither order, or in both although no
  ///           order was stated.
  static TokenPositions on_axes(const AxisPositions& given, const TokenAxes& axes);

  Position at(std::uint64_t batch, std::uint64_t token) const;

  /// The number of axes; 1 for positions that apply to every axis.
  std::size_t axes() const { return axes_; }

  /// The smallest and the largest of all positions; 0 if there are no tokens.
  std::int64_t smallest() const { return smallest_; }
  std::int64_t largest() const { return largest_; }

 private:
  /// The index of a token's position in a list of `listed` positions.
  std::size_t index(std::size_t listed, std::uint64_t batch, std::uint64_t token) const {
    return batch * (listed / tokens_) / outer_ * tokens_ + token;
  }

  std::int64_t start_ = 0;
  std::int64_t smallest_ = 0;
  std::int64_t largest_ = 0;
  std::uint64_t tokens_ = 0;
  std::uint64_t outer_ = 1;
  std::vector<std::uint64_t> ends_;   // where each packed sequence ends
  std::vector<std::int64_t> listed_;  // if given one by one
  std::size_t axes_ = 1;
  std::vector<Position> on_axes_;  // if given on several axes
};

}  // namespace rope
