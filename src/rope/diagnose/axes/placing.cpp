#include "rope/diagnose/axes/placing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/diagnose/positions/decoder.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

// An axis may have the fastest pairs alone, whose turns up to here can be counted.
constexpr std::int64_t kFarthest = std::int64_t{1} << 17;
// Slow pairs of 16-bit numbers leave so many positions either way.
constexpr std::int64_t kUnclear = 48;
// Angles of no rotation at all must not fit one of the 2^18 positions by chance.
constexpr double kBitsOfPosition = 18 + 20;

/// Places tokens on one axis.
class AxisPlacer {
 public:
  AxisPlacer(const Search& search, const Spectrum& spectrum, std::vector<std::size_t> pairs)
      : tensors_(search.tensors),
        arrangement_(search.arrangement),
        spectrum_(spectrum),
        rounding_(limits(narrowest_format(search.tensors, &RotatedTensors::y)).unit_roundoff +
                  search.tolerance.table),
        pairs_(std::move(pairs)),
        angles_(measure_angles(search.tensors, search.arrangement, search.tolerance, pairs_)),
        decoder_(angles_, pairs_, spectrum, search, kFarthest) {}

  /// The position of a token; of several, the one that leaves least of y, in roundings.
  std::optional<std::int64_t> position(std::size_t token) {
    const FoundPosition found = decoder_.positions(token);
    if (!found.position || found.candidates == 1) return found.position;
    const std::int64_t middle = decoder_.closest(token, *found.position);
    std::optional<std::int64_t> best;
    double least = HUGE_VAL;
    std::size_t within = 0;
    const double enough = larger(misfit(token, middle, HUGE_VAL), 1 + kSlack);
    for (std::int64_t p = middle - kUnclear; p <= middle + kUnclear; ++p) {
      const double left = misfit(token, p, enough);
      if (left <= 1 + kSlack) ++within;
      if (!(left < least)) continue;
      least = left;
      best = p;
    }
    certain_ = certain_ && within == 1;
    return best;
  }

  bool certain() const { return certain_; }

  /// Whether the angles of some token say more than a position takes.
  bool tells() const {
    for (std::size_t t = 0; t < angles_.tokens; ++t) {
      double bits = 0;
      for (std::size_t k = 0; k < angles_.pairs; ++k) {
        const double width = 2 * angles_.uncertainty(t, k);
        if (width < 1) bits -= std::log2(larger(width, 0x1p-52));
      }
      if (bits >= kBitsOfPosition) return true;
    }
    return false;
  }

 private:
  static constexpr double kSlack = 1e-3;

  /// The largest |y − R x| of the token, relative to the rounding of y and of float32 before it;
  /// the first ones alone where they are above `enough`.
  double misfit(std::size_t token, std::int64_t position, double enough) const {
    Largest largest;
    for (const std::size_t pair : pairs_) {
      if (largest.value() > enough) break;
      const double angle = static_cast<double>(spectrum_.clockwise ? -position : position) *
                           spectrum_.embedding.frequencies.theta[spectrum_.frequency_of(pair)];
      const double c = std::cos(angle), s = std::sin(angle);
      const PairDimensions in = arrangement_.in_dimensions(pair);
      const PairDimensions out = arrangement_.out_dimensions(pair);
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
        const std::size_t row = tensors_.row(token, lane);
        const double a = tensors_.x[row + in.first], b = tensors_.x[row + in.second];
        const double first = tensors_.y[row + out.first], second = tensors_.y[row + out.second];
        const double inner = (0x1p-22 + 0x1p-23 * std::abs(angle)) * (std::abs(a) + std::abs(b));
        largest.take(std::abs(first - (a * c - b * s)) / (rounding_ * std::abs(first) + inner));
        largest.take(std::abs(second - (a * s + b * c)) / (rounding_ * std::abs(second) + inner));
      }
    }
    return largest.value();
  }

  RotatedTensors tensors_;
  const Arrangement& arrangement_;
  const Spectrum& spectrum_;
  double rounding_;
  std::vector<std::size_t> pairs_;
  MeasuredAngles angles_;
  Decoder decoder_;
  bool certain_ = true;
};

}  // namespace

std::optional<Placed> place_on_axes(const Search& search, const Spectrum& spectrum) {
  const Axes& axes = spectrum.embedding.axes;
  Placed placed{std::vector<Position>(search.tensors.tokens), {}};
  for (std::size_t a = 0; a < axes.count(); ++a) {
    std::vector<std::size_t> pairs;
    for (std::size_t k = 0; k < axes.of_pair.size(); ++k)
      if (axes.of_pair[k] == a) pairs.push_back(k);
    if (pairs.empty()) continue;
    AxisPlacer placer(search, spectrum, std::move(pairs));
    if (!placer.tells()) return std::nullopt;
    for (std::size_t t = 0; t < search.tensors.tokens; ++t) {
      const std::optional<std::int64_t> position = placer.position(t);
      if (!position) return std::nullopt;
      placed.places[t][a] = *position;
    }
    if (!placer.certain()) placed.uncertain.push_back(axes.names[a]);
  }
  return placed;
}

bool stand_apart(const Placed& placed, std::size_t axes) {
  for (const Position& place : placed.places)
    for (std::size_t a = 1; a < axes; ++a)
      if (place[a] != place[0]) return true;
  return false;
}

}  // namespace rope
