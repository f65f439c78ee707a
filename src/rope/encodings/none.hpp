#pragma once

#include "rope/encodings/encoding.hpp"

namespace rope {

/// No position encoding (NoPE): q·k/√d. Such a layer can learn about order only from a causal mask.
///
/// Source    Kazemnejad et al., The Impact of Positional Encoding on Length Generalization,
///           arXiv:2305.19466.
class NoEncoding final : public PositionEncoding {
 public:
  explicit NoEncoding(std::size_t head_dim) : head_dim_(head_dim) {}

  RowMatrix scores(const Tokens& queries, const Tokens& keys) const override;
  double score_error(double q_norm, double k_norm, std::int64_t distance) const override;
  double unseen_share(std::int64_t trained, std::int64_t length) const override;
  Cost cost(const ModelShape& shape) const override;
  std::vector<NumberTable> numbers(std::span<const std::int64_t> at) const override;

 private:
  std::size_t head_dim_;
};

/// q·k/√d for every query and key.
RowMatrix content_scores(const Tokens& queries, const Tokens& keys);

/// An upper bound on |computed q·k/√d − exact|: γ_{d+4} |q||k|/√d (Cauchy-Schwarz).
double content_error(std::size_t head_dim, double q_norm, double k_norm);

}  // namespace rope
