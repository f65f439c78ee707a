#include "rope/verify/output_check.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"

namespace rope {
namespace {

constexpr double kLargestInput = 0x1p1000;  // leaves room for products and sums

/// How far x cos − y sin, x sin + y cos in double may be from the exact pair, with this library's
/// own row: the error of its entries, of the products and of the sums, twice what is needed, and
/// what underflows.
double own_error(double factor, double x, double y) {
  constexpr double kEntry = std::numbers::sqrt2 * kCosSinError + 1e-18 + 0x1p-53;
  constexpr double kProducts = std::numbers::sqrt2 * 0x1p-51;
  return (factor * pair_length(x, y)) * 2 * (kEntry + kProducts) + 0x1p-1070;
}

/// Roundings that a rule may add to the frequencies. A recurrence rounds once for every factor it
/// multiplies by, with or without a rule.
double granted_roundings(const Policy& policy, const RotaryEmbedding& embedding) {
  const bool recurrence = policy.angle_rule == AngleRule::recurrence;
  return kRuleRoundings + (recurrence ? 2 * static_cast<double>(embedding.pairs()) : 0);
}

Hypotheses with_roundings(Hypotheses assumed, const Policy& policy,
                          const RotaryEmbedding& embedding) {
  assumed.rule_roundings = granted_roundings(policy, embedding);
  return assumed;
}

Policy narrowed_to(Policy policy, Format result) {
  if (limits(result).precision < limits(policy.store).precision) policy.store = result;
  return policy;
}

}  // namespace

OutputBounds::OutputBounds(const Policy& named, const RotaryEmbedding& embedding, Format result,
                           Hypotheses assumed)
    : hypotheses(with_roundings(assumed, named, embedding)),
      policy(narrowed_to(named, result)),
      narrowed(policy.store != named.store),
      bounds(Pipeline(policy, embedding), hypotheses) {}

OutputCheck::OutputCheck(const Policy& policy, const RotaryEmbedding& embedding, Format result,
                         Hypotheses assumed)
    : embedding_(embedding),
      input_(policy.input()),
      result_(result),
      granted_(policy, embedding, result, assumed),
      reference_(embedding) {
  report_.per_pair.resize(embedding.pairs());
  report_.evidence.resize(embedding.pairs(), Evidence::none);
}

std::int64_t OutputCheck::position_of(std::size_t pair) const {
  const std::vector<std::uint8_t>& axis = embedding_.axes.of_pair;
  return position_[pair < axis.size() ? axis[pair] : 0];
}

const RotationRow& OutputCheck::row_at(const Position& position) {
  if (!has_row_ || !(position == position_)) {
    row_ = rotation_row(embedding_, position);
    has_row_ = true;
    has_reference_ = false;
    position_ = position;
  }
  return row_;
}

const std::vector<ReferenceRotation::Entry>& OutputCheck::reference_at(const Position& position) {
  row_at(position);
  if (!has_reference_) {
    reference_row_ = reference_.row(position);
    has_reference_ = true;
  }
  return reference_row_;
}

/// The error of a pair x turned by the row at hand: by doubles where they can tell that it is
/// within its bound, else by 100 bits.
OutputCheck::Judged OutputCheck::judge_pair(std::size_t pair, CosSin x, CosSin found,
                                            double bound) {
  const double c = row_.cos[pair], s = row_.sin[pair];
  const CosSin own = {x.cos * c - x.sin * s, x.cos * s + x.sin * c};
  const double error = pair_length(found.cos - own.cos, found.sin - own.sin);
  if (error + own_error(embedding_.attention_factor, x.cos, x.sin) <= bound)
    return {{error, bound}, found, own};
  const auto [first, second] =
      ReferenceRotation::rotate(reference_at(position_)[pair], x.cos, x.sin);
  return {{pair_length(first.distance(found.cos), second.distance(found.sin)), bound},
          found,
          {first.high, second.high}};
}

/// What a pair x of this position shows under a bound.
void OutputCheck::weigh(std::size_t pair, CosSin x, double bound) {
  const double factor = embedding_.attention_factor;
  const double length = factor * pair_length(x.cos, x.sin);
  if (length == 0) {
    ++report_.zero;
    return;
  }
  if (!(bound < length)) {
    ++report_.vacuous;
    return;
  }
  Evidence& evidence = report_.evidence[pair];
  if (position_of(pair) == 0 || evidence == Evidence::turn) return;
  const double c = row_.cos[pair], s = row_.sin[pair];
  const double moved =
      pair_length(x.cos * c - x.sin * s - factor * x.cos, x.cos * s + x.sin * c - factor * x.sin);
  const bool seen = moved - own_error(factor, x.cos, x.sin) > bound;
  evidence = seen ? Evidence::turn : Evidence::fixed;
}

void OutputCheck::take(const Judged& judged, std::uint64_t vector, std::size_t pair,
                       bool passes_through) {
  const OutputError one = {judged,         vector,       position_of(pair), pair,
                           passes_through, judged.found, judged.expected};
  if (keeps_) last_.push_back(one);
  if (report_.compared++ == 0 || one.worse_than(report_.worst)) report_.worst = one;
  if (!passes_through) {
    OutputError& known = report_.per_pair[pair];
    if (known.bound == 0 || one.worse_than(known)) known = one;
  }
  if (!judged.violated()) return;
  ++report_.violations;
  if (!report_.first) report_.first = one;
}

void OutputCheck::check_input(std::span<const double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(std::abs(x[i]) <= kLargestInput))
      throw DomainError("expected finite numbers up to 2^1000, found " + number_text(x[i]) +
                            " in dimension " + std::to_string(i),
                        std::isnan(x[i]) ? "The output for such a vector cannot be judged: omit it."
                                         : "Outputs for larger inputs cannot be judged.");
    if (round_to(input_, x[i]) != x[i])
      throw DomainError("expected numbers representable in " + std::string(limits(input_).name) +
                            ", the policy's input format, found " + number_text(x[i]) +
                            " in dimension " + std::to_string(i),
                        "Give exactly the numbers that the implementation received.");
  }
}

void OutputCheck::add_vector(std::uint64_t vector, const Position& position,
                             std::span<const double> x, std::span<const double> y) {
  if (x.size() != embedding_.head_dim || y.size() != x.size())
    throw ShapeError("expected vectors of size " + std::to_string(embedding_.head_dim) + ", got " +
                     std::to_string(x.size()) + " and " + std::to_string(y.size()));
  if (stopped()) return;
  check_input(x);
  last_.clear();
  row_at(position);
  const double through = granted_.bounds.rotated(position, x, limits_);
  for (std::size_t k = 0; k < embedding_.pairs(); ++k) {
    const auto [i, j] = embedding_.dimensions(k);
    weigh(k, {x[i], x[j]}, limits_[k]);
    take(judge_pair(k, {x[i], x[j]}, {y[i], y[j]}, limits_[k]), vector, k, false);
  }
  // The bound takes x for numbers of the store format; where results are narrower they are not.
  const RoundingError cast = granted_.narrowed && through == 0
                                 ? cast_error(input_, granted_.policy.store)
                                 : RoundingError{};
  for (std::size_t i = embedding_.rotary_dim(); i < x.size(); ++i) {
    const double bound = through + cast.relative * std::abs(x[i]) + cast.absolute;
    take({{std::abs(y[i] - x[i]), bound}, {y[i], 0}, {x[i], 0}}, vector, i, true);
  }
}

void OutputCheck::add_row(std::uint64_t row, const Position& position, std::span<const double> cos,
                          std::span<const double> sin) {
  const std::size_t pairs = embedding_.pairs();
  if (cos.size() != sin.size() || (cos.size() != pairs && cos.size() != 2 * pairs))
    throw ShapeError("expected tables of " + std::to_string(pairs) + " or " +
                         std::to_string(2 * pairs) + " columns, got " + std::to_string(cos.size()) +
                         " and " + std::to_string(sin.size()),
                     "Were these tables made for this head size?");
  if (stopped()) return;
  row_at(position);
  granted_.bounds.faithfulness(position, limits_);
  const FormatLimits& type = limits(result_);
  if (type.precision < limits(granted_.policy.table).precision)
    for (double& limit : limits_)
      limit += (type.unit_roundoff * (1 + limit) +
                type.underflow / smaller(1.0, embedding_.attention_factor)) *
               kBoundInflation;
  for (std::size_t k = 0; k < pairs; ++k) {
    const double bound = limits_[k] * embedding_.attention_factor;
    weigh(k, {1, 0}, bound);
    const PairDimensions place =
        cos.size() == pairs ? PairDimensions{k, k} : embedding_.dimensions(k);
    take(judge_pair(k, {1, 0}, {cos[place.first], sin[place.first]}, bound), row, k, false);
    if (place.second == place.first) continue;
    take(judge_pair(k, {1, 0}, {cos[place.second], sin[place.second]}, bound), row, k, false);
  }
}

}  // namespace rope
