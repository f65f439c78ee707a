#include "rope/diagnose/angles/lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "rope/diagnose/angles/fitting_rates.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

/// Two tokens and the distance between them.
struct Baseline {
  std::size_t from, to;  // token numbers; `from` may be the virtual token at position 0
  std::int64_t length;

  std::int64_t size() const { return std::abs(length); }
};

constexpr std::size_t kZero = std::numeric_limits<std::size_t>::max();

/// Baselines between neighbours in position and between tokens 2, 4, 8 … places apart, the shortest
/// first.
std::vector<Baseline> baselines(std::span<const std::int64_t> positions, bool through_zero) {
  std::vector<std::size_t> order(positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return positions[a] < positions[b]; });
  std::vector<Baseline> result;
  for (std::size_t step = 1; step < order.size(); step *= 2)
    for (std::size_t i = 0; i + step < order.size(); ++i)
      if (const std::int64_t length = positions[order[i + step]] - positions[order[i]]; length > 0)
        result.push_back({order[i], order[i + step], length});
  if (through_zero)
    for (std::size_t t = 0; t < positions.size(); ++t)
      if (positions[t] != 0) result.push_back({kZero, t, positions[t]});
  std::stable_sort(result.begin(), result.end(),
                   [](const Baseline& a, const Baseline& b) { return a.size() < b.size(); });
  return result;
}

/// The angles of one pair and their errors: of the measurement, and of the angle in the pipeline.
class PairAngles {
 public:
  PairAngles(const MeasuredAngles& angles, std::span<const std::int64_t> positions,
             double angle_rounding, std::size_t pair)
      : angles_(angles), positions_(positions), rounding_(angle_rounding), pair_(pair) {}

  double turn(std::size_t token) const { return token == kZero ? 0 : angles_.turn(token, pair_); }
  double error(std::size_t token, double rate) const {
    if (token == kZero) return 0;
    const double angle = std::abs(static_cast<double>(positions_[token]) * rate);
    return angles_.uncertainty(token, pair_) + rounding_ * angle;
  }
  double rounding() const { return rounding_; }
  /// The turn between two tokens, with doubled errors: as far as contradictions are tolerated.
  TurnBetween between(const Baseline& baseline) const {
    const double steps = std::abs(position(baseline.from)) + std::abs(position(baseline.to));
    return {baseline.length, wrapped(turn(baseline.to) - turn(baseline.from)),
            2 * (error(baseline.from, 0) + error(baseline.to, 0)), 2 * rounding_ * steps};
  }

 private:
  double position(std::size_t token) const {
    return token == kZero ? 0 : static_cast<double>(positions_[token]);
  }

  const MeasuredAngles& angles_;
  std::span<const std::int64_t> positions_;
  double rounding_;
  std::size_t pair_;
};

/// The interval and weighted mean of the rate from baselines of one length class.
struct Narrowed {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  double weighted = 0, weights = 0;
  double worst = 0;
  std::size_t count = 0;
};

Narrowed narrow(const PairAngles& pair, std::span<const Baseline> group, const AngleLine& line) {
  Narrowed result;
  for (const Baseline& baseline : group) {
    const auto length = static_cast<double>(baseline.length);
    const double error = pair.error(baseline.from, line.rate) + pair.error(baseline.to, line.rate);
    if (!(error + std::abs(length) * line.rate_error < 2 * kUnwrapLimit)) continue;
    const double rest =
        wrapped(pair.turn(baseline.to) - pair.turn(baseline.from) - wrapped(length * line.rate));
    const double rate = rest / length, half = error / std::abs(length);
    result.low = larger(result.low, rate - half);
    result.high = smaller(result.high, rate + half);
    result.worst = larger(result.worst, half);
    const double weight = 1 / (half * half + 1e-300);
    result.weighted += weight * rate;
    result.weights += weight;
    ++result.count;
  }
  return result;
}

/// The first rate: the circular mean over the shortest baselines.
bool start_line(const PairAngles& pair, std::span<const Baseline> group, AngleLine& line) {
  double cosine = 0, sine = 0, weights = 0, count = 0;
  for (const Baseline& baseline : group) {
    const double angle = 2 * M_PI * wrapped(pair.turn(baseline.to) - pair.turn(baseline.from));
    const double both = pair.error(baseline.from, 0) + pair.error(baseline.to, 0);
    if (!(both < kUnwrapLimit)) continue;
    const double sign = baseline.length < 0 ? -1 : 1;
    cosine += std::cos(angle) / (both + 1e-300);
    sine += sign * std::sin(angle) / (both + 1e-300);
    weights += 1 / (both + 1e-300);
    count += 1;
  }
  if (count == 0) return false;
  const double error = count / weights;  // of a mean with these weights
  const auto length = std::abs(static_cast<double>(group.front().length));
  line.rate = std::atan2(sine, cosine) / (2 * M_PI) / length;
  line.rate_error = larger(error, 1e-17) / length + 0x1p-52 * std::abs(line.rate);
  return true;
}

void refine(const PairAngles& pair, std::span<const Baseline> all, AngleLine& line) {
  double low = line.rate - line.rate_error, high = line.rate + line.rate_error;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    // Those less than twice as long.
    while (end < all.size() && all[end].size() / 2 < all[begin].size()) ++end;
    const Narrowed narrowed = narrow(pair, all.subspan(begin, end - begin), line);
    begin = end;
    if (narrowed.count == 0) continue;
    line.used += narrowed.count;
    const double from = larger(low, line.rate + narrowed.low);
    const double to = smaller(high, line.rate + narrowed.high);
    if (from <= to) {
      low = from;
      high = to;
    } else {
      // The bounds contradict each other: the angles are not on a line, or their errors exceed the
      // bounds. A little more is tolerated here, since the verdict comes later.
      if (narrowed.low - narrowed.high > 2 * narrowed.worst) line.straight = false;
      const double mean = line.rate + narrowed.weighted / narrowed.weights;
      low = mean - narrowed.worst;
      high = mean + narrowed.worst;
    }
    line.rate = low + (high - low) / 2;
    line.rate_error = (high - low) / 2 + 0x1p-52 * std::abs(line.rate);  // plus our own rounding
  }
  line.rate = wrapped(line.rate);
}

/// The angle at the origin.
void set_reference(const PairAngles& pair, std::span<const std::int64_t> positions,
                   std::int64_t origin, AngleLine& line) {
  double low = -1, high = 1, nearest = std::numeric_limits<double>::infinity();
  double start = 0;
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const auto distance = static_cast<double>(positions[t] - origin);
    const double error = pair.error(t, line.rate) + std::abs(distance) * line.rate_error;
    const double here = wrapped(pair.turn(t) - wrapped(distance * line.rate));
    if (error < nearest) {
      if (nearest == std::numeric_limits<double>::infinity()) start = here;
      nearest = error;
    }
    if (!(error < kUnwrapLimit)) continue;
    const double offset = wrapped(here - start);
    low = larger(low, offset - error);
    high = smaller(high, offset + error);
  }
  if (low <= high && high - low < 1) {
    line.reference = wrapped(start + (low + high) / 2);
    line.reference_error = (high - low) / 2;
  } else {
    line.reference = start;
    line.reference_error = smaller(0.5, 2 * nearest);
    if (low - high > 2 * nearest) line.straight = false;
  }
}

/// Fits the line by least squares where the angles of all tokens can be unwrapped, with errors from
/// their scatter.
void fit_typically(const PairAngles& pair, std::span<const std::int64_t> positions,
                   std::int64_t origin, bool through_zero, AngleLine& line) {
  constexpr double kDeviations = 6;
  constexpr double kOwn = 0x1p-50;  // of our sums
  constexpr std::size_t kFewest = 8;
  struct Point {
    double distance, rest, weight;
  };
  std::vector<Point> points;
  double weights = 0, centre = 0;
  bool visible = false;
  const double start = through_zero ? 0 : line.reference;
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const auto distance = static_cast<double>(positions[t] - origin);
    const double error = pair.error(t, line.rate);
    if (!std::isfinite(error)) continue;
    const double unknown =
        error + std::abs(distance) * line.rate_error + (through_zero ? 0 : line.reference_error);
    if (!(unknown < 2 * kUnwrapLimit)) return;
    visible = visible || std::abs(pair.turn(t)) > error;
    const double weight = 1 / (error * error + 1e-300);
    points.push_back(
        {distance, wrapped(pair.turn(t) - start - wrapped(distance * line.rate)), weight});
    weights += weight;
    centre += weight * distance;
  }
  // Angles below the rounding error vanish altogether, which scatter does not show.
  if (points.size() < kFewest || !visible) return;
  centre = through_zero ? 0 : centre / weights;
  double mean = 0, slope = 0, arms = 0;
  for (const Point& point : points) {
    const double arm = point.distance - centre;
    mean += point.weight * point.rest;
    slope += point.weight * arm * point.rest;
    arms += point.weight * arm * arm;
  }
  if (!(arms > 0)) return;
  mean = through_zero ? 0 : mean / weights;
  slope /= arms;
  double scatter = 0;
  for (const Point& point : points) {
    const double left = point.rest - mean - slope * (point.distance - centre);
    scatter += point.weight * left * left;
  }
  const double variance = scatter / static_cast<double>(points.size() - 2);
  // Where the rounding bounds give a narrower interval, that one is kept.
  const double rate_error =
      kDeviations * std::sqrt(variance / arms) + (kOwn + pair.rounding()) * std::abs(line.rate);
  if (rate_error < line.rate_error) {
    line.rate = wrapped(line.rate + slope);
    line.rate_error = rate_error;
  }
  const double reference_error =
      kDeviations * std::sqrt(variance * (1 / weights + centre * centre / arms)) + kOwn;
  if (!through_zero && reference_error < line.reference_error) {
    line.reference = wrapped(start + mean - slope * centre);
    line.reference_error = reference_error;
  }
}

/// Pairs are slower than the pair before in all but rare spectra: where that pair is known to turn
/// little, so does this one, if its own angles allow it.
void follow(const AngleLine& before, AngleLine& line) {
  const double most = std::abs(before.rate) + before.rate_error;
  const double half = std::copysign(most / 2, before.rate);
  if (!(most < line.rate_error) || std::abs(line.rate - half) > line.rate_error + most / 2) return;
  line.rate = half;
  line.rate_error = most / 2;
}

/// Fits one pair after another; holds what their lines share.
class LineFit {
 public:
  LineFit(std::span<const std::int64_t> positions, bool through_zero, LineErrors errors)
      : positions_(positions),
        through_zero_(through_zero),
        typical_(errors == LineErrors::typical),
        baselines_(baselines(positions, through_zero)) {
    std::vector<std::int64_t> sorted(positions.begin(), positions.end());
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    middle_ = *middle;
    while (shortest_ < baselines_.size() && baselines_[shortest_].size() == alias()) ++shortest_;
    for (const Baseline& baseline : baselines_)
      common_length_ = std::gcd(common_length_, baseline.length);
  }

  std::int64_t origin() const { return through_zero_ ? 0 : middle_; }
  std::int64_t alias() const { return baselines_.empty() ? 1 : baselines_.front().size(); }

  /// `foretold`: a predicted rate and its error. `before`: the line of the pair before.
  AngleLine line(const PairAngles& pair, const AngleLine& foretold, const AngleLine* before) const {
    AngleLine line;
    if (shortest_ == 0 || !start_line(pair, std::span(baselines_).first(shortest_), line)) {
      line.rate_error = 0.5;
      set_reference(pair, positions_, origin(), line);
      return line;
    }
    refine(pair, baselines_, line);
    if (typical_) {
      set_reference(pair, positions_, middle_, line);
      fit_typically(pair, positions_, middle_, false, line);
    }
    if (!line.straight && common_length_ < alias()) find_lost_turns(pair, line);
    if (foretold.rate_error < line.rate_error && too_long_for(line)) {
      line.rate = foretold.rate;
      line.rate_error = foretold.rate_error;
      if (!typical_) refine(pair, baselines_, line);
    }
    if (typical_ && through_zero_) {
      if (before != nullptr && too_long_for(line)) follow(*before, line);
      fit_typically(pair, positions_, 0, true, line);
    }
    if (!typical_ || through_zero_) set_reference(pair, positions_, origin(), line);
    return line;
  }

 private:
  /// The line assumed less than half a turn between neighbours, and is not straight: takes the only
  /// rate that agrees with all tokens instead. Where there are several, the rate is unknown.
  void find_lost_turns(const PairAngles& pair, AngleLine& line) const {
    std::vector<TurnBetween> observed;
    for (const Baseline& baseline : baselines_) observed.push_back(pair.between(baseline));
    const auto largest = 0.5 / static_cast<double>(common_length_);
    const std::optional<std::vector<RateInterval>> rates = fitting_rates(observed, largest);
    if (rates && rates->empty()) return;
    line = {};
    if (!rates || rates->size() > 1) return;
    const auto [low, high] = rates->front();
    line.rate = low + (high - low) / 2;
    line.rate_error = (high - low) / 2 + 0x1p-52 * std::abs(line.rate);
    line.used = observed.size();
  }

  /// Whether the rate is too uncertain to unwrap the longest baseline.
  bool too_long_for(const AngleLine& line) const {
    const double longest = std::abs(static_cast<double>(baselines_.back().length));
    return line.rate_error * longest > kUnwrapLimit / 2;
  }

  std::span<const std::int64_t> positions_;
  bool through_zero_, typical_;
  std::vector<Baseline> baselines_;  // from the shortest to the longest
  std::size_t shortest_ = 0;         // how many are the shortest
  std::int64_t common_length_ = 0;   // the greatest common divisor of all
  std::int64_t middle_ = 0;          // position
};

}  // namespace

bool AngleLines::straight() const {
  return std::all_of(lines.begin(), lines.end(),
                     [](const AngleLine& line) { return line.straight; });
}

bool AngleLines::complete() const {
  return std::all_of(lines.begin(), lines.end(),
                     [](const AngleLine& line) { return line.rate_error < 0.5; });
}

AngleLines fit_lines(const MeasuredAngles& angles, std::span<const std::int64_t> positions,
                     double angle_rounding, bool through_zero, const KnownRates& foretold,
                     LineErrors errors) {
  AngleLines result;
  if (positions.empty()) return result;
  const LineFit fit(positions, through_zero, errors);
  result.origin = fit.origin();
  result.alias = fit.alias();
  for (std::size_t k = 0; k < angles.pairs; ++k) {
    const PairAngles pair(angles, positions, angle_rounding, k);
    const AngleLine said =
        k < foretold.rate.size() ? AngleLine{foretold.rate[k], foretold.error[k]} : AngleLine{};
    const AngleLine* const before = k > 0 ? &result.lines.back() : nullptr;
    result.lines.push_back(fit.line(pair, said, before));
  }
  return result;
}

}  // namespace rope
