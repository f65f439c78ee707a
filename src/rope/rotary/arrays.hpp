#pragma once

// Arrays as frameworks store them, with batch, heads, tokens and the numbers of a head in any
// order.
//
//     const rope::ArrayAxes axes("BHTD", {2, 8, 17, 64});   // as torch keeps q
//     const std::vector<float> right = rope::rotate_array(embedding, axes, x, positions);
//     const rope::Certification c = rope::certify(embedding, policy, axes, x, y, positions);

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/rotary/embedding.hpp"

namespace rope {

/// One vector of an array: its i-th number is element start + i·step of the array.
struct ArrayVector {
  std::size_t start = 0;
  std::size_t step = 1;
  std::size_t position = 0;  ///< the index of its position among those given
};

/// The axes of a row-major array, outermost first: what each one counts, and its length.
///
/// B counts the rows of a batch, T the tokens, H the heads and D the numbers in a head. (HD) is one
/// axis with the heads of a token one after the other, as projections output them. Examples:
/// "BHTD", "THD", "BTHD", "T(HD)". T and D are required.
///
/// Throws    ShapeError for an unknown, missing or repeated letter, or a wrong number of lengths;
///           DomainError if a length is 0 or there are too many numbers to count.
class ArrayAxes {
 public:
  ArrayAxes(std::string_view order, std::vector<std::size_t> lengths);

  const std::string& order() const { return order_; }
  const std::vector<std::size_t>& lengths() const { return lengths_; }

  std::size_t numbers() const;  ///< of the array
  std::size_t rows() const;     ///< in the batch; 1 without B
  std::size_t tokens() const;   ///< of a row
  bool packed() const;  ///< whether the heads of a token follow one another on one axis: (HD)

  /// The index in lengths() of the axis with this letter, or the number of axes if there is no such
  /// axis. In (HD), H and D share one index.
  std::size_t place(char letter) const;

  /// The vectors along D, in the order of the array: vector v of "BHTD" is token v mod T of head
  /// v/T mod H.
  ///
  /// `positions`: the number of positions given, which is one per token, shared by all rows, or one
  /// per token of each row, row by row.
  /// Throws    ShapeError unless D equals head_dim (or (HD) is a multiple of it) and `positions` is
  ///           one of the two numbers above.
  std::vector<ArrayVector> vectors(std::size_t head_dim, std::size_t positions) const;

  /// Throws ShapeError unless `numbers` is the size of the array. `what` is the name used in the
  /// message, such as "x".
  void check(std::string_view what, std::size_t numbers) const;

 private:
  std::string order_;
  std::vector<std::size_t> lengths_;
  std::string letters_;  ///< one per axis; h for (HD)
};

/// R_m x for every vector x of an array, in the order of the array; m is the position of its token.
///
/// Shapes    x: as given by the axes; positions: as in ArrayAxes::vectors. Returns as many numbers
///           as x.
/// Accuracy  double: as rotate_elementwise; float: the same, rounded once.
/// Edge      NaN and infinity stay in their pair; dimensions r … d−1 are copied.
/// Throws    ShapeError if the sizes disagree.
std::vector<float> rotate_array(const RotaryEmbedding& embedding, const ArrayAxes& axes,
                                std::span<const float> x, std::span<const std::int64_t> positions);
std::vector<double> rotate_array(const RotaryEmbedding& embedding, const ArrayAxes& axes,
                                 std::span<const double> x,
                                 std::span<const std::int64_t> positions);

}  // namespace rope
