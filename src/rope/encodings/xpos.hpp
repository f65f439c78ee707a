#pragma once

#include "rope/encodings/encoding.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// RoPE with an exponential decay: pair i of q is multiplied by ζ_i^(m/B) and pair i of k by
/// ζ_i^(−n/B), ζ_i = (2i/d + γ)/(1 + γ), so that their product falls as ζ_i^((m−n)/B). xPos is the
/// other solution of the condition that leads to RoPE: the score is still a function of only n − m.
/// For keys after the query, the product grows instead of falling.
///
/// Factors are computed relative to the middle of the given positions, which changes no score and
/// keeps the factors within the range of double.
///
/// Source    Sun et al., A Length-Extrapolatable Transformer, arXiv:2212.10554, §3.2; γ and B:
///           their code.
class XPosEncoding final : public PositionEncoding {
 public:
  /// Throws    DomainError unless scale_base ≥ 1 and gamma > 0, both finite.
  explicit XPosEncoding(RotaryEmbedding embedding, double scale_base = 512, double gamma = 0.4);

  /// Throws    also DomainError if positions lie so far apart that a factor leaves the range
  ///           2^±900.
  RowMatrix scores(const Tokens& queries, const Tokens& keys) const override;

  /// Bound: as for RoPE, but with two more roundings in each vector, times the largest
  /// ζ^(−distance/B).
  double score_error(double q_norm, double k_norm, std::int64_t distance) const override;

  /// The unseen share of the angles; the factors simply continue to fall.
  double unseen_share(std::int64_t trained, std::int64_t length) const override;

  /// The cost of RoPE, with separate tables for q and k.
  Cost cost(const ModelShape& shape) const override;

  /// `theta` and `zeta`, one of each per pair.
  std::vector<NumberTable> numbers(std::span<const std::int64_t> at) const override;

 private:
  RowMatrix scaled(const Tokens& tokens, std::int64_t middle, int sign) const;
  void check_reach(std::int64_t tokens) const;

  RotaryEmbedding embedding_;
  double scale_base_;
  double gamma_;
};

}  // namespace rope
