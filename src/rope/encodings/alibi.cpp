#include "rope/encodings/alibi.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "rope/encodings/encodings.hpp"
#include "rope/encodings/none.hpp"
#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"

namespace rope {
namespace {

constexpr std::int64_t kMostHeads = 65536;

constexpr std::array<std::string_view, 3> kBiases = {"distance", "key", "key-from-last"};
constexpr std::array<Parameter, 2> kAlibiParameters = {
    {{.name = "head",
      .meaning = "the head whose slope is used, counted from 0",
      .domain = ParameterDomain::whole,
      .otherwise = "half the number of heads",
      .least = 0,
      .most = kMostHeads - 1},
     {.name = "bias",
      .meaning = "the bias: -slope times distance (the paper), slope times key (BLOOM) or slope "
                 "times key-from-last (MPT)",
      .domain = ParameterDomain::choice,
      .standard = 0,
      .choices = kBiases}}};

/// 2^(−8h/n).
double power_slope(std::int64_t i, std::int64_t n) {
  return static_cast<double>(pow(ExactReal(2), ExactReal(-8 * i) / ExactReal(n)));
}

/// |n − m| as a positive number, for the smallest integer too.
double tokens_apart(std::int64_t distance) { return std::abs(static_cast<double>(distance)); }

/// The largest of these keys.
std::int64_t last_of(std::span<const std::int64_t> keys) {
  return keys.empty() ? 0 : *std::ranges::max_element(keys);
}

/// What the slope of a bias by keys is multiplied by.
double key_tokens(AlibiBias bias, std::int64_t key, std::int64_t last) {
  // In double: the difference of two integers may have no integer.
  return bias == AlibiBias::key ? static_cast<double>(key)
                                : static_cast<double>(key) - static_cast<double>(last);
}

}  // namespace

std::vector<double> alibi_slopes(std::int64_t heads) {
  if (heads < 1 || heads > kMostHeads)
    throw DomainError(Subject{"heads"}, "expected 1 to " + std::to_string(kMostHeads) + ", got " +
                                            std::to_string(heads));
  const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads)));
  std::vector<double> slopes;
  for (std::int64_t i = 1; i <= power; ++i) slopes.push_back(power_slope(i, power));
  for (std::int64_t i = 1; i <= heads - power; ++i)
    slopes.push_back(power_slope(2 * i - 1, 2 * power));
  return slopes;
}

std::int64_t alibi_window(double slope, double share) {
  if (!(slope > 0) || !std::isfinite(slope))
    throw DomainError(Subject{"slope"},
                      "expected a finite number above 0, got " + number_text(slope));
  if (!(share > 0 && share < 1))
    throw DomainError(Subject{"share"},
                      "expected a number between 0 and 1, got " + number_text(share));
  const ExactReal tokens = -log(1 - ExactReal(share)) / ExactReal(slope);
  if (tokens > kMaxTokenPosition) return kMaxTokenPosition;
  return std::max<std::int64_t>(static_cast<std::int64_t>(ceil(tokens)), 1);
}

AlibiEncoding::AlibiEncoding(std::size_t head_dim, std::int64_t heads, std::int64_t head,
                             AlibiBias bias)
    : head_dim_(head_dim),
      slopes_(alibi_slopes(heads)),
      head_(static_cast<std::size_t>(head)),
      bias_(bias) {
  if (head < 0 || head >= heads)
    throw DomainError(
        Subject{"head"},
        "expected 0 to " + std::to_string(heads - 1) + ", got " + std::to_string(head),
        "Heads are counted from 0.");
}

RowMatrix AlibiEncoding::scores(const Tokens& queries, const Tokens& keys) const {
  check_tokens(queries, head_dim_);
  check_tokens(keys, head_dim_);
  RowMatrix result = content_scores(queries, keys);
  const std::int64_t last = last_of(keys.positions);
  for (Eigen::Index i = 0; i < result.rows(); ++i)
    for (Eigen::Index j = 0; j < result.cols(); ++j) {
      const std::int64_t key = keys.positions[static_cast<std::size_t>(j)];
      const double tokens = bias_ == AlibiBias::distance
                                ? -tokens_apart(distance_between(queries, i, keys, j))
                                : key_tokens(bias_, key, last);
      result(i, j) += slope() * tokens;
    }
  return result;
}

double AlibiEncoding::score_error(double q_norm, double k_norm, std::int64_t distance) const {
  return content_error(head_dim_, q_norm, k_norm) +
         2 * kRoundoff * slope() * tokens_apart(distance) * (1 + 4 * kRoundoff);
}

double AlibiEncoding::unseen_share(std::int64_t trained, std::int64_t length) const {
  check_lengths(trained, length);
  return length > trained ? 1 : 0;
}

Cost AlibiEncoding::cost(const ModelShape& shape) const {
  Cost cost;
  cost.flops = static_cast<double>(shape.heads) * static_cast<double>(shape.context);
  cost.table_bytes = cost.flops * 4;
  return cost;
}

std::vector<NumberTable> AlibiEncoding::numbers(std::span<const std::int64_t> at) const {
  const bool by_distance = bias_ == AlibiBias::distance;
  const std::int64_t last = last_of(at);
  std::vector<double> bias;
  for (const std::int64_t place : at)
    bias.push_back(slope() * (by_distance ? -tokens_apart(place) : key_tokens(bias_, place, last)) +
                   0.0);
  return {{"slopes", slopes_, 0},
          {by_distance ? "relative_position" : "key_position",
           std::vector<std::int64_t>(at.begin(), at.end()), 0},
          {"bias", std::move(bias), 0}};
}

std::string AlibiEncoding::remark(std::int64_t /*reach*/,
                                  std::span<const std::int64_t> /*shifts*/) const {
  const auto [flat, steep] = std::ranges::minmax(slopes_);
  return "slopes " + rounded_text(steep, 4) + " to " + rounded_text(flat, 4) + " for " +
         std::to_string(slopes_.size()) + " heads, here " + rounded_text(slope(), 4) +
         " for head " + std::to_string(head_) +
         "; with equal contents, 99 % of the weight lies within " +
         std::to_string(alibi_window(steep, 0.99)) + " to " +
         std::to_string(alibi_window(flat, 0.99)) + " tokens";
}

extern constinit const EncodingEntry alibi_encoding = {
    .name = "alibi",
    .title = "ALiBi",
    .parameters = kAlibiParameters,
    .make = [](const ParameterValues& values,
               const EncodingContext& context) -> std::unique_ptr<PositionEncoding> {
      return std::make_unique<AlibiEncoding>(context.rotary.head_dim, context.heads,
                                             values.whole("head"),
                                             static_cast<AlibiBias>(values.whole("bias")));
    },
    .complete =
        [](ParameterValues& values, const EncodingContext& context) {
          const std::int64_t middle = context.heads / 2;
          values.numbers.try_emplace("head", static_cast<double>(middle));
        }};

}  // namespace rope
