#include "rope/diagnose/axes/placing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/diagnose/positions/decoder.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"

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
        tables_(tables(search)),
        pairs_(std::move(pairs)),
        angles_(measure_angles(search.tensors, search.arrangement, search.tolerance, pairs_)),
        decoder_(angles_, pairs_, spectrum, search, kFarthest) {}

  /// The position of a token; of several, the one that leaves least of y, in roundings, by exact
  /// cos and sin or by coarse ones.
  std::optional<std::int64_t> position(std::size_t token) {
    const FoundPosition found = decoder_.positions(token);
    if (!found.position || found.candidates == 1) return found.position;
    const std::int64_t middle = decoder_.closest(token, *found.position);
    std::optional<std::int64_t> best;
    double least = HUGE_VAL;
    std::size_t within = 0;
    for (const Format table : tables_) {
      const double enough = larger(misfit(token, middle, HUGE_VAL, table), 1 + kSlack);
      std::size_t fitting = 0;
      for (std::int64_t p = middle - kUnclear; p <= middle + kUnclear; ++p) {
        const double left = misfit(token, p, enough, table);
        if (left <= 1 + kSlack) ++fitting;
        if (!(left < least)) continue;
        least = left;
        best = p;
      }
      if (fitting > within) within = fitting;
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

  /// The largest |y − R x| of the token, relative to the rounding of y and of float32 before it,
  /// and of products of a coarse cos and sin; the first ones alone where they are above `enough`.
  double misfit(std::size_t token, std::int64_t position, double enough, Format table) const {
    const bool coarse = table != Format::float64;
    Largest largest;
    for (const std::size_t pair : pairs_) {
      if (largest.value() > enough) break;
      const double angle = static_cast<double>(spectrum_.clockwise ? -position : position) *
                           spectrum_.embedding.frequencies.theta[spectrum_.frequency_of(pair)];
      const double c = round_to(table, std::cos(angle)), s = round_to(table, std::sin(angle));
      const PairDimensions in = arrangement_.in_dimensions(pair);
      const PairDimensions out = arrangement_.out_dimensions(pair);
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
        const std::size_t row = tensors_.row(token, lane);
        const double a = tensors_.x[row + in.first], b = tensors_.x[row + in.second];
        const double inner = (0x1p-22 + 0x1p-23 * std::abs(angle)) * (std::abs(a) + std::abs(b));
        const auto take = [&](double number, double of_cos, double of_sin) {
          const double products = coarse ? std::abs(of_cos) + std::abs(of_sin) : 0;
          largest.take(std::abs(number - (of_cos + of_sin)) /
                       (rounding_ * (std::abs(number) + products) + inner));
        };
        take(tensors_.y[row + out.first], a * c, -b * s);
        take(tensors_.y[row + out.second], b * c, a * s);
      }
    }
    return largest.value();
  }

  /// What cos and sin may have been rounded to: nothing, or the format of y, or bfloat16.
  static std::vector<Format> tables(const Search& search) {
    std::vector<Format> all = {Format::float64};
    const Format storage = narrowest_format(search.tensors, &RotatedTensors::y);
    if (limits(storage).unit_roundoff > 0x1p-20) all.push_back(storage);
    if (search.tolerance.table > 0 && storage != Format::bfloat16) all.push_back(Format::bfloat16);
    return all;
  }

  RotatedTensors tensors_;
  const Arrangement& arrangement_;
  const Spectrum& spectrum_;
  double rounding_;
  std::vector<Format> tables_;
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
