#include "rope/encodings/xpos.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "rope/encodings/encodings.hpp"
#include "rope/encodings/none.hpp"
#include "rope/encodings/rope.hpp"
#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"

namespace rope {
namespace {

constexpr int kMostBits = 900;

constexpr std::array<Parameter, 2> kXPosParameters = {
    {{.name = "scale_base",
      .meaning = "B in zeta^((m-n)/B), in tokens",
      .tokens = true,
      .domain = ParameterDomain::at_least_one,
      .standard = 512},
     {.name = "gamma", .meaning = "gamma in zeta = (2i/d + gamma)/(1 + gamma)", .standard = 0.4}}};

ExactReal zeta(const RotaryEmbedding& embedding, double gamma, std::size_t pair) {
  const ExactReal share = ExactReal(2 * pair) / ExactReal(embedding.rotary_dim());
  return (share + ExactReal(gamma)) / (1 + ExactReal(gamma));
}

}  // namespace

XPosEncoding::XPosEncoding(RotaryEmbedding embedding, double scale_base, double gamma)
    : embedding_(std::move(embedding)), scale_base_(scale_base), gamma_(gamma) {
  if (!(scale_base >= 1) || !std::isfinite(scale_base))
    throw DomainError(Subject{"xpos"},
                      "expected a scale base of at least 1, got " + number_text(scale_base));
  if (!(gamma > 0) || !std::isfinite(gamma))
    throw DomainError(Subject{"xpos"}, "expected gamma above 0, got " + number_text(gamma));
}

void XPosEncoding::check_reach(std::int64_t tokens) const {
  const ExactReal bits =
      -log(zeta(embedding_, gamma_, 0)) / log(ExactReal(2)) / ExactReal(scale_base_) * tokens;
  if (bits <= kMostBits) return;
  throw DomainError(Subject{"xpos"},
                    "expected positions at most " +
                        std::to_string(static_cast<std::int64_t>(kMostBits / bits * 2 * tokens)) +
                        " apart, got " + std::to_string(2 * tokens),
                    "Beyond that, the factors of xPos do not fit in a double.");
}

/// Each pair times ζ^(sign·(position − middle)/B).
RowMatrix XPosEncoding::scaled(const Tokens& tokens, std::int64_t middle, int sign) const {
  RowMatrix result = rotate(embedding_, tokens.vectors, tokens.positions);
  for (std::size_t i = 0; i < embedding_.pairs(); ++i) {
    const auto [first, second] = embedding_.dimensions(i);
    const ExactReal per_token = exp(log(zeta(embedding_, gamma_, i)) / ExactReal(scale_base_));
    for (Eigen::Index t = 0; t < result.rows(); ++t) {
      const std::int64_t from_middle = tokens.positions[static_cast<std::size_t>(t)] - middle;
      const auto factor = static_cast<double>(pow(per_token, sign * from_middle));
      result(t, static_cast<Eigen::Index>(first)) *= factor;
      result(t, static_cast<Eigen::Index>(second)) *= factor;
    }
  }
  return result;
}

RowMatrix XPosEncoding::scores(const Tokens& queries, const Tokens& keys) const {
  check_tokens(queries, embedding_.head_dim);
  check_tokens(keys, embedding_.head_dim);
  if (queries.positions.empty() || keys.positions.empty()) return content_scores(queries, keys);
  const auto [q_low, q_high] = std::ranges::minmax(queries.positions);
  const auto [k_low, k_high] = std::ranges::minmax(keys.positions);
  const std::int64_t low = std::min(q_low, k_low), high = std::max(q_high, k_high);
  const std::int64_t middle = low + (high - low) / 2;
  check_reach(high - middle);
  return content_scores({scaled(queries, middle, 1), queries.positions},
                        {scaled(keys, middle, -1), keys.positions});
}

double XPosEncoding::score_error(double q_norm, double k_norm, std::int64_t distance) const {
  // Keys before the query: ζ^(positive) ≤ 1; after it: the fastest pair grows most.
  double growth = 1;
  if (distance > 0)
    growth = static_cast<double>(
        exp(-log(zeta(embedding_, gamma_, 0)) / ExactReal(scale_base_) * distance));
  const double stretched = std::max(std::abs(embedding_.attention_factor), 1.0);
  const double product =
      growth * q_norm * k_norm * stretched * stretched * (1 + 8 * kRotationError);
  return (2 * (kRotationError + 2 * kRoundoff) + dot_error(embedding_.head_dim)) * product /
         std::sqrt(static_cast<double>(embedding_.head_dim));
}

double XPosEncoding::unseen_share(std::int64_t trained, std::int64_t length) const {
  return unseen_angle_share(embedding_.frequencies, trained, length);
}

Cost XPosEncoding::cost(const ModelShape& shape) const {
  Cost cost = RopeEncoding(embedding_).cost(shape);
  cost.table_bytes *= 2;
  return cost;
}

std::vector<NumberTable> XPosEncoding::numbers(std::span<const std::int64_t> /*at*/) const {
  std::vector<double> zetas;
  for (std::size_t i = 0; i < embedding_.pairs(); ++i)
    zetas.push_back(static_cast<double>(zeta(embedding_, gamma_, i)));
  return {{"theta", embedding_.frequencies.theta, 0}, {"zeta", std::move(zetas), 0}};
}

extern constinit const EncodingEntry xpos_encoding = {
    .name = "xpos",
    .title = "xPos",
    .pairs = true,
    .pictured = false,
    .parameters = kXPosParameters,
    .make = [](const ParameterValues& values,
               const EncodingContext& context) -> std::unique_ptr<PositionEncoding> {
      return std::make_unique<XPosEncoding>(context.rotary, values.number("scale_base"),
                                            values.number("gamma"));
    }};

}  // namespace rope
