#include "rope/encodings/t5.hpp"

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <numeric>
#include <utility>

#include "rope/encodings/untrained.hpp"
#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"

namespace rope {
namespace {

constexpr std::int64_t kMostBuckets = 32768;  // of one direction

constexpr std::array<Parameter, 3> kT5Parameters = {
    {{.name = "buckets",
      .meaning = "number of learned biases per head",
      .domain = ParameterDomain::whole,
      .standard = 32,
      .least = 2,
      .most = kMostBuckets},
     {.name = "max_distance",
      .meaning = "distances from this many tokens on share one bucket",
      .tokens = true,
      .domain = ParameterDomain::whole,
      .otherwise = "128, or the smallest possible",
      .least = 2,
      .most = std::int64_t{1} << 40},
     {.name = "bidirectional",
      .meaning = "keys after the query have buckets of their own",
      .domain = ParameterDomain::flag,
      .standard = 0}}};

/// Whether r ≥ e·(D/e)^(j/n), in integers: r^n·e^j ≥ D^j·e^n.
bool reaches(std::int64_t r, std::int64_t e, std::int64_t largest, std::int64_t j, std::int64_t n) {
  using boost::multiprecision::cpp_int;
  const std::int64_t common = std::gcd(j, n);
  const auto power = [&](std::int64_t value, std::int64_t exponent) -> cpp_int {
    return pow(cpp_int(value), static_cast<unsigned>(exponent / common));
  };
  return power(r, n) * power(e, j) >= power(largest, j) * power(e, n);
}

/// The smallest integer r ≥ e·(D/e)^(j/n).
std::int64_t first_distance(std::int64_t e, std::int64_t largest, std::int64_t j, std::int64_t n) {
  const ExactReal real =
      ExactReal(e) * pow(ExactReal(largest) / ExactReal(e), ExactReal(j) / ExactReal(n));
  const ExactReal nearest = round(real);
  // 256 bits tell which integer is next, unless one of them may be the number itself.
  if (abs(real - nearest) > ldexp(ExactReal(1), -150)) return static_cast<std::int64_t>(ceil(real));
  const auto r = static_cast<std::int64_t>(nearest);
  return reaches(r, e, largest, j, n) ? r : r + 1;
}

}  // namespace

T5Buckets::T5Buckets(std::int64_t buckets, std::int64_t max_distance, bool bidirectional)
    : count_(buckets), bidirectional_(bidirectional) {
  const std::int64_t each = bidirectional ? buckets / 2 : buckets;
  if (each < 2 || each > kMostBuckets)
    throw DomainError(Subject{"buckets"},
                      "expected " + std::to_string(bidirectional ? 4 : 2) + " to " +
                          std::to_string(bidirectional ? 2 * kMostBuckets + 1 : kMostBuckets) +
                          ", got " + std::to_string(buckets),
                      "Each direction needs one bucket for near distances and one for far ones.");
  const std::int64_t exact = each / 2;
  if (max_distance <= exact || max_distance > kMaxTokenPosition)
    throw DomainError(
        Subject{"max_distance"},
        "expected more than " + std::to_string(exact) +
            ", the number of distances with a bucket of their own, and less than 2^62, got " +
            std::to_string(max_distance),
        "The buckets for larger distances widen up to max_distance.");
  for (std::int64_t distance = 0; distance < exact; ++distance) first_.push_back(distance);
  for (std::int64_t j = 0; j < each - exact; ++j)
    first_.push_back(first_distance(exact, max_distance, j, each - exact));
}

std::int64_t T5Buckets::bucket(std::int64_t relative_position) const {
  const bool after = relative_position > 0;
  if (after && !bidirectional_) return 0;
  // All that is farther is in the last bucket; the smallest integer has no opposite.
  const std::int64_t distance =
      after ? relative_position : -std::max(relative_position, -kMaxTokenPosition);
  // The last bucket that begins at or before the distance: two may begin at one and the same.
  const auto next = std::ranges::upper_bound(first_, distance);
  const std::int64_t bucket = (next - first_.begin()) - 1;
  return after ? bucket + count_ / 2 : bucket;
}

T5Encoding::T5Encoding(std::size_t head_dim, T5Buckets buckets, std::vector<double> bias,
                       double scale)
    : head_dim_(head_dim), buckets_(std::move(buckets)), bias_(std::move(bias)), scale_(scale) {
  if (bias_.size() != static_cast<std::size_t>(buckets_.count()))
    throw ShapeError("t5: expected " + std::to_string(buckets_.count()) +
                     " biases, one per bucket, got " + std::to_string(bias_.size()));
}

RowMatrix T5Encoding::scores(const Tokens& queries, const Tokens& keys) const {
  check_tokens(queries, head_dim_);
  check_tokens(keys, head_dim_);
  return score_matrix(queries, keys, [&](Eigen::Index i, Eigen::Index j) {
    const std::int64_t bucket = buckets_.bucket(distance_between(queries, i, keys, j));
    return dot(row_of(queries.vectors, i), row_of(keys.vectors, j)) * scale_ +
           bias_[static_cast<std::size_t>(bucket)];
  });
}

double T5Encoding::score_error(double q_norm, double k_norm, std::int64_t distance) const {
  const double bias = bias_[static_cast<std::size_t>(buckets_.bucket(distance))];
  return dot_error(head_dim_) * q_norm * k_norm * std::abs(scale_) + kRoundoff * std::abs(bias);
}

double T5Encoding::unseen_share(std::int64_t trained, std::int64_t length) const {
  check_lengths(trained, length);
  if (length == trained) return 0;
  // Keys before the query: buckets only grow with the distance.
  const std::int64_t last_seen = buckets_.bucket(-(trained - 1));
  const auto& first = buckets_.first_distances();
  const auto next = static_cast<std::size_t>(last_seen) + 1;
  const std::int64_t unseen_from =
      next < first.size() ? std::clamp(first[next], trained, length) : length;
  return static_cast<double>(length - unseen_from) / static_cast<double>(length - trained);
}

Cost T5Encoding::cost(const ModelShape& shape) const {
  const auto heads = static_cast<double>(shape.heads);
  Cost cost;
  cost.parameters = heads * static_cast<double>(buckets_.count());
  cost.flops = heads * static_cast<double>(shape.context);
  cost.squares = 1;
  return cost;
}

std::vector<NumberTable> T5Encoding::numbers(std::span<const std::int64_t> at) const {
  std::vector<std::int64_t> buckets;
  for (const std::int64_t distance : at) buckets.push_back(buckets_.bucket(distance));
  return {{"relative_position", std::vector<std::int64_t>(at.begin(), at.end()), 0},
          {"buckets", std::move(buckets), 0},
          {"first_distances", buckets_.first_distances(), 0}};
}

extern constinit const EncodingEntry t5_encoding = {
    .name = "t5",
    .title = "T5 bias",
    .parameters = kT5Parameters,
    .make = [](const ParameterValues& values,
               const EncodingContext& context) -> std::unique_ptr<PositionEncoding> {
      // The 1/√d that T5 keeps in W_Q stands beside q and k here, as it does for the others.
      const auto d = static_cast<double>(context.rotary.head_dim);
      T5Buckets buckets(values.whole("buckets"), values.whole("max_distance"),
                        values.flag("bidirectional"));
      const auto count = static_cast<std::size_t>(buckets.count());
      return std::make_unique<T5Encoding>(context.rotary.head_dim, std::move(buckets),
                                          untrained_vector(context, count, 1, Untrained::t5_bias),
                                          1 / std::sqrt(d));
    },
    .complete =
        [](ParameterValues& values, const EncodingContext& /*context*/) {
          constexpr std::int64_t kUsual = 128;
          const std::int64_t each =
              values.flag("bidirectional") ? values.whole("buckets") / 2 : values.whole("buckets");
          values.numbers.try_emplace("max_distance",
                                     static_cast<double>(std::max(kUsual, each / 2 + 1)));
        }};

}  // namespace rope
