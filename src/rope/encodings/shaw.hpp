#pragma once

#include "rope/encodings/encoding.hpp"

namespace rope {

/// Relative keys: q_m·(k_n + a_r)/√d, where r is the distance n − m clipped to −c … c, with a
/// learned vector a_r for each r.
///
/// Source    Shaw, Uszkoreit, Vaswani, Self-Attention with Relative Position Representations,
///           arXiv:1803.02155, §3.2 (without the vectors for values, which do not affect scores).
class ShawEncoding final : public PositionEncoding {
 public:
  /// Shapes    relative_keys: (2c+1, d), the first row for distance −c.
  /// Throws    ShapeError unless the number of rows is odd.
  explicit ShawEncoding(RowMatrix relative_keys);

  /// c.
  std::int64_t clip() const { return (keys_.rows() - 1) / 2; }

  RowMatrix scores(const Tokens& queries, const Tokens& keys) const override;

  /// Bound: k + a is off by u times its length; content_error is added.
  double score_error(double q_norm, double k_norm, std::int64_t distance) const override;

  double unseen_share(std::int64_t trained, std::int64_t length) const override;

  /// Relative keys for every distance in each layer, shared by its heads; q·a for each distance
  /// that occurs, and its addition to each score.
  Cost cost(const ModelShape& shape) const override;

  /// `relative_position`, and `clipped`: the distance after clipping.
  std::vector<NumberTable> numbers(std::span<const std::int64_t> at) const override;
  NumberPlaces number_places() const override { return {.both_ways = true}; }

 private:
  std::size_t head_dim() const { return static_cast<std::size_t>(keys_.cols()); }
  std::int64_t clipped(std::int64_t distance) const;

  RowMatrix keys_;
  double largest_norm_ = 0;
};

}  // namespace rope
