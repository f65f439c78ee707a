#pragma once

#include "rope/encodings/encoding.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// RoPE, whatever its frequencies: ⟨R_m q, R_n k⟩/√d. For a head whose last dimensions pass
/// through, this is partial RoPE; if slow pairs have frequency 0, it is p-RoPE.
///
/// Source    Su et al., RoFormer, arXiv:2104.09864.
class RopeEncoding final : public PositionEncoding {
 public:
  explicit RopeEncoding(RotaryEmbedding embedding) : embedding_(std::move(embedding)) {}

  RowMatrix scores(const Tokens& queries, const Tokens& keys) const override;

  /// Bound: each rotated vector is off by ρ times its length; content_error is added, and the sum
  /// is multiplied by A².
  double score_error(double q_norm, double k_norm, std::int64_t distance) const override;

  double unseen_share(std::int64_t trained, std::int64_t length) const override;

  /// Six flops per pair of q and of k; cos and sin for N positions.
  Cost cost(const ModelShape& shape) const override;

  /// `theta`, one per pair.
  std::vector<NumberTable> numbers(std::span<const std::int64_t> at) const override;

  const RotaryEmbedding& embedding() const { return embedding_; }

 private:
  RotaryEmbedding embedding_;
};

/// ρ ≥ |computed R_m x − R_m x|/|x|: each component of a pair (x, y) is off by less than
/// 3.4e-16·(|x| + |y|) (rotation.hpp), so the pair is off by less than √2·√2·3.4e-16 of its length.
inline constexpr double kRotationError = 6.8e-16;

/// The unseen share of the angles of each pair, averaged over the pairs.
double unseen_angle_share(const Frequencies& frequencies, std::int64_t trained,
                          std::int64_t length);

/// The frequencies of p-RoPE: b^(−2i/d) for the fastest pairs, a share p of all pairs (rounded
/// down), and 0 for the rest.
///
/// Throws    as geometric_frequencies does; DomainError unless 0 ≤ p ≤ 1.
/// Source    Barbero et al., Round and Round We Go!, arXiv:2410.06205, §6.
Frequencies fastest_frequencies(double base, std::size_t head_dim, double share);

}  // namespace rope
