#include "rope/encodings/shaw.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "rope/encodings/untrained.hpp"
#include "rope/error.hpp"

namespace rope {
namespace {

constexpr std::array<Parameter, 1> kShawParameters = {
    {{.name = "clip",
      .meaning = "c, in tokens: the largest distance with a key of its own",
      .tokens = true,
      .domain = ParameterDomain::whole,
      .standard = 16,
      .least = 0,
      .most = std::int64_t{1} << 24}}};

}  // namespace

ShawEncoding::ShawEncoding(RowMatrix relative_keys) : keys_(std::move(relative_keys)) {
  if (keys_.rows() % 2 == 0 || keys_.cols() == 0)
    throw ShapeError(Subject{"shaw"}, "expected 2c + 1 relative keys, an odd number, got " +
                                          std::to_string(keys_.rows()));
  for (Eigen::Index i = 0; i < keys_.rows(); ++i)
    largest_norm_ = std::max(largest_norm_, norm(row_of(keys_, i)));
  largest_norm_ *= 1 + dot_error(head_dim());
}

std::int64_t ShawEncoding::clipped(std::int64_t distance) const {
  return std::clamp(distance, -clip(), clip());
}

RowMatrix ShawEncoding::scores(const Tokens& queries, const Tokens& keys) const {
  check_tokens(queries, head_dim());
  check_tokens(keys, head_dim());
  const double root = std::sqrt(static_cast<double>(head_dim()));
  std::vector<double> key(head_dim());
  return score_matrix(queries, keys, [&](Eigen::Index i, Eigen::Index j) {
    const auto own = row_of(keys.vectors, j);
    const auto relative = row_of(keys_, clipped(distance_between(queries, i, keys, j)) + clip());
    for (std::size_t c = 0; c < key.size(); ++c) key[c] = own[c] + relative[c];
    return dot(row_of(queries.vectors, i), key) / root;
  });
}

double ShawEncoding::score_error(double q_norm, double k_norm, std::int64_t /*distance*/) const {
  return dot_error(head_dim() + 1) * q_norm * (k_norm + largest_norm_) /
         std::sqrt(static_cast<double>(head_dim()));
}

double ShawEncoding::unseen_share(std::int64_t trained, std::int64_t length) const {
  check_lengths(trained, length);
  return length > trained && clip() >= trained ? 1 : 0;
}

Cost ShawEncoding::cost(const ModelShape& shape) const {
  const auto heads = static_cast<double>(shape.heads);
  const auto d = static_cast<double>(head_dim());
  const auto context = static_cast<double>(shape.context);
  Cost cost;
  cost.parameters = static_cast<double>(shape.layers) * static_cast<double>(keys_.rows()) * d;
  const double distances = static_cast<double>(std::min(clip(), shape.context - 1) + 1);
  cost.flops = heads * (2 * d * distances + context);
  cost.squares = 1;
  return cost;
}

std::vector<NumberTable> ShawEncoding::numbers(std::span<const std::int64_t> at) const {
  std::vector<std::int64_t> result;
  for (const std::int64_t distance : at) result.push_back(clipped(distance));
  return {{"relative_position", std::vector<std::int64_t>(at.begin(), at.end()), 0},
          {"clipped", std::move(result), 0}};
}

extern constinit const EncodingEntry shaw_encoding = {
    .name = "shaw",
    .title = "Shaw",
    .parameters = kShawParameters,
    .make = [](const ParameterValues& values,
               const EncodingContext& context) -> std::unique_ptr<PositionEncoding> {
      return std::make_unique<ShawEncoding>(
          untrained_rows(context, 2 * values.whole("clip") + 1, 1, Untrained::shaw_keys));
    }};

}  // namespace rope
