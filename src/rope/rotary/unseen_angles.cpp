#include "rope/rotary/unseen_angles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "rope/error.hpp"

namespace rope {
namespace {

/// The upper 64 bits of the fraction of a turn: a point of the circle as an integer that wraps.
std::uint64_t point(TurnFraction turns, std::int64_t position) { return (position * turns).high; }

/// The least and the largest point in each of 2^bits equal parts of the circle, in order.
std::vector<std::uint64_t> outermost(const std::vector<std::uint64_t>& points, int bits) {
  struct Part {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), largest = 0;
  };
  std::vector<Part> parts(std::size_t{1} << bits);
  for (const std::uint64_t p : points) {
    Part& part = parts[p >> (64 - bits)];
    part.least = std::min(part.least, p);
    part.largest = std::max(part.largest, p);
  }
  std::vector<std::uint64_t> kept;
  for (const Part& part : parts)
    if (part.least <= part.largest) kept.insert(kept.end(), {part.least, part.largest});
  return kept;
}

/// The parts of the circle that lie within a tolerance of given points, as arcs without overlap.
class SeenArcs {
 public:
  SeenArcs(std::vector<std::uint64_t> points, double tolerance) {
    const auto reach =
        static_cast<std::uint64_t>(std::min(tolerance / (2 * std::numbers::pi), 0.4999) * 0x1p64);
    // Points of a part no wider than 2·reach are of one arc, whatever lies between them; where they
    // outnumber the parts, that spares sorting them.
    const int bits = 1 + std::countl_zero(2 * reach);
    if (bits + std::countl_zero(points.size()) < 64)
      points = outermost(points, bits);
    else
      std::ranges::sort(points);
    // An arc goes on as long as the next point is near enough.
    for (std::size_t i = 0; i < points.size();) {
      std::size_t last = i;
      while (last + 1 < points.size() && points[last + 1] - points[last] <= 2 * reach) ++last;
      arcs_.push_back({points[i], points[last], reach});
      i = last + 1;
    }
    // From the last point around to the first; of a single point that is a whole turn, not 0.
    const std::uint64_t gap = points.front() - points.back();
    whole_ = tolerance >= std::numbers::pi || (arcs_.size() == 1 && gap != 0 && gap <= 2 * reach);
  }

  bool contains(std::uint64_t p) const {
    if (whole_) return true;
    // The arc that starts at or before p; near the origin the last one may reach around.
    const auto after = std::ranges::upper_bound(arcs_, p, {}, &Arc::first);
    return (after != arcs_.begin() && (after - 1)->contains(p)) ||
           (after != arcs_.end() && after->contains(p)) || arcs_.front().contains(p) ||
           arcs_.back().contains(p);
  }

 private:
  struct Arc {
    std::uint64_t first, last, reach;
    bool contains(std::uint64_t p) const { return p - (first - reach) <= last - first + 2 * reach; }
  };
  std::vector<Arc> arcs_;
  bool whole_ = false;
};

void check(const Frequencies& trained, const Frequencies& extended, std::int64_t trained_length,
           std::int64_t length, double tolerance) {
  if (trained.pairs() != extended.pairs())
    throw ShapeError("frequencies: expected " + std::to_string(trained.pairs()) + " pairs, got " +
                     std::to_string(extended.pairs()));
  if (trained_length < 1 || trained_length > length || length > kMaxCoverageLength)
    throw DomainError("lengths: expected 1 <= trained <= extended <= 2^24, got " +
                      std::to_string(trained_length) + " and " + std::to_string(length));
  if (!(tolerance >= 0 && tolerance <= std::numbers::pi))
    throw DomainError("tolerance: expected 0 to pi radians, got " + number_text(tolerance));
}

std::vector<std::uint64_t> trained_points(TurnFraction turns, std::int64_t trained_length) {
  std::vector<std::uint64_t> points;
  points.reserve(static_cast<std::size_t>(trained_length));
  for (std::int64_t p = 0; p < trained_length; ++p) points.push_back(point(turns, p));
  return points;
}

}  // namespace

AngleCoverage angle_coverage(const Frequencies& trained, const Frequencies& extended,
                             std::int64_t trained_length, std::int64_t length, double tolerance) {
  check(trained, extended, trained_length, length, tolerance);
  AngleCoverage coverage;
  coverage.reach = angle_reach(trained, extended, trained_length, length);
  for (std::size_t i = 0; i < trained.pairs(); ++i) {
    const SeenArcs seen(trained_points(trained.turns[i], trained_length), tolerance);
    std::int64_t unseen = 0;
    for (std::int64_t p = trained_length; p < length; ++p)
      if (!seen.contains(point(extended.turns[i], p))) ++unseen;
    coverage.unseen.push_back(length == trained_length
                                  ? 0
                                  : static_cast<double>(unseen) /
                                        static_cast<double>(length - trained_length));
    coverage.never_turned.push_back(static_cast<double>(trained_length) < trained.wavelength[i]);
  }
  return coverage;
}

std::vector<double> angle_reach(const Frequencies& trained, const Frequencies& extended,
                                std::int64_t trained_length, std::int64_t length) {
  check(trained, extended, trained_length, length, 0);
  std::vector<double> reach;
  reach.reserve(trained.pairs());
  for (std::size_t i = 0; i < trained.pairs(); ++i) {
    const double before = static_cast<double>(trained_length) * trained.theta[i];
    const double after = static_cast<double>(length) * extended.theta[i];
    reach.push_back(before > 0 ? after / before : std::numeric_limits<double>::quiet_NaN());
  }
  return reach;
}

double widest_gap(const Frequencies& frequencies, std::size_t pair, std::int64_t length) {
  check(frequencies, frequencies, length, length, 0);
  if (pair >= frequencies.pairs())
    throw DomainError("pair: expected one below " + std::to_string(frequencies.pairs()) + ", got " +
                      std::to_string(pair));
  std::vector<std::uint64_t> points = trained_points(frequencies.turns[pair], length);
  std::ranges::sort(points);
  // From the last around to the first; of one angle alone, a whole turn.
  std::uint64_t widest = points.front() - points.back();
  if (widest == 0) return 2 * std::numbers::pi;
  for (std::size_t i = 1; i < points.size(); ++i)
    widest = std::max(widest, points[i] - points[i - 1]);
  return static_cast<double>(widest) * 0x1p-64 * (2 * std::numbers::pi);
}

std::vector<double> angle_fan(const Frequencies& trained, const Frequencies& extended,
                              std::size_t pair, std::int64_t trained_length, std::int64_t length,
                              std::size_t bins, double tolerance) {
  check(trained, extended, trained_length, length, tolerance);
  std::vector<double> fan(bins, 0);
  const auto bin = [&](std::uint64_t p) -> double& {
    const auto at =
        static_cast<std::size_t>(static_cast<double>(p) * 0x1p-64 * static_cast<double>(bins));
    return fan[std::min(at, bins - 1)];
  };
  std::vector<std::uint64_t> points = trained_points(trained.turns[pair], trained_length);
  for (const std::uint64_t p : points) bin(p) = 1;
  const SeenArcs seen(std::move(points), tolerance);
  for (std::int64_t p = trained_length; p < length; ++p) {
    const std::uint64_t at = point(extended.turns[pair], p);
    bin(at) = std::max(bin(at), seen.contains(at) ? 1.0 : 2.0);
  }
  return fan;
}

}  // namespace rope
