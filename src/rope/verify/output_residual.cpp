#include "rope/verify/output_residual.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rope/precision/bounds.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

/// How many times larger or smaller than overall a difference may be in one group.
constexpr double kUneven = 4;
constexpr double kUnevenPairs = 8;  // whose weights differ in size, as those of heads hardly do
constexpr double kFewestEven = 4;   // of fewer errors, one may be small by chance
constexpr double kFalseAlarm = 1e-6;
constexpr std::size_t kMostAngles = std::size_t{1} << 20;
constexpr double kFewestAngles = 32;  // for their mean to be about normal

}  // namespace

void ResidualRecorder::Sum::add(const OutputError& one) {
  const double e = one.found.cos - one.expected.cos, f = one.found.sin - one.expected.sin;
  const double u = one.expected.cos, v = one.expected.sin;
  const double off = e * e + f * f, length = u * u + v * v;
  const double most = std::sqrt(off) + one.bound;
  ++count;
  through = through && one.passes_through;
  bounds += one.bound * one.bound;
  error += off;
  size += length;
  if (off > 0) shares += off / length;
  along += e * u + f * v;
  across += f * u - e * v;
  rounding += one.bound * std::sqrt(length);
  squares += most * most * length;
}

/// |Σ e·conj(w)|, as far as rounding does not explain it.
double ResidualRecorder::Sum::beyond_rounding() const {
  return larger(pair_length(along, across) - rounding, 0.0);
}

ResidualRecorder::ResidualRecorder(std::vector<std::size_t> lengths, std::size_t token_axis)
    : lengths_(std::move(lengths)), token_axis_(token_axis) {
  for (const std::size_t length : lengths_) groups_.emplace_back(length);
}

void ResidualRecorder::add(std::span<const OutputError> errors) {
  const std::size_t last = lengths_.size() - 1;
  std::size_t below = 1, token = 0;
  std::vector<std::size_t> at(last);
  for (std::size_t axis = last; axis-- > 0;) {
    at[axis] = vectors_ / below % lengths_[axis];
    below *= lengths_[axis];
    if (axis == token_axis_) token = at[axis];
  }
  for (const OutputError& one : errors) {
    all_.add(one);
    for (std::size_t axis = 0; axis < last; ++axis) groups_[axis][at[axis]].add(one);
    // Dimensions that pass through have numbers above those of the pairs.
    groups_[last][one.pair].add(one);
    const std::size_t angle = token * lengths_[last] + one.pair;
    if (one.passes_through || angle >= kMostAngles) continue;
    if (angle >= angles_.size()) angles_.resize(angle + 1);
    angles_[angle].add(one);
  }
  ++vectors_;
}

/// Whether the angles of all pairs, or of one, err to one side: what rounding does not explain of
/// each t has a sign of its own, so that (Σt)² stays below s Σt².
bool ResidualRecorder::turns_one_way(double s) const {
  struct Signs {
    double sum = 0, squares = 0;
    void add(double t) {
      sum += t;
      squares += t * t;
    }
    bool agree(double most) const { return sum * sum > most * squares; }
  };
  const std::size_t pairs = lengths_.back();
  std::vector<Signs> of_pair(pairs);
  Signs all;
  for (std::size_t angle = 0; angle < angles_.size(); ++angle) {
    const Sum& sum = angles_[angle];
    const double t = std::copysign(larger(std::abs(sum.across) - sum.rounding, 0.0), sum.across);
    of_pair[angle % pairs].add(t);
    all.add(t);
  }
  return all.agree(s) ||
         std::ranges::any_of(of_pair, [s](const Signs& signs) { return signs.agree(s); });
}

/// Whether e goes along with w more than signs of their own would have it.
bool ResidualRecorder::has_direction() const {
  double groups = 1;
  for (const std::vector<Sum>& axis : groups_) groups += static_cast<double>(axis.size());
  const double s = 2 * std::log(4 * groups / kFalseAlarm);
  const auto goes_along = [s](const Sum& sum) {
    const double beyond = sum.beyond_rounding();
    return beyond * beyond > s * sum.squares;
  };
  if (goes_along(all_)) return true;
  for (const std::vector<Sum>& axis : groups_)
    if (std::ranges::any_of(axis, goes_along)) return true;
  if (turns_one_way(s)) return true;
  // |Σ e·conj(w)|² over Σ|e|²|w|² of one angle is 1 on average, or less, with a variance of 2 at
  // most: the fourth moment of a sum of signs is within three times the square of its second.
  constexpr double kDeviations = 8;
  double ratios = 0, count = 0;
  for (const Sum& sum : angles_) {
    if (sum.count < 2 || !(sum.squares > 0)) continue;
    ratios += std::pow(sum.beyond_rounding(), 2) / sum.squares;
    ++count;
  }
  return count >= kFewestAngles && ratios / count > 1 + kDeviations * std::sqrt(2 / count);
}

/// Whether every group differs about as much as all do, for its size, for its number or place by
/// place. What passes through, or has bounds as large as the noise, may differ less: casting back
/// to a narrow format often leaves the very number that was there. Where it hardly ever does not,
/// one large number may be most of what a head differs by.
bool ResidualRecorder::is_even() const {
  const double relative = all_.error / all_.size, absolute = all_.error / all_.count,
               by_place = all_.shares / all_.count;
  const auto near = [&](const Sum& sum, double one, double mean, double most) {
    const bool hidden = sum.through || most * sum.bounds >= relative * sum.size;
    return one <= most * mean && (mean <= most * one || hidden);
  };
  return std::ranges::all_of(groups_, [&](const std::vector<Sum>& axis) {
    const double factor = &axis == &groups_.back() ? kUnevenPairs : kUneven;
    return std::ranges::all_of(axis, [&](const Sum& sum) {
      return sum.size == 0 || sum.count < kFewestEven ||
             near(sum, sum.error / sum.size, relative, factor * factor) ||
             near(sum, sum.error / sum.count, absolute, factor * factor) ||
             near(sum, sum.shares / sum.count, by_place, factor * factor);
    });
  });
}

/// Whether one pair of few vectors is most of what all differ by, for its size or number by number.
/// Of n exponential numbers one is a share c of their sum with a probability of n(1 − c)^(n−1).
bool ResidualRecorder::is_of_one_pair() const {
  if (static_cast<double>(vectors_) >= kFewestEven) return false;
  double pairs = 0, errors = 0, shares = 0;
  for (const Sum& pair : groups_.back()) {
    if (pair.through || !(pair.size > 0)) continue;
    ++pairs;
    errors += pair.error + pair.bounds;
    shares += pair.shares;
  }
  const double most = 1 - std::pow(kFalseAlarm / pairs, 1 / (pairs - 1));
  return pairs > 1 && std::ranges::any_of(groups_.back(), [&](const Sum& pair) {
           return !pair.through && pair.error > most * errors && pair.shares > most * shares;
         });
}

OutputResidual ResidualRecorder::residual() const {
  OutputResidual result;
  if (!(all_.size > 0)) return result;
  result.relative = std::sqrt(all_.error / all_.size);
  double along = 0, size = 0, error = 0;  // of the pairs
  for (const Sum& pair : groups_.back()) {
    if (pair.through) continue;
    along += pair.along;
    size += pair.size;
    error += pair.error;
  }
  if (size > 0) result.factor = 1 + along / size;
  if (size > 0 && error > 0) result.by_factor = along * along / (size * error);
  result.noise = result.relative > 0 && result.relative <= kMostNoise && is_even() &&
                 !is_of_one_pair() && !has_direction();
  return result;
}

}  // namespace rope
