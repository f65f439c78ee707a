#include "rope/diagnose/positions/direction.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

namespace rope {
namespace {

using Positions = std::vector<std::int64_t>;

Positions opposite(const Positions& positions) {
  Positions result(positions.size());
  std::transform(positions.begin(), positions.end(), result.begin(), std::negate<>{});
  return result;
}

/// What speaks for a reading, the most important first.
struct Likeness {
  bool as_given = false;   ///< most tokens are at the given positions
  bool from_zero = false;  ///< no position is below 0
  bool shifted = false;    ///< all have the same offset from the given positions
  bool ascends = false;

  auto key() const { return std::tuple(as_given, from_zero, shifted, ascends); }
  bool better_somewhere(const Likeness& other) const {
    return (from_zero && !other.from_zero) || (shifted && !other.shifted) ||
           (ascends && !other.ascends);
  }
};

Likeness likeness(const Regime& regime, const Positions& positions,
                  std::span<const std::int64_t> given) {
  Likeness result;
  result.from_zero = std::none_of(positions.begin(), positions.end(), [](auto p) { return p < 0; });
  result.ascends = std::is_sorted(positions.begin(), positions.end());
  if (given.empty()) return result;
  const auto shift = [&](std::size_t i) { return positions[i] - given[regime.tokens[i]]; };
  result.shifted = true;
  std::size_t as_given = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    result.shifted = result.shifted && shift(i) == shift(0);
    if (shift(i) == 0) ++as_given;
  }
  result.as_given = 2 * as_given > positions.size();
  return result;
}

}  // namespace

void choose_direction(Regime& regime, std::span<const std::int64_t> given) {
  Positions mirrored = opposite(regime.positions);
  if (likeness(regime, regime.positions, given).key() >= likeness(regime, mirrored, given).key())
    return;
  regime.positions = std::move(mirrored);
  regime.spectrum.clockwise = !regime.spectrum.clockwise;
}

bool direction_is_open(const Regime& regime, std::span<const std::int64_t> given) {
  const Likeness here = likeness(regime, regime.positions, given);
  const Likeness there = likeness(regime, opposite(regime.positions), given);
  if (here.as_given != there.as_given) return false;
  const bool worse = there.better_somewhere(here), better = here.better_somewhere(there);
  return worse || !better;
}

}  // namespace rope
