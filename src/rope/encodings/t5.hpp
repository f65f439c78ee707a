#pragma once

#include "rope/encodings/encoding.hpp"

namespace rope {

/// T5's buckets: each distance is represented by one of a few numbers. Of the `b` buckets of one
/// direction, the first e = ⌊b/2⌋ hold one distance each; beyond these, with D = max_distance,
/// bucket e + ⌊(b−e)·ln(r/e)/ln(D/e)⌋ holds distance r, and the last bucket holds all distances
/// from D on.
///
/// Accuracy  exact: bucket boundaries are found in integers, not by logarithms.
/// Source    Raffel et al., arXiv:1910.10683, §2.1; the formula is the one in their code.
class T5Buckets {
 public:
  /// Bidirectional: the second half of the buckets is for keys after the query. One direction: keys
  /// after the query are in bucket 0.
  ///
  /// Throws    DomainError unless a direction has 2 to 32768 buckets (with both directions, an odd
  ///           number leaves one unused) and max_distance > e, below 2^62.
  T5Buckets(std::int64_t buckets, std::int64_t max_distance, bool bidirectional);

  /// The bucket of key − query, 0 … buckets−1.
  std::int64_t bucket(std::int64_t relative_position) const;

  std::int64_t count() const { return count_; }
  bool bidirectional() const { return bidirectional_; }

  /// The smallest distance of each bucket of a direction.
  const std::vector<std::int64_t>& first_distances() const { return first_; }

 private:
  std::int64_t count_;
  bool bidirectional_;
  std::vector<std::int64_t> first_;
};

/// T5's bias: q·k·scale + b[bucket(n − m)]. T5 itself has scale 1, because its W_Q includes the
/// 1/√d.
class T5Encoding final : public PositionEncoding {
 public:
  /// Shapes    bias: one number per bucket.
  /// Throws    ShapeError if there are more or fewer.
  T5Encoding(std::size_t head_dim, T5Buckets buckets, std::vector<double> bias, double scale = 1);

  RowMatrix scores(const Tokens& queries, const Tokens& keys) const override;

  /// Bound: as content_error for the dot product, plus the rounding (u) of its sum with the bias.
  double score_error(double q_norm, double k_norm, std::int64_t distance) const override;

  double unseen_share(std::int64_t trained, std::int64_t length) const override;

  /// One bias per bucket and head, shared by the layers, and its addition to every score.
  Cost cost(const ModelShape& shape) const override;

  /// `relative_position` and `buckets`.
  std::vector<NumberTable> numbers(std::span<const std::int64_t> at) const override;
  NumberPlaces number_places() const override { return {.both_ways = true}; }

 private:
  std::size_t head_dim_;
  T5Buckets buckets_;
  std::vector<double> bias_;
  double scale_;
};

}  // namespace rope
