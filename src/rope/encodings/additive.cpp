#include "rope/encodings/additive.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rope/encodings/none.hpp"
#include "rope/encodings/untrained.hpp"
#include "rope/error.hpp"

namespace rope {

AdditiveEncoding::AdditiveEncoding(std::shared_ptr<const PositionTable> table, RowMatrix w_q,
                                   RowMatrix w_k)
    : table_(std::move(table)), w_q_(std::move(w_q)), w_k_(std::move(w_k)) {
  const auto columns = static_cast<Eigen::Index>(table_->dim());
  if (w_q_.cols() != columns || w_k_.cols() != columns || w_q_.rows() != w_k_.rows() ||
      w_q_.rows() == 0)
    throw ShapeError(Subject{"additive"},
                     "expected two projections of " + std::to_string(columns) +
                         " columns and the same number of rows, got " +
                         std::to_string(w_q_.rows()) + "x" + std::to_string(w_q_.cols()) + " and " +
                         std::to_string(w_k_.rows()) + "x" + std::to_string(w_k_.cols()));
}

RowMatrix AdditiveEncoding::projected(const RowMatrix& w,
                                      std::span<const std::int64_t> positions) const {
  RowMatrix result(static_cast<Eigen::Index>(positions.size()), w.rows());
  for (std::size_t t = 0; t < positions.size(); ++t)
    std::ranges::copy(multiply(w, table_->row(positions[t])),
                      result.row(static_cast<Eigen::Index>(t)).data());
  return result;
}

RowMatrix AdditiveEncoding::scores(const Tokens& queries, const Tokens& keys) const {
  check_tokens(queries, head_dim());
  check_tokens(keys, head_dim());
  const Tokens q{queries.vectors + projected(w_q_, queries.positions), queries.positions};
  const Tokens k{keys.vectors + projected(w_k_, keys.positions), keys.positions};
  return content_scores(q, k);
}

FourTerms AdditiveEncoding::terms(const Tokens& queries, const Tokens& keys) const {
  check_tokens(queries, head_dim());
  check_tokens(keys, head_dim());
  const Tokens q{projected(w_q_, queries.positions), queries.positions};
  const Tokens k{projected(w_k_, keys.positions), keys.positions};
  return {content_scores(queries, keys), content_scores(queries, k), content_scores(q, keys),
          content_scores(q, k)};
}

double AdditiveEncoding::score_error(double q_norm, double k_norm,
                                     std::int64_t /*distance*/) const {
  struct Side {
    double length, error;
  };
  const auto side = [&](const RowMatrix& w, double content) {
    const double factor = frobenius_norm(w) * (1 + dot_error(head_dim() * table_->dim()));
    const double shift = factor * table_->largest_norm();
    const double error =
        dot_error(table_->dim()) * shift +
        factor * std::sqrt(static_cast<double>(table_->dim())) * table_->entry_error();
    return Side{content + shift + error, error + kRoundoff * (content + shift + error)};
  };
  const Side q = side(w_q_, q_norm);
  const Side k = side(w_k_, k_norm);
  return (q.error * k.length + k.error * q.length) / std::sqrt(static_cast<double>(head_dim())) +
         content_error(head_dim(), q.length + q.error, k.length + k.error);
}

double AdditiveEncoding::unseen_share(std::int64_t trained, std::int64_t length) const {
  return table_->unseen_share(trained, length);
}

Cost AdditiveEncoding::cost(const ModelShape& shape) const {
  const auto width = static_cast<double>(shape.heads * head_dim());
  Cost cost;
  cost.parameters = table_->parameters(shape.context, width);
  cost.flops = width / static_cast<double>(shape.layers);
  if (cost.parameters == 0) cost.table_bytes = static_cast<double>(shape.context) * width * 4;
  return cost;
}

std::vector<NumberTable> AdditiveEncoding::numbers(std::span<const std::int64_t> at) const {
  std::vector<double> table;
  for (const std::int64_t position : at) {
    const std::vector<double> row = table_->row(position);
    table.insert(table.end(), row.begin(), row.end());
  }
  return {{"positions", std::vector<std::int64_t>(at.begin(), at.end()), 0},
          {"table", std::move(table), table_->dim()}};
}

std::unique_ptr<PositionEncoding> untrained_additive(const EncodingContext& context,
                                                     std::shared_ptr<const PositionTable> table) {
  return std::make_unique<AdditiveEncoding>(std::move(table),
                                            untrained_projection(context, Untrained::w_query),
                                            untrained_projection(context, Untrained::w_key));
}

}  // namespace rope
