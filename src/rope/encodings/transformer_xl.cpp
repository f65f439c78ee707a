#include "rope/encodings/transformer_xl.hpp"

#include <cmath>
#include <utility>

#include "rope/encodings/none.hpp"
#include "rope/encodings/sinusoidal.hpp"
#include "rope/encodings/untrained.hpp"
#include "rope/error.hpp"

namespace rope {
namespace {

/// Each query plus the same vector.
RowMatrix with(const RowMatrix& queries, const std::vector<double>& added) {
  RowMatrix result = queries;
  for (Eigen::Index i = 0; i < result.rows(); ++i)
    for (Eigen::Index c = 0; c < result.cols(); ++c)
      result(i, c) += added[static_cast<std::size_t>(c)];
  return result;
}

}  // namespace

TransformerXlEncoding::TransformerXlEncoding(std::shared_ptr<const PositionTable> table,
                                             RowMatrix w_r, std::vector<double> u,
                                             std::vector<double> v)
    : table_(std::move(table)), w_r_(std::move(w_r)), u_(std::move(u)), v_(std::move(v)) {
  if (u_.empty() || u_.size() != v_.size() || w_r_.rows() != static_cast<Eigen::Index>(u_.size()) ||
      w_r_.cols() != static_cast<Eigen::Index>(table_->dim()))
    throw ShapeError(Subject{"transformer-xl"},
                     "expected u and v of size d and a matrix of d rows and " +
                         std::to_string(table_->dim()) + " columns, got " +
                         std::to_string(u_.size()) + ", " + std::to_string(v_.size()) + " and " +
                         std::to_string(w_r_.rows()) + "x" + std::to_string(w_r_.cols()));
}

/// left_i·W_R p_{m−n}/√d.
RowMatrix TransformerXlEncoding::position_scores(const RowMatrix& left, const Tokens& queries,
                                                 const Tokens& keys) const {
  const double root = std::sqrt(static_cast<double>(head_dim()));
  ByDistance projected([&](std::int64_t distance) {  // n − m, where the table takes m − n
    return multiply(w_r_, table_->row(-distance));
  });
  return score_matrix(queries, keys, [&](Eigen::Index i, Eigen::Index j) {
    return dot(row_of(left, i), projected(distance_between(queries, i, keys, j))) / root;
  });
}

RowMatrix TransformerXlEncoding::scores(const Tokens& queries, const Tokens& keys) const {
  check_tokens(queries, head_dim());
  check_tokens(keys, head_dim());
  return content_scores({with(queries.vectors, u_), queries.positions}, keys) +
         position_scores(with(queries.vectors, v_), queries, keys);
}

FourTerms TransformerXlEncoding::terms(const Tokens& queries, const Tokens& keys) const {
  check_tokens(queries, head_dim());
  check_tokens(keys, head_dim());
  const RowMatrix zero = RowMatrix::Zero(queries.vectors.rows(), queries.vectors.cols());
  return {content_scores(queries, keys),
          position_scores(queries.vectors, queries, keys),
          content_scores({with(zero, u_), queries.positions}, keys),
          position_scores(with(zero, v_), queries, keys),
          {"q·k", "q·W_R p_{m−n}", "u·k", "v·W_R p_{m−n}"}};
}

double TransformerXlEncoding::score_error(double q_norm, double k_norm,
                                          std::int64_t /*distance*/) const {
  const double inflation = 1 + dot_error(head_dim() * table_->dim());
  const double factor = frobenius_norm(w_r_) * inflation;
  const double p = factor * table_->largest_norm();
  const double p_error =
      dot_error(table_->dim()) * p +
      factor * std::sqrt(static_cast<double>(table_->dim())) * table_->entry_error();
  const double with_u = q_norm + norm(u_) * inflation;
  const double with_v = q_norm + norm(v_) * inflation;
  // Two terms more in each dot product: the rounding of q + u, and of the sum of both.
  const double root = std::sqrt(static_cast<double>(head_dim()));
  return (dot_error(head_dim() + 2) * (with_u * k_norm + with_v * (p + p_error)) +
          with_v * p_error) *
         inflation / root;
}

double TransformerXlEncoding::unseen_share(std::int64_t trained, std::int64_t length) const {
  return table_->unseen_share(trained, length);
}

Cost TransformerXlEncoding::cost(const ModelShape& shape) const {
  const auto heads = static_cast<double>(shape.heads);
  const auto context = static_cast<double>(shape.context);
  const double width = heads * static_cast<double>(head_dim());
  Cost cost;
  cost.parameters = static_cast<double>(shape.layers) * width * width + 2 * width;
  cost.flops = 2 * width * width + 2 * width + 2 * width * context + heads * context;
  cost.table_bytes = context * width * 4;
  cost.squares = 1;
  return cost;
}

std::vector<NumberTable> TransformerXlEncoding::numbers(std::span<const std::int64_t> at) const {
  std::vector<double> table;
  for (const std::int64_t distance : at) {
    if (distance < -kMaxTokenPosition || distance > kMaxTokenPosition)
      throw DomainError(Subject{"transformer-xl"},
                        "expected distances of less than 2^62, got " + std::to_string(distance),
                        "No two tokens are farther apart.");
    const std::vector<double> row = table_->row(-distance);
    table.insert(table.end(), row.begin(), row.end());
  }
  return {{"relative_position", std::vector<std::int64_t>(at.begin(), at.end()), 0},
          {"table", std::move(table), table_->dim()}};
}

extern constinit const EncodingEntry transformer_xl_encoding = {
    .name = "transformer-xl",
    .title = "Transformer-XL",
    .make = [](const ParameterValues& /*values*/,
               const EncodingContext& context) -> std::unique_ptr<PositionEncoding> {
      const std::size_t d = context.rotary.head_dim;
      return std::make_unique<TransformerXlEncoding>(
          std::make_shared<SinusoidalTable>(d, context.base, SinusoidalForm::blocks),
          untrained_projection(context, Untrained::w_relative),
          untrained_vector(context, d, 0.25, Untrained::u_bias),
          untrained_vector(context, d, 0.25, Untrained::v_bias));
    }};

}  // namespace rope
