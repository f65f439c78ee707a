#pragma once

#include "rope/encodings/encoding.hpp"

namespace rope {

/// ALiBi's slope for each head: 2^(−8h/n), h = 1 … n, if n is a power of two. Otherwise, the slopes
/// for the next lower power of two p, followed by every other slope for 2p: 2^(−8(2i−1)/(2p)), i =
/// 1 … n − p.
///
/// Accuracy  correctly rounded.
/// Throws    DomainError unless 1 ≤ heads ≤ 65536.
/// Source    Press, Smith, Lewis, arXiv:2108.12409, §3; other head counts: the authors' code.
std::vector<double> alibi_slopes(std::int64_t heads);

/// What is added to the score of a query at m and a key at n.
enum class AlibiBias {
  distance,       ///< −slope·|n − m|: the paper
  key,            ///< slope·n: BLOOM
  key_from_last,  ///< slope·(n − last), last the largest key position: MPT
};
// For keys at or before the query, the three biases differ by a constant along each row, which does
// not affect the softmax.

/// The smallest number of tokens, starting with the query's own, that hold `share` of the weight if
/// all contents are alike: weights fall by a factor e^−slope per token, so n tokens hold 1 −
/// e^(−slope·n).
///
/// Throws    DomainError unless slope is finite and > 0, and 0 < share < 1.
std::int64_t alibi_window(double slope, double share);

/// Attention with linear biases: q·k/√d + bias.
class AlibiEncoding final : public PositionEncoding {
 public:
  /// One head of `heads`, counted from 0.
  ///
  /// Throws    DomainError unless head < heads, and as alibi_slopes does.
  AlibiEncoding(std::size_t head_dim, std::int64_t heads, std::int64_t head,
                AlibiBias bias = AlibiBias::distance);

  double slope() const { return slopes_[head_]; }

  RowMatrix scores(const Tokens& queries, const Tokens& keys) const override;

  /// Bound for the distance form: content_error, plus twice u times the bias: once for the product
  /// and once for the sum.
  double score_error(double q_norm, double k_norm, std::int64_t distance) const override;

  /// Every distance beyond training has a bias that was not seen in training.
  double unseen_share(std::int64_t trained, std::int64_t length) const override;

  /// One row of biases per head, and the addition of one bias to each score.
  Cost cost(const ModelShape& shape) const override;

  /// `slopes` of all heads; `bias` of this head at each distance key − query (relative_position),
  /// or, if the bias depends on the key, at each key position (key_position).
  std::vector<NumberTable> numbers(std::span<const std::int64_t> at) const override;
  NumberPlaces number_places() const override {
    return {.both_ways = bias_ == AlibiBias::distance};
  }

  /// The slopes, and how far they let a query see.
  std::string remark(std::int64_t reach, std::span<const std::int64_t> shifts) const override;

 private:
  std::size_t head_dim_;
  std::vector<double> slopes_;
  std::size_t head_;
  AlibiBias bias_;
};

}  // namespace rope
