#include "rope/encodings/rope.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "rope/encodings/encodings.hpp"
#include "rope/encodings/none.hpp"
#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"
#include "rope/rotary/unseen_angles.hpp"

namespace rope {
namespace {

constexpr std::array<Parameter, 1> kPartialParameters = {
    {{.name = "share",
      .meaning = "share of the pairs that turn (at least one pair)",
      .domain = ParameterDomain::fraction,
      .standard = 0.5}}};
constexpr std::array<Parameter, 1> kPRopeParameters = {
    {{.name = "share",
      .meaning = "share of the pairs that turn (the fastest ones)",
      .domain = ParameterDomain::fraction,
      .standard = 0.25}}};

/// RoPE with other frequencies, which no scaling rule made.
std::unique_ptr<PositionEncoding> rope_with(const EncodingContext& context,
                                            Frequencies frequencies) {
  RotaryEmbedding embedding;
  embedding.head_dim = context.rotary.head_dim;
  embedding.layout = context.rotary.layout;
  embedding.frequencies = std::move(frequencies);
  return std::make_unique<RopeEncoding>(std::move(embedding));
}

}  // namespace

RowMatrix RopeEncoding::scores(const Tokens& queries, const Tokens& keys) const {
  check_tokens(queries, embedding_.head_dim);
  check_tokens(keys, embedding_.head_dim);
  return content_scores({rotate(embedding_, queries.vectors, queries.positions), queries.positions},
                        {rotate(embedding_, keys.vectors, keys.positions), keys.positions});
}

double RopeEncoding::score_error(double q_norm, double k_norm, std::int64_t /*distance*/) const {
  const double stretched = std::max(std::abs(embedding_.attention_factor), 1.0);
  const double q = q_norm * stretched * (1 + 2 * kRotationError);
  const double k = k_norm * stretched * (1 + 2 * kRotationError);
  return 2 * kRotationError * q * k / std::sqrt(static_cast<double>(embedding_.head_dim)) +
         content_error(embedding_.head_dim, q, k);
}

double unseen_angle_share(const Frequencies& frequencies, std::int64_t trained,
                          std::int64_t length) {
  const std::vector<double> unseen =
      angle_coverage(frequencies, frequencies, trained, length).unseen;
  return std::accumulate(unseen.begin(), unseen.end(), 0.0) / static_cast<double>(unseen.size());
}

double RopeEncoding::unseen_share(std::int64_t trained, std::int64_t length) const {
  return unseen_angle_share(embedding_.frequencies, trained, length);
}

Cost RopeEncoding::cost(const ModelShape& shape) const {
  // Pairs that never turn are neither computed nor kept.
  double turning = 0;
  for (const double theta : embedding_.frequencies.theta) turning += theta > 0 ? 1 : 0;
  Cost cost;
  cost.flops = 12 * static_cast<double>(shape.heads) * turning;
  cost.table_bytes = static_cast<double>(shape.context) * turning * 2 * 4;
  return cost;
}

std::vector<NumberTable> RopeEncoding::numbers(std::span<const std::int64_t> /*at*/) const {
  return {{"theta", embedding_.frequencies.theta, 0}};
}

Frequencies fastest_frequencies(double base, std::size_t head_dim, double share) {
  if (!(share >= 0 && share <= 1))
    throw DomainError(Subject{"share"}, "expected a number from 0 to 1, got " + number_text(share));
  static_cast<void>(geometric_frequencies(base, head_dim));  // checks both
  std::vector<ExactReal> theta = exact_geometric(ExactReal(base), head_dim);
  const auto kept = static_cast<std::size_t>(std::floor(share * static_cast<double>(theta.size())));
  for (std::size_t i = kept; i < theta.size(); ++i) theta[i] = 0;
  return round_frequencies(theta);
}

extern constinit const EncodingEntry rope_encoding = {
    .name = "rope",
    .title = "RoPE",
    .pairs = true,
    .make = [](const ParameterValues& /*values*/,
               const EncodingContext& context) -> std::unique_ptr<PositionEncoding> {
      return std::make_unique<RopeEncoding>(context.rotary);
    }};

extern constinit const EncodingEntry partial_rope_encoding = {
    .name = "partial-rope",
    .title = "partial RoPE",
    .pairs = true,
    .pictured = false,
    .parameters = kPartialParameters,
    .make = [](const ParameterValues& values, const EncodingContext& context) {
      const auto pairs = static_cast<double>(context.rotary.pairs());
      const auto turning = static_cast<std::size_t>(std::floor(values.number("share") * pairs));
      return rope_with(context,
                       geometric_frequencies(context.base, 2 * std::max<std::size_t>(turning, 1)));
    }};

extern constinit const EncodingEntry p_rope_encoding = {
    .name = "p-rope",
    .title = "p-RoPE",
    .pairs = true,
    .parameters = kPRopeParameters,
    .make = [](const ParameterValues& values, const EncodingContext& context) {
      return rope_with(context, fastest_frequencies(context.base, context.rotary.rotary_dim(),
                                                    values.number("share")));
    }};

}  // namespace rope
