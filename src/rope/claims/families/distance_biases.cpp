// The family `encoding`: the constants of T5 and ALiBi.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "rope/attention/exponential.hpp"
#include "rope/attention/relative.hpp"
#include "rope/attention/softmax.hpp"
#include "rope/claims/families/encoding_given.hpp"
#include "rope/claims/families/families.hpp"
#include "rope/claims/families/outcomes.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/encodings/alibi.hpp"
#include "rope/encodings/t5.hpp"
#include "rope/error.hpp"

namespace rope::claims {
namespace distance_bias_family {
namespace {

T5Buckets buckets_of(Parameters& given) {
  return {given.integer("buckets", 32), given.integer("max_distance", 128),
          given.flag("bidirectional")};
}

/// The bucket of a key that stands so many tokens before the query.
Outcome buckets(Parameters& given) {
  const T5Buckets all = buckets_of(given);
  std::vector<double> found;
  for (const std::int64_t before : given.integers("before"))
    found.push_back(static_cast<double>(all.bucket(-before)));
  return {found, 0};
}

/// How many different ones the keys 0 … last tokens before the query have.
Outcome distinct_buckets(Parameters& given) {
  const T5Buckets all = buckets_of(given);
  std::set<std::int64_t> found;
  const std::int64_t last = given.integer("last");
  for (std::int64_t before = 0; before <= last; ++before) found.insert(all.bucket(-before));
  return {{static_cast<double>(found.size())}, 0};
}

std::vector<double> slopes_of(Parameters& given) {
  const std::vector<double> all = alibi_slopes(given.integer("heads"));
  std::vector<double> chosen;
  for (const std::int64_t head : given.integers("head")) chosen.push_back(item_of(all, head));
  return chosen;
}

/// ALiBi's slopes of `head`, counted from 0.
Outcome slopes(Parameters& given) { return {slopes_of(given), kRoundoff}; }

/// Tokens that hold the share of the weight where all contents are alike.
Outcome window(Parameters& given) {
  std::vector<double> tokens;
  const double share = given.number("share");
  for (const double slope : slopes_of(given))
    tokens.push_back(static_cast<double>(alibi_window(slope, share)));
  return {tokens, 0};
}

/// The weight of a key over that of the next one, where all contents are alike.
Outcome weight_step(Parameters& given) {
  const std::int64_t heads = given.integer("heads"), head = given.integer("head");
  const AlibiEncoding encoding(2, heads, head);
  constexpr std::int64_t kCount = 32;
  std::vector<std::int64_t> positions;
  for (std::int64_t t = 0; t < kCount; ++t) positions.push_back(t);
  const Tokens same = copies_at(std::array{1.0, 1.0}, positions);
  const RowMatrix weights = attention_weights(
      encoding, copies_at(std::array{1.0, 1.0}, {kCount - 1}), same, Mask::causal);
  double low = weights(0, 0) / weights(0, 1), high = low;
  for (Eigen::Index j = 1; j + 1 < kCount; ++j) {
    low = std::min(low, weights(0, j) / weights(0, j + 1));
    high = std::max(high, weights(0, j) / weights(0, j + 1));
  }
  // Scores are off by score_error, and each weight by γ of itself.
  const double length = length_of(std::array{1.0, 1.0});
  return {{low, high},
          2 * encoding.score_error(length, length, -kCount) +
              2.01 * dot_error(static_cast<std::size_t>(kCount))};
}

/// The weight beyond so many tokens where all contents are alike: e^(−slope·tokens).
Outcome weight_beyond(Parameters& given) {
  const auto tokens = static_cast<double>(given.integer("tokens"));
  std::vector<double> weights;
  double largest = 0;
  for (const double slope : slopes_of(given)) {
    weights.push_back(exponential(-slope * tokens));
    // The slope and its product are rounded once each, the exponential is within 2.5e-16.
    largest = std::max(largest, weights.back() * (2.5e-16 + 2.1 * kRoundoff * slope * tokens));
  }
  return {weights, largest};
}

constexpr std::array kQuantities = {
    Quantity{"encoding.buckets", "bucket", buckets},
    Quantity{"encoding.distinct_buckets", "different buckets", distinct_buckets},
    Quantity{"encoding.slopes", "slope", slopes},
    Quantity{"encoding.window", "tokens in the window", window},
    Quantity{"encoding.weight_step", "weight divided by that of the next token", weight_step},
    Quantity{"encoding.weight_beyond", "weight beyond", weight_beyond},
};

}  // namespace
}  // namespace distance_bias_family

std::span<const Quantity> distance_bias_quantities() { return distance_bias_family::kQuantities; }

}  // namespace rope::claims
