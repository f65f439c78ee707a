#include "rope/rotary/mean_rotation.hpp"

#include <algorithm>
#include <cmath>

#include "rope/error.hpp"

namespace rope {

double distance_from_mean_rotation(const Frequencies& frequencies,
                                   std::span<const std::int64_t> positions) {
  if (positions.empty()) throw ShapeError("positions: expected at least one, got none");
  const auto count = static_cast<double>(positions.size());
  double kept = 0;
  for (const TurnFraction turns : frequencies.turns) {
    double cos = 0, sin = 0;
    for (const std::int64_t position : positions) {
      const CosSin arrow = cos_sin(position * turns);
      cos += arrow.cos;
      sin += arrow.sin;
    }
    kept += (cos / count) * (cos / count) + (sin / count) * (sin / count);
  }
  return std::sqrt(std::max(1 - kept / static_cast<double>(frequencies.pairs()), 0.0));
}

}  // namespace rope
