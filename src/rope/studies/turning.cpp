#include "rope/studies/turning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "rope/encodings/vectors.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/twofold.hpp"
#include "rope/verify/scheme.hpp"

namespace rope {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr std::uint64_t kTrials = 200;
constexpr std::int64_t kLongest = 131072;

constexpr auto kMistakes = std::to_array<PortingMistake>({
    {"sign", "negative-query", "exact", "q is turned by −m, k by n"},
    {"pairing", "mixed-layouts", "exact", "q is paired as (2i, 2i+1), k as (i, i + r/2)"},
    {"base", "base-mismatch", "exact", "k is turned with a base 50 times as large as q's"},
    {"bfloat16", "", "bfloat16-positions",
     "θ_i, m, mθ_i, cos, sin and the rotation are rounded to bfloat16"},
    {"off-by-one", "off-by-one", "exact", "q is turned by m + 1"},
});

/// How far the angle between two arrows may change by rounding: each of the four arrows that are
/// compared is off by at most this part of its length, and the products of two, in extended
/// precision, by nothing that matters. √2·kCosSinError of its cosine and sine, √2·2u of two
/// products and a sum in each component, √2·u where an attention factor was multiplied in.
constexpr double kArrowRounding =
    std::numbers::sqrt2 * (kCosSinError + 3 * kRoundoff) * (1 + 0x1p-10);
constexpr double kAngleRounding = 4 * kArrowRounding + 4 * std::numbers::pi * kRoundoff;

void check(const TurningRequest& request) {
  const std::size_t d = request.embedding.head_dim;
  if (request.query.size() != d || (!request.key.empty() && request.key.size() != d))
    throw ShapeError("turning: expected q and k of " + std::to_string(d) + " numbers, got " +
                     std::to_string(request.query.size()) + " and " +
                     std::to_string(request.key.size()));
  if (request.positions.empty() || request.pairs.empty())
    throw ShapeError("turning: expected at least one position and one pair, got none");
  for (const std::size_t pair : request.pairs)
    if (pair >= request.embedding.pairs())
      throw DomainError("turning: expected pairs below " +
                        std::to_string(request.embedding.pairs()) + ", got " +
                        std::to_string(pair));
  for (const std::vector<double>* x : {&request.query, &request.key})
    for (const double number : *x)
      if (!std::isfinite(number))
        throw DomainError("turning: expected finite vectors, got " + std::to_string(number));
}

/// Turns q or k, in one way of doing it.
class Turner {
 public:
  Turner(const Policy& policy, const RotorSpec& spec) : rotor_(policy, spec) {}

  std::vector<double> operator()(std::span<const double> x, std::int64_t position) {
    std::vector<double> turned(x.size());
    rotor_.row(position, row_);
    rotor_.apply(RotationForm::elementwise, row_, x, turned);
    return turned;
  }

 private:
  Rotor rotor_;
  Rotor::Row row_;
};

/// q and k as one implementation turns them.
struct Implementation {
  Turner query, key;

  Implementation(const Policy& policy, const SchemeSpec& scheme)
      : query(policy, scheme.query), key(policy, scheme.key) {}
};

Implementation right(const RotaryEmbedding& embedding) {
  return {*find_policy("exact"), right_scheme(embedding)};
}

std::optional<Control> control_of(const PortingMistake& mistake) {
  return mistake.control.empty() ? std::nullopt : find_control(mistake.control);
}

Implementation with(const PortingMistake& mistake, const RotaryEmbedding& embedding) {
  const std::optional<Control> control = control_of(mistake);
  return {*find_policy(mistake.policy),
          control ? control->plant(embedding) : right_scheme(embedding)};
}

PlanePoint in_plane(const RotaryEmbedding& embedding, std::size_t pair, std::span<const double> x) {
  if (x.empty()) return {};
  const PairDimensions dims = embedding.dimensions(pair);
  return {x[dims.first], x[dims.second]};
}

/// The same direction, of numbers whose products neither overflow nor vanish.
PlanePoint scaled(const PlanePoint& point) {
  const double largest = larger(std::fabs(point.x), std::fabs(point.y));
  if (!(largest > 0) || std::isinf(largest)) return point;
  const int exponent = std::ilogb(largest);
  return {std::ldexp(point.x, -exponent), std::ldexp(point.y, -exponent)};
}

/// The angle from q to k, −π to π; none where one of them is 0.
std::optional<double> angle_between(const PlanePoint& q, const PlanePoint& k) {
  const PlanePoint u = scaled(q), v = scaled(k);
  const Twofold dot = exact_product(u.x, v.x) + exact_product(u.y, v.y);
  const Twofold cross = exact_product(u.x, v.y) + exact_product(-u.y, v.x);
  if (dot.high == 0 && cross.high == 0) return std::nullopt;
  const auto extended = [](const Twofold& x) {
    return static_cast<long double>(x.high) + static_cast<long double>(x.low);
  };
  return static_cast<double>(std::atan2(extended(cross), extended(dot)));
}

/// The way from one angle to another, at most half a turn.
double apart(double a, double b) { return std::fabs(std::remainder(a - b, kTurn)); }

/// Where q and k stand at one position, of all dimensions.
struct Turned {
  std::vector<double> query, key, wrong_query, wrong_key;
};

/// Turns q and k, rightly and with the mistake.
class BothWays {
 public:
  explicit BothWays(const TurningRequest& request)
      : request_(request), rightly_(right(request.embedding)) {
    if (request.mistake) wrongly_.emplace(with(*request.mistake, request.embedding));
  }

  Turned operator()(std::int64_t m) {
    const std::int64_t n = m + request_.distance;
    Turned turned{rightly_.query(request_.query, m), {}, {}, {}};
    if (!request_.key.empty()) turned.key = rightly_.key(request_.key, n);
    turned.wrong_query = wrongly_ ? wrongly_->query(request_.query, m) : turned.query;
    turned.wrong_key =
        wrongly_ && !request_.key.empty() ? wrongly_->key(request_.key, n) : turned.key;
    return turned;
  }

 private:
  const TurningRequest& request_;
  Implementation rightly_;
  std::optional<Implementation> wrongly_;
};

TurnedPair in_plane_of(std::size_t pair, std::int64_t m, const Turned& turned,
                       const RotaryEmbedding& embedding) {
  return {static_cast<double>(m) * embedding.frequencies.theta[pair] / kTurn,
          in_plane(embedding, pair, turned.query), in_plane(embedding, pair, turned.key),
          in_plane(embedding, pair, turned.wrong_query),
          in_plane(embedding, pair, turned.wrong_key)};
}

/// Whether the mistake changes neither arrow.
bool same(const TurnedPair& now) {
  const auto equal = [](const PlanePoint& a, const PlanePoint& b) {
    return a.x == b.x && a.y == b.y;
  };
  return equal(now.query, now.wrong_query) && equal(now.key, now.wrong_key);
}

/// Takes what one position says of the angle.
void take_position(const TurnedPair& now, std::int64_t m, AngleKept& kept) {
  const std::optional<double> angle = angle_between(now.query, now.key);
  if (!angle) return;
  if (!kept.exists) kept.angle = *angle;
  kept.exists = true;
  LargestOf<double> change(kept.change.error), off_by(kept.off_by);
  change.take(apart(*angle, kept.angle));
  kept.change.error = change.value();
  const std::optional<double> wrong =
      same(now) ? angle : angle_between(now.wrong_query, now.wrong_key);
  if (wrong && off_by.take(apart(*wrong, *angle))) kept.off_at = m;
  kept.off_by = off_by.value();
}

std::vector<AngleKept> kept_of_all_pairs(const TurningRequest& request) {
  std::vector<AngleKept> all(request.key.empty() ? 0 : request.embedding.pairs());
  for (AngleKept& kept : all) kept.change.bound = kAngleRounding;
  BothWays both(request);
  for (const std::int64_t m : request.positions) {
    if (all.empty()) break;
    const Turned turned = both(m);
    for (std::size_t pair = 0; pair < all.size(); ++pair)
      take_position(in_plane_of(pair, m, turned, request.embedding), m, all[pair]);
  }
  return all;
}

template <class Size>
std::optional<std::size_t> largest_pair(const std::vector<AngleKept>& all, Size size) {
  std::optional<std::size_t> found;
  for (std::size_t pair = 0; pair < all.size(); ++pair)
    if (all[pair].exists && (!found || exceeds(size(all[pair]), size(all[*found])))) found = pair;
  return found;
}

/// Puts a pair among those that are looked at, in place of the nearest; first and last stay.
void look_at(std::size_t pair, std::vector<std::size_t>& looked_at) {
  if (looked_at.size() < 3 || std::ranges::find(looked_at, pair) != looked_at.end()) return;
  const auto way = [&](std::size_t other) { return std::max(other, pair) - std::min(other, pair); };
  *std::ranges::min_element(looked_at.begin() + 1, looked_at.end() - 1, {}, way) = pair;
  std::ranges::sort(looked_at);
}

/// What the verification is asked about the mistake: random vectors, at positions as far away as
/// those that are looked at.
VerifyOptions verification_of(const TurningRequest& request) {
  VerifyOptions options;
  options.embedding = request.embedding;
  options.layouts = {request.embedding.layout};
  options.policy = *find_policy(request.mistake->policy);
  options.control = control_of(*request.mistake);
  options.trials = kTrials;
  std::int64_t furthest = 1;
  for (const std::int64_t position : request.positions)
    furthest = std::max({furthest, std::abs(std::clamp(position, -kLongest, kLongest)),
                         std::abs(std::clamp(position + request.distance, -kLongest, kLongest))});
  options.max_position = furthest;
  return options;
}

}  // namespace

std::span<const PortingMistake> porting_mistakes() { return kMistakes; }

std::optional<std::size_t> TurningStudy::pair_of_largest_change() const {
  return largest_pair(all_kept, [](const AngleKept& each) { return each.change.error; });
}

std::optional<std::size_t> TurningStudy::pair_of_largest_error() const {
  return largest_pair(all_kept, [](const AngleKept& each) { return each.off_by; });
}

TurningStudy turn(TurningRequest request) {
  check(request);
  TurningStudy study{std::move(request), {}, {}, {}, {}, {}};
  study.all_kept = kept_of_all_pairs(study);
  const std::optional<std::size_t> worst = study.pair_of_largest_error();
  if (study.mistake && study.seeks_mistake && worst && study.all_kept[*worst].shows_mistake())
    look_at(*worst, study.pairs);
  BothWays both(study);
  for (const std::int64_t m : study.positions) {
    const Turned turned = both(m);
    for (const std::size_t pair : study.pairs)
      study.turned.push_back(in_plane_of(pair, m, turned, study.embedding));
  }
  if (!study.key.empty())
    for (const std::size_t pair : study.pairs) study.kept.push_back(study.all_kept[pair]);
  if (study.mistake) {
    study.verified = verification_of(study);
    study.verdict = verify(*study.verified);
  }
  return study;
}

}  // namespace rope
