#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rope/encodings/vectors.hpp"
#include "rope/rotary/rotation_matrix.hpp"

namespace rope {

/// Queries or keys of one head, after W_Q and W_K, and the positions of their tokens.
struct Tokens {
  RowMatrix vectors;                    ///< (T, d), one token per row
  std::vector<std::int64_t> positions;  ///< (T)
};

/// The model whose costs are counted: width = heads · head_dim, where head_dim is the head size of
/// the encoding.
struct ModelShape {
  std::size_t heads = 32;
  std::size_t layers = 32;
  std::int64_t context = 2048;  ///< N, tokens
};

/// What a position encoding costs in addition to attention without one.
struct Cost {
  double parameters = 0;   ///< learned numbers, in the whole model
  double flops = 0;        ///< per token and layer, with N keys before the token
  double table_bytes = 0;  ///< 4-byte constants that a model keeps in addition to its parameters
  double squares = 0;      ///< N × N matrices per head that are kept in addition to the scores
};

/// The places (positions or distances) at which the raw numbers of an encoding are read.
struct NumberPlaces {
  bool both_ways = false;  ///< at distances before and after the query, not only at 0 and above
  std::size_t each = 1;    ///< how many numbers there are at each place
};

/// Numbers of an encoding under their usual name: slopes, buckets, a table.
struct NumberTable {
  std::string name;
  std::variant<std::vector<double>, std::vector<std::int64_t>> values;
  std::size_t columns = 0;  ///< of a table, whose values are stored row by row; 0: a plain list
};

/// A score as a sum of four terms, as in additive encodings and Transformer-XL.
///
/// Shapes    each (T_q, T_k).
struct FourTerms {
  RowMatrix content_content;
  RowMatrix content_position;
  RowMatrix position_content;
  RowMatrix position_position;
  /// The formula of each, before division by √d.
  std::array<std::string_view, 4> names = {"q·k", "q·W_K p_n", "W_Q p_m·k", "W_Q p_m·W_K p_n"};
};

/// How the positions of tokens enter the scores of one head.
///
/// An encoding is given queries q_i at positions m_i and keys k_j at positions n_j and returns the
/// scores before the softmax. If an encoding changes tokens before W_Q and W_K (additive
/// encodings), the change is carried through these matrices, so that all encodings share this one
/// form.
class PositionEncoding {
 public:
  PositionEncoding() = default;
  PositionEncoding(const PositionEncoding&) = delete;
  PositionEncoding& operator=(const PositionEncoding&) = delete;
  virtual ~PositionEncoding() = default;

  /// The scores before the softmax, including 1/√d where the encoding has it.
  ///
  /// Shapes    (T_q, T_k).
  /// Throws    ShapeError unless the vectors have the head's size and there are as many positions
  ///           as vectors; DomainError at a position that the encoding does not cover.
  virtual RowMatrix scores(const Tokens& queries, const Tokens& keys) const = 0;

  /// An upper bound on |computed score − exact score| for vectors of these lengths at n − m =
  /// distance, whatever m is. The bound is derived next to each implementation.
  virtual double score_error(double q_norm, double k_norm, std::int64_t distance) const = 0;

  /// The scores as a sum of four terms, for encodings that add position vectors; each term is
  /// within score_error of its exact value. Nothing for other encodings.
  virtual std::optional<FourTerms> four_terms(const Tokens& /*queries*/,
                                              const Tokens& /*keys*/) const {
    return std::nullopt;
  }

  /// How much of `length` tokens is new after training on positions 0 … trained−1: the share of
  /// positions or distances trained … length−1 whose numbers differ from all numbers seen in
  /// training. For encodings based on angles, this is the mean over the pairs, and angles within
  /// kSeenWithin count as equal.
  ///
  /// Throws    DomainError unless 1 ≤ trained ≤ length ≤ 2^24.
  virtual double unseen_share(std::int64_t trained, std::int64_t length) const = 0;

  virtual Cost cost(const ModelShape& shape) const = 0;

  /// The raw numbers of the encoding at the given positions or distances (key − query), whichever
  /// it depends on.
  virtual std::vector<NumberTable> numbers(std::span<const std::int64_t> at) const = 0;

  virtual NumberPlaces number_places() const { return {}; }

  /// A text that a picture shows next to the encoding's name, such as "w = 8", or nothing.
  virtual std::string caption() const { return {}; }

  /// A remark on this encoding only, half a sentence, or nothing. The encoding is measured at
  /// distances up to `reach` and at these shifts.
  virtual std::string remark(std::int64_t /*reach*/,
                             std::span<const std::int64_t> /*shifts*/) const {
    return {};
  }
};

/// The largest position of a token, chosen so that every distance also fits in a 64-bit integer.
inline constexpr std::int64_t kMaxTokenPosition = (std::int64_t{1} << 62) - 1;

/// Throws ShapeError unless there are as many positions as vectors, all of size d; DomainError at a
/// position beyond kMaxTokenPosition.
void check_tokens(const Tokens& tokens, std::size_t head_dim);

/// A number with that many significant digits: 0.8409.
std::string rounded_text(double value, int digits);

/// Throws DomainError unless 1 ≤ trained ≤ length ≤ 2^24.
void check_lengths(std::int64_t trained, std::int64_t length);

/// The matrix of score(i, j) for query i and key j.
template <typename Score>
RowMatrix score_matrix(const Tokens& queries, const Tokens& keys, Score score) {
  RowMatrix result(queries.vectors.rows(), keys.vectors.rows());
  for (Eigen::Index i = 0; i < result.rows(); ++i)
    for (Eigen::Index j = 0; j < result.cols(); ++j) result(i, j) = score(i, j);
  return result;
}

/// n − m for query i and key j.
inline std::int64_t distance_between(const Tokens& queries, Eigen::Index i, const Tokens& keys,
                                     Eigen::Index j) {
  return keys.positions[static_cast<std::size_t>(j)] -
         queries.positions[static_cast<std::size_t>(i)];
}

/// Values that depend only on the distance, computed once for each distance.
template <typename Make>
class ByDistance {
 public:
  using Value = decltype(std::declval<Make>()(std::int64_t{}));

  explicit ByDistance(Make make) : make_(std::move(make)) {}

  const Value& operator()(std::int64_t distance) {
    const auto found = values_.find(distance);
    return found != values_.end() ? found->second
                                  : values_.emplace(distance, make_(distance)).first->second;
  }

 private:
  Make make_;
  std::map<std::int64_t, Value> values_;
};

}  // namespace rope
