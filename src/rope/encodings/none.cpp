#include "rope/encodings/none.hpp"
#include "rope/encodings/encodings.hpp"

#include <cmath>

namespace rope {

RowMatrix content_scores(const Tokens& queries, const Tokens& keys) {
  const double root = std::sqrt(static_cast<double>(queries.vectors.cols()));
  return score_matrix(queries, keys, [&](Eigen::Index i, Eigen::Index j) {
    return dot(row_of(queries.vectors, i), row_of(keys.vectors, j)) / root;
  });
}

double content_error(std::size_t head_dim, double q_norm, double k_norm) {
  return dot_error(head_dim) * q_norm * k_norm / std::sqrt(static_cast<double>(head_dim));
}

RowMatrix NoEncoding::scores(const Tokens& queries, const Tokens& keys) const {
  check_tokens(queries, head_dim_);
  check_tokens(keys, head_dim_);
  return content_scores(queries, keys);
}

double NoEncoding::score_error(double q_norm, double k_norm, std::int64_t /*distance*/) const {
  return content_error(head_dim_, q_norm, k_norm);
}

double NoEncoding::unseen_share(std::int64_t trained, std::int64_t length) const {
  check_lengths(trained, length);
  return 0;
}

Cost NoEncoding::cost(const ModelShape& /*shape*/) const { return {}; }

std::vector<NumberTable> NoEncoding::numbers(std::span<const std::int64_t> /*at*/) const {
  return {};
}

extern constinit const EncodingEntry none_encoding = {
    .name = "none",
    .title = "NoPE",
    .make = [](const ParameterValues& /*values*/,
               const EncodingContext& context) -> std::unique_ptr<PositionEncoding> {
      return std::make_unique<NoEncoding>(context.rotary.head_dim);
    }};

}  // namespace rope
