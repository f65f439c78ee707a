#include "rope/verify/output_check.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "rope/error.hpp"
#include "rope/precision/measured.hpp"

namespace rope {
namespace {

constexpr double kLargestInput = 0x1p1000;  // leaves room for products and sums

/// How far x cos − y sin, x sin + y cos in double may be from the exact pair, with this library's
/// own row: the error of its entries, of the products and of the sums, twice what is needed.
double own_error(double factor, double x, double y) {
  constexpr double kEntry = std::numbers::sqrt2 * kCosSinError + 1e-18 + 0x1p-53;
  constexpr double kProducts = std::numbers::sqrt2 * 0x1p-51;
  return (factor * pair_length(x, y)) * 2 * (kEntry + kProducts) + 0x1p-1000;
}

}  // namespace

OutputCheck::OutputCheck(const Pipeline& claimed, Format input, Hypotheses hypotheses)
    : claimed_(claimed),
      input_(input),
      bounds_(claimed, hypotheses),
      reference_(claimed.embedding()) {
  report_.per_pair.resize(claimed.embedding().pairs());
}

const RotationRow& OutputCheck::row_at(std::int64_t position) {
  if (!has_row_ || position != position_) {
    row_ = rotation_row(claimed_.embedding(), position);
    has_row_ = true;
    has_reference_ = false;
    position_ = position;
  }
  return row_;
}

const std::vector<ReferenceRotation::Entry>& OutputCheck::reference_at(std::int64_t position) {
  row_at(position);
  if (!has_reference_) {
    reference_row_ = reference_.row(position);
    has_reference_ = true;
  }
  return reference_row_;
}

/// The error of a pair (x, y) turned by the row at hand: by doubles where they can tell that it is
/// within its bound, else by 100 bits.
OutputCheck::Judged OutputCheck::judge_pair(std::size_t pair, double x, double y, CosSin found,
                                            double bound) {
  const double c = row_.cos[pair], s = row_.sin[pair];
  const CosSin own = {x * c - y * s, x * s + y * c};
  const double error = pair_length(found.cos - own.cos, found.sin - own.sin);
  if (error + own_error(claimed_.embedding().attention_factor, x, y) <= bound)
    return {found, own, error, bound};
  const auto [first, second] = ReferenceRotation::rotate(reference_at(position_)[pair], x, y);
  return {found,
          {first.high, second.high},
          pair_length(first.distance(found.cos), second.distance(found.sin)),
          bound};
}

void OutputCheck::take(const Judged& judged, std::uint64_t vector, std::size_t pair,
                       bool passes_through) {
  const OutputError one = {vector,       position_,    pair,         passes_through,
                           judged.error, judged.bound, judged.found, judged.expected};
  const bool first = report_.compared++ == 0;
  if (first || exceeds(one.ratio(), report_.worst.ratio())) report_.worst = one;
  if (!passes_through) {
    OutputError& known = report_.per_pair[pair];
    if (known.bound == 0 || exceeds(one.ratio(), known.ratio())) known = one;
  }
  if (judged.error <= judged.bound) return;
  ++report_.violations;
  if (!report_.first) report_.first = one;
}

void OutputCheck::check_input(std::span<const double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(std::abs(x[i]) <= kLargestInput))
      throw DomainError("expected finite numbers up to 2^1000, found " + number_text(x[i]) +
                            " in dimension " + std::to_string(i),
                        "Beyond, nothing can be judged.");
    if (round_to(input_, x[i]) != x[i])
      throw DomainError("expected numbers of " + std::string(limits(input_).name) +
                            ", which the policy takes, found " + number_text(x[i]) +
                            " in dimension " + std::to_string(i),
                        "Give the very numbers that the implementation was given.");
  }
}

void OutputCheck::add_vector(std::uint64_t vector, std::int64_t position, std::span<const double> x,
                             std::span<const double> y) {
  const RotaryEmbedding& embedding = claimed_.embedding();
  if (x.size() != embedding.head_dim || y.size() != x.size())
    throw ShapeError("expected vectors of " + std::to_string(embedding.head_dim) + ", got " +
                     std::to_string(x.size()) + " and " + std::to_string(y.size()));
  check_input(x);
  row_at(position);
  const double through = bounds_.rotated(position, x, limits_);
  for (std::size_t k = 0; k < embedding.pairs(); ++k) {
    const auto [i, j] = embedding.dimensions(k);
    const double exact_length = embedding.attention_factor * pair_length(x[i], x[j]);
    if (exact_length > 0 && limits_[k] >= exact_length) ++report_.vacuous;
    take(judge_pair(k, x[i], x[j], {y[i], y[j]}, limits_[k]), vector, k, false);
  }
  for (std::size_t i = embedding.rotary_dim(); i < x.size(); ++i)
    take({{y[i], 0}, {x[i], 0}, std::abs(y[i] - x[i]), through}, vector, i, true);
}

void OutputCheck::add_row(std::uint64_t row, std::int64_t position, std::span<const double> cos,
                          std::span<const double> sin, Format type) {
  const RotaryEmbedding& embedding = claimed_.embedding();
  const std::size_t pairs = embedding.pairs();
  if (cos.size() != sin.size() || (cos.size() != pairs && cos.size() != 2 * pairs))
    throw ShapeError("expected tables of " + std::to_string(pairs) + " or " +
                         std::to_string(2 * pairs) + " columns, got " + std::to_string(cos.size()) +
                         " and " + std::to_string(sin.size()),
                     "Is it the table of this head size?");
  row_at(position);
  bounds_.faithfulness(position, limits_);
  if (rope::limits(type).precision < rope::limits(claimed_.policy().table).precision)
    for (double& limit : limits_)
      limit += (rope::limits(type).unit_roundoff * (1 + limit) +
                rope::limits(type).underflow / smaller(1.0, embedding.attention_factor)) *
               kBoundInflation;
  for (std::size_t k = 0; k < pairs; ++k) {
    const double bound = limits_[k] * embedding.attention_factor;
    if (limits_[k] >= 1) ++report_.vacuous;
    const PairDimensions place =
        cos.size() == pairs ? PairDimensions{k, k} : embedding.dimensions(k);
    take(judge_pair(k, 1, 0, {cos[place.first], sin[place.first]}, bound), row, k, false);
    if (place.second == place.first) continue;
    take(judge_pair(k, 1, 0, {cos[place.second], sin[place.second]}, bound), row, k, false);
  }
}

}  // namespace rope
