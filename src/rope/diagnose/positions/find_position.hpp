#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/angles/lines.hpp"

namespace rope {

/// The positions in [low, high] at which pairs with these rates have the angles of one token.
struct FoundPosition {
  std::optional<std::int64_t> position;  ///< the one nearest to 0
  std::size_t candidates = 0;            ///< how many positions fit, up to a limit
  std::vector<std::int64_t> all;         ///< the first few of them
};
FoundPosition find_position(const KnownRates& rates, std::span<const double> turns,
                            std::span<const double> errors, double angle_rounding, std::int64_t low,
                            std::int64_t high);

}  // namespace rope
