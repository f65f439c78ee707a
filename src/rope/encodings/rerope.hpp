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
/// The published code cuts only keys before the query; a key more than the window after it would be
/// treated like one equally far before it. Here the two directions mirror each other.
///
/// Source    Su, kexue.fm/9708; code: bojone/rerope.
struct DistanceMap {
  std::int64_t window = 0;
  double leak = std::numeric_limits<double>::infinity();

  /// The distance that Δ maps to, within an ulp.
  double operator()(std::int64_t distance) const;

  /// The smallest leak, a double of at least 1, with which the largest distance in `length` tokens
  /// still maps to one seen in training on `trained` tokens. Infinite if the window leaves no room.
  static double fitting_leak(std::int64_t window, std::int64_t trained, std::int64_t length);
};

/// RoPE whose distances are mapped: qᵀR_{map(n−m)}k/√d. Rotating q and k once each cannot produce
/// it: near and far scores need two passes.
class ReRopeEncoding final : public PositionEncoding {
 public:
  /// `log_n`: the trained length L; q is multiplied by max(1, ln(m+1)/ln L), as in the published
  /// code. The scores then depend on the query's own position.
  ///
  /// Throws    DomainError unless window ≥ 0, leak ≥ 1 and log_n ≥ 2.
  ReRopeEncoding(RotaryEmbedding embedding, DistanceMap map,
                 std::optional<std::int64_t> log_n = std::nullopt);

  /// Throws    also DomainError at a negative position if there is a log_n.
  RowMatrix scores(const Tokens& queries, const Tokens& keys) const override;

  /// Bound: as for RoPE, with one rotated vector, times the largest factor of log_n.
  double score_error(double q_norm, double k_norm, std::int64_t distance) const override;

  /// The share of new distances whose index is beyond every index in training.
  double unseen_share(std::int64_t trained, std::int64_t length) const override;

  /// RoPE's rotations, one more rotation of q, and the scores once more.
  Cost cost(const ModelShape& shape) const override;

  /// `distance` and `index`: the distance each is rotated by.
  std::vector<NumberTable> numbers(std::span<const std::int64_t> at) const override;

  /// The window w, without which its picture shows little.
  std::string caption() const override;

 private:
  RotaryEmbedding embedding_;
  DistanceMap map_;
  std::optional<std::int64_t> log_n_;
};

}  // namespace rope
