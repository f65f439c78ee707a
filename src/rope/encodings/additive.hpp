#pragma once

#include <memory>

#include "rope/encodings/encodings.hpp"
#include "rope/encodings/position_table.hpp"

namespace rope {

/// The oldest way to encode positions: x_m is replaced by x_m + p_m once, before the first layer.
/// With q = W_Q x and k = W_K x, the first layer's score is
///
///     (q_m + W_Q p_m)·(k_n + W_K p_n)/√d = (q·k + q·W_K p_n + W_Q p_m·k + W_Q p_m·W_K p_n)/√d
///
/// and three of the four terms contain a position. None of these three is a function of n − m.
class AdditiveEncoding final : public PositionEncoding {
 public:
  /// Shapes    w_q, w_k: (d, D), D the size of the table's rows.
  /// Throws    ShapeError for other shapes.
  AdditiveEncoding(std::shared_ptr<const PositionTable> table, RowMatrix w_q, RowMatrix w_k);

  RowMatrix scores(const Tokens& queries, const Tokens& keys) const override;

  /// Bound: |W|_F stands for the 2-norm of W, P is the length of the longest row, and ε the error
  /// of its entries. W p is off by δ ≤ |W|_F (γ_D P + √D ε), q + W p by a further u times its
  /// length Q, and the score by (δ_q K + δ_k Q + γ Q K)/√d. All lengths are the computed ones.
  double score_error(double q_norm, double k_norm, std::int64_t distance) const override;

  double unseen_share(std::int64_t trained, std::int64_t length) const override;

  /// D additions per token before the first layer, averaged over the layers. Unless it is learned,
  /// the table is kept for N positions.
  Cost cost(const ModelShape& shape) const override;

  /// `table`: one row per position.
  std::vector<NumberTable> numbers(std::span<const std::int64_t> at) const override;

  NumberPlaces number_places() const override { return {.each = table_->dim()}; }

  /// The table's remark.
  std::string remark(std::int64_t reach, std::span<const std::int64_t> shifts) const override {
    return table_->remark(reach, shifts);
  }

  /// p_m of every position.
  const std::shared_ptr<const PositionTable>& table() const { return table_; }

  /// The four terms of each score, divided by √d.
  FourTerms terms(const Tokens& queries, const Tokens& keys) const;
  std::optional<FourTerms> four_terms(const Tokens& queries, const Tokens& keys) const override {
    return terms(queries, keys);
  }

 private:
  std::size_t head_dim() const { return static_cast<std::size_t>(w_q_.rows()); }
  RowMatrix projected(const RowMatrix& w, std::span<const std::int64_t> positions) const;

  std::shared_ptr<const PositionTable> table_;
  RowMatrix w_q_;
  RowMatrix w_k_;
};

/// An encoding that adds a table to tokens, with untrained W_Q and W_K.
std::unique_ptr<PositionEncoding> untrained_additive(const EncodingContext& context,
                                                     std::shared_ptr<const PositionTable> table);

}  // namespace rope
