#pragma once

#include <limits>
#include <optional>

#include "rope/encodings/encoding.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// The distance by which the key is rotated for a distance Δ: Δ itself up to the window w; beyond
/// it, w + (|Δ| − w)/leak with the sign of Δ. An infinite leak is ReRoPE, and any other is Leaky
/// ReRoPE.
///
/// The published code limits only the distances of keys before the query; it would treat a key more
/// than w after the query like one equally far before it. In this library, the two directions
/// mirror each other.
///
/// Source    Su, kexue.fm/9708; code: bojone/rerope.
struct DistanceMap {
  std::int64_t window = 0;
  double leak = std::numeric_limits<double>::infinity();

  /// The distance that Δ maps to, within an ulp.
  double operator()(std::int64_t distance) const;

  /// The smallest leak, a double of at least 1, that still maps the largest distance in `length`
  /// tokens to a distance seen in training on `trained` tokens. Infinite if no distance beyond the
  /// window was seen in training.
  static double fitting_leak(std::int64_t window, std::int64_t trained, std::int64_t length);
};

/// RoPE with mapped distances: qᵀR_{map(n−m)}k/√d. Rotating q and k once each cannot produce
/// these scores: near and far distances need two passes.
class ReRopeEncoding final : public PositionEncoding {
 public:
  /// `log_n`: the trained length L; q is multiplied by max(1, ln(m+1)/ln L), as in the published
  /// code. The scores then depend on the query's own position.
  ///
  /// Throws    DomainError unless window ≥ 0, leak ≥ 1 and log_n ≥ 2.
  ReRopeEncoding(RotaryEmbedding embedding, DistanceMap map,
                 std::optional<std::int64_t> log_n = std::nullopt);

  /// Throws    DomainError also at a negative position if there is a log_n.
  RowMatrix scores(const Tokens& queries, const Tokens& keys) const override;

  /// Bound: as for RoPE, with one rotated vector, times the largest factor of log_n.
  double score_error(double q_norm, double k_norm, std::int64_t distance) const override;

  /// The share of new distances whose mapped distance exceeds all mapped distances in training.
  double unseen_share(std::int64_t trained, std::int64_t length) const override;

  /// RoPE's rotations, one more rotation of q, and a second computation of the scores.
  Cost cost(const ModelShape& shape) const override;

  /// `distance`, and `index`: the mapped distance by which the key is rotated.
  std::vector<NumberTable> numbers(std::span<const std::int64_t> at) const override;

  /// The window w, which a reader needs to understand the picture.
  std::string caption() const override;

 private:
  RotaryEmbedding embedding_;
  DistanceMap map_;
  std::optional<std::int64_t> log_n_;
};

}  // namespace rope
