#pragma once

#include <memory>

#include "rope/encodings/encoding.hpp"
#include "rope/encodings/position_table.hpp"

namespace rope {

/// Transformer-XL's four terms: the absolute position p_n of additive encodings becomes p_{m−n} for
/// the distance m − n, and the query's own position becomes a vector that is the same everywhere,
///
///     (q_m·k_n + q_m·W_R p_{m−n} + u·k_n + v·W_R p_{m−n})/√d = ((q+u)·k + (q+v)·W_R p_{m−n})/√d
///
/// with a separate key matrix W_R for positions; W_R = W_K is the form with a single key matrix.
///
/// Source    Dai et al., Transformer-XL, arXiv:1901.02860, §3.3.
class TransformerXlEncoding final : public PositionEncoding {
 public:
  /// Shapes    w_r: (d, D), D the size of the table's rows; u, v: (d).
  /// Throws    ShapeError for other shapes.
  TransformerXlEncoding(std::shared_ptr<const PositionTable> table, RowMatrix w_r,
                        std::vector<double> u, std::vector<double> v);

  RowMatrix scores(const Tokens& queries, const Tokens& keys) const override;

  /// Bound: q + u and q + v are off by a unit roundoff of their lengths, W_R p by |W_R|_F (γ_D P +
  /// √D ε); then come the errors of two dot products and their sum.
  double score_error(double q_norm, double k_norm, std::int64_t distance) const override;

  double unseen_share(std::int64_t trained, std::int64_t length) const override;

  /// W_R in every layer; u and v are shared by all layers. W_R p is computed once for each
  /// distance, which means once per token; (q+v)·W_R p is computed and added for each key.
  Cost cost(const ModelShape& shape) const override;

  /// `relative_position` and `table`: p_{−r} for each distance r = key − query.
  std::vector<NumberTable> numbers(std::span<const std::int64_t> at) const override;
  NumberPlaces number_places() const override { return {.each = table_->dim()}; }

  /// The four terms of each score, divided by √d.
  FourTerms terms(const Tokens& queries, const Tokens& keys) const;
  std::optional<FourTerms> four_terms(const Tokens& queries, const Tokens& keys) const override {
    return terms(queries, keys);
  }

 private:
  std::size_t head_dim() const { return u_.size(); }
  RowMatrix position_scores(const RowMatrix& left, const Tokens& queries, const Tokens& keys) const;

  std::shared_ptr<const PositionTable> table_;
  RowMatrix w_r_;
  std::vector<double> u_;
  std::vector<double> v_;
};

}  // namespace rope
