#pragma once

// Arrays as frameworks keep them: any order of batch, heads, tokens and numbers of a head.
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

/// One vector of an array: its number i is element start + i·step.
struct ArrayVector {
  std::size_t start = 0;
  std::size_t step = 1;
  std::size_t position = 0;  ///< the index of its position
};

/// What the axes of a row-major array count, outermost first, and how long they are.
///
/// B counts rows of a batch, T tokens, H heads, D the numbers of a head. (HD) is one axis with the
/// heads of a token one after the other, as projections output them: "BHTD", "THD", "BTHD",
/// "T(HD)". T and D are required.
///
/// Throws    ShapeError for other letters, one that is missing or given twice, or another number of
///           lengths; DomainError where a length is 0 or the numbers are too many to count.
class ArrayAxes {
 public:
  ArrayAxes(std::string_view order, std::vector<std::size_t> lengths);

  const std::string& order() const { return order_; }
  const std::vector<std::size_t>& lengths() const { return lengths_; }

  std::size_t numbers() const;  ///< of the array
  std::size_t rows() const;     ///< of the batch: 1 without B
  std::size_t tokens() const;   ///< of a row
  bool packed() const;          ///< heads follow one another: (HD)

  /// The place of an axis among the lengths, by its letter; the number of axes if there is no such
  /// axis. H and D of (HD) share theirs.
  std::size_t place(char letter) const;

  /// The vectors in the order of the array, without D: vector v of "BHTD" is token v mod T of head
  /// v/T mod H.
  ///
  /// `positions`: the number of positions: one per token, the same for each row, or one per token
  /// of each row, row by row.
  /// Throws    ShapeError unless the head is that long, or whole heads fit an axis (HD), and there
  ///           are that many positions.
  std::vector<ArrayVector> vectors(std::size_t head_dim, std::size_t positions) const;

  /// Throws ShapeError unless `numbers` is the size of the array. `what`: "x".
  void check(std::string_view what, std::size_t numbers) const;

 private:
  std::string order_;
  std::vector<std::size_t> lengths_;
  std::string letters_;  ///< one per axis; h for (HD)
};

/// R_m x of every vector of an array, m the position of its token, in the order of the array.
///
/// Shapes    x: as the axes say; positions: as ArrayAxes::vectors. Returns as many numbers as x.
/// Accuracy  double: as rotate_elementwise; float: that rounded once.
/// Edge      NaN and infinity stay in their pair; dimensions r … d−1 are copied.
/// Throws    ShapeError if the sizes disagree.
std::vector<float> rotate_array(const RotaryEmbedding& embedding, const ArrayAxes& axes,
                                std::span<const float> x, std::span<const std::int64_t> positions);
std::vector<double> rotate_array(const RotaryEmbedding& embedding, const ArrayAxes& axes,
                                 std::span<const double> x,
                                 std::span<const std::int64_t> positions);

}  // namespace rope
