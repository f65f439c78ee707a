#include "rope/encodings/rerope.hpp"

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

constexpr Parameter kWindow = {
    .name = "window",
    .meaning = "w, in tokens: distances up to w stay unchanged",
    .tokens = true,
    .domain = ParameterDomain::whole,
    .otherwise = "half the trained length; in maps, at most a quarter of the map",
    .least = 0,
    .most = std::int64_t{1} << 20};
constexpr Parameter kLogN = {.name = "log_n",
                             .meaning = "multiply q by max(1, ln(m+1)/ln T), as published",
                             .domain = ParameterDomain::flag,
                             .standard = 0};
constexpr std::array<Parameter, 2> kReRopeParameters = {kWindow, kLogN};
constexpr std::array<Parameter, 3> kLeakyParameters = {
    kWindow,
    {.name = "leak",
     .meaning = "K: the part of a distance beyond the window is divided by K",
     .domain = ParameterDomain::at_least_one,
     .otherwise = "as the target length requires"},
    kLogN};

/// The usual window, with the leak that it needs; in a map one that shows, with that same leak.
void complete_map(ParameterValues& values, const EncodingContext& context, bool leaky) {
  const std::int64_t usual = values.has("window") ? values.whole("window") : context.trained / 2;
  if (leaky)
    values.numbers.try_emplace("leak",
                               DistanceMap::fitting_leak(usual, context.trained, context.length));
  const std::int64_t shown = context.map_tokens ? std::min(usual, *context.map_tokens / 4) : usual;
  values.numbers.try_emplace("window", static_cast<double>(shown));
}

std::unique_ptr<PositionEncoding> make_mapped(const ParameterValues& values,
                                              const EncodingContext& context, DistanceMap map) {
  return std::make_unique<ReRopeEncoding>(
      context.rotary, map, values.flag("log_n") ? std::optional(context.trained) : std::nullopt);
}

/// |Δ|; the smallest integer counts as its neighbour.
std::int64_t magnitude(std::int64_t distance) {
  return std::abs(std::max(distance, -std::numeric_limits<std::int64_t>::max()));
}

/// The index of |Δ| ≥ 0.
ExactReal exact_index(const DistanceMap& map, std::int64_t distance) {
  if (distance <= map.window) return distance;
  if (std::isinf(map.leak)) return map.window;
  return ExactReal(map.window) + ExactReal(distance - map.window) / ExactReal(map.leak);
}

/// Whether the index of |Δ| ≥ 0 is at most that many tokens. Exactly: integers and products of them
/// with the leak fit 256 bits, and what is equal by the choice of the leak is equal here.
bool index_is_at_most(const DistanceMap& map, std::int64_t distance, std::int64_t most) {
  if (distance <= map.window) return distance <= most;
  if (std::isinf(map.leak)) return map.window <= most;
  return ExactReal(distance - map.window) <= ExactReal(most - map.window) * ExactReal(map.leak);
}

/// θ/2π with its whole turns, which matter where the position is no integer.
ExactReal turns_per_token(const Frequencies& frequencies, std::size_t pair) {
  const TurnFraction f = frequencies.turns[pair];
  const ExactReal fraction = ldexp(ExactReal(f.high), -64) + ldexp(ExactReal(f.low), -128);
  // θ is known to 53 bits: enough to tell how many whole turns there are.
  return round(ExactReal(frequencies.theta[pair]) / exact_two_pi() - fraction) + fraction;
}

/// cos and sin of index·θ_i for an index ≥ 0 that need not be whole, times A.
RotationRow row_at(const RotaryEmbedding& embedding, const ExactReal& index) {
  RotationRow row;
  for (std::size_t k = 0; k < embedding.pairs(); ++k) {
    const ExactReal turns = index * turns_per_token(embedding.frequencies, k);
    const ExactReal high = floor(ldexp(turns - floor(turns), 64));
    const CosSin value = cos_sin(TurnFraction{static_cast<std::uint64_t>(high), 0});
    row.cos.push_back(value.cos * embedding.attention_factor);
    row.sin.push_back(value.sin * embedding.attention_factor);
  }
  return row;
}

RotationRow mapped_row(const RotaryEmbedding& embedding, const DistanceMap& map,
                       std::int64_t distance) {
  if (magnitude(distance) <= map.window) return rotation_row(embedding, distance);
  if (std::isinf(map.leak)) return rotation_row(embedding, distance < 0 ? -map.window : map.window);
  RotationRow row = row_at(embedding, exact_index(map, magnitude(distance)));
  if (distance < 0)
    for (double& value : row.sin) value = -value;
  return row;
}

/// max(1, ln(m+1)/ln L).
double log_n_factor(std::int64_t position, std::int64_t trained) {
  if (position < 0)
    throw DomainError(Subject{"log-n"},
                      "expected positions of at least 0, got " + std::to_string(position));
  if (position < trained) return 1;
  return static_cast<double>(log(ExactReal(position) + 1) / log(ExactReal(trained)));
}

}  // namespace

double DistanceMap::operator()(std::int64_t distance) const {
  const auto index = static_cast<double>(exact_index(*this, magnitude(distance)));
  return distance < 0 ? -index : index;
}

double DistanceMap::fitting_leak(std::int64_t window, std::int64_t trained, std::int64_t length) {
  const auto beyond = static_cast<double>(length - 1 - window);
  const auto room = static_cast<double>(trained - 1 - window);
  if (!(room > 0)) return std::numeric_limits<double>::infinity();
  const double leak = std::max<double>(beyond / room, 1);
  // A quotient that was rounded down would not keep it.
  return ExactReal(leak) * room < beyond
             ? std::nextafter(leak, std::numeric_limits<double>::infinity())
             : leak;
}

ReRopeEncoding::ReRopeEncoding(RotaryEmbedding embedding, DistanceMap map,
                               std::optional<std::int64_t> log_n)
    : embedding_(std::move(embedding)), map_(map), log_n_(log_n) {
  if (map.window < 0)
    throw DomainError(Subject{"window"}, "expected at least 0, got " + std::to_string(map.window));
  if (!(map.leak >= 1))
    throw DomainError(Subject{"leak"},
                      "expected a number of at least 1, got " + number_text(map.leak));
  if (log_n && *log_n < 2)
    throw DomainError(Subject{"log-n"},
                      "expected a trained length of at least 2, got " + std::to_string(*log_n));
}

RowMatrix ReRopeEncoding::scores(const Tokens& queries, const Tokens& keys) const {
  check_tokens(queries, embedding_.head_dim);
  check_tokens(keys, embedding_.head_dim);
  const double root = std::sqrt(static_cast<double>(embedding_.head_dim));
  RowMatrix left = queries.vectors;
  for (Eigen::Index i = 0; i < left.rows(); ++i) {
    scale_rotated(embedding_, {left.row(i).data(), embedding_.head_dim});
    if (log_n_)
      left.row(i) *= log_n_factor(queries.positions[static_cast<std::size_t>(i)], *log_n_);
  }
  ByDistance rows([&](std::int64_t distance) { return mapped_row(embedding_, map_, distance); });
  std::vector<double> key(embedding_.head_dim);
  return score_matrix(queries, keys, [&](Eigen::Index i, Eigen::Index j) {
    rotate_elementwise(embedding_, rows(distance_between(queries, i, keys, j)),
                       row_of(keys.vectors, j), key);
    return dot(row_of(left, i), key) / root;
  });
}

double ReRopeEncoding::score_error(double q_norm, double k_norm, std::int64_t /*distance*/) const {
  const double stretched = std::max(std::abs(embedding_.attention_factor), 1.0);
  const double q = q_norm * stretched * (log_n_ ? log_n_factor(kMaxTokenPosition, *log_n_) : 1.0);
  const double k = k_norm * stretched * (1 + 2 * kRotationError);
  return (kRotationError + 2 * kRoundoff) * q * k /
             std::sqrt(static_cast<double>(embedding_.head_dim)) +
         content_error(embedding_.head_dim, q, k);
}

double ReRopeEncoding::unseen_share(std::int64_t trained, std::int64_t length) const {
  check_lengths(trained, length);
  if (length == trained) return 0;
  const auto seen = [&](std::int64_t distance) {
    return index_is_at_most(map_, distance, trained - 1);
  };
  std::int64_t last = trained - 1;  // the last distance that is seen: the index only grows
  for (std::int64_t step = length - trained; step > 0; step /= 2)
    while (last + step < length && seen(last + step)) last += step;
  return static_cast<double>(length - 1 - last) / static_cast<double>(length - trained);
}

Cost ReRopeEncoding::cost(const ModelShape& shape) const {
  Cost cost = RopeEncoding(embedding_).cost(shape);
  const auto heads = static_cast<double>(shape.heads);
  const auto context = static_cast<double>(shape.context);
  const double width = heads * static_cast<double>(embedding_.head_dim);
  cost.flops += cost.flops / 2 + 2 * width * context + heads * context;
  cost.squares = 1;
  return cost;
}

std::vector<NumberTable> ReRopeEncoding::numbers(std::span<const std::int64_t> at) const {
  std::vector<double> index;
  for (const std::int64_t distance : at) index.push_back(map_(distance));
  return {{"distance", std::vector<std::int64_t>(at.begin(), at.end()), 0},
          {"index", std::move(index), 0}};
}

std::string ReRopeEncoding::caption() const { return "w = " + std::to_string(map_.window); }

extern constinit const EncodingEntry rerope_encoding = {
    .name = "rerope",
    .title = "ReRoPE",
    .pairs = true,
    .parameters = kReRopeParameters,
    .make =
        [](const ParameterValues& values, const EncodingContext& context) {
          return make_mapped(values, context, {values.whole("window")});
        },
    .complete = [](ParameterValues& values,
                   const EncodingContext& context) { complete_map(values, context, false); }};

extern constinit const EncodingEntry leaky_rerope_encoding = {
    .name = "leaky-rerope",
    .title = "Leaky ReRoPE",
    .pairs = true,
    .pictured = false,
    .parameters = kLeakyParameters,
    .make =
        [](const ParameterValues& values, const EncodingContext& context) {
          return make_mapped(values, context, {values.whole("window"), values.number("leak")});
        },
    .complete = [](ParameterValues& values,
                   const EncodingContext& context) { complete_map(values, context, true); }};

}  // namespace rope
