#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rope {

/// The difference between the angles of one pair in two tokens.
struct TurnBetween {
  std::int64_t length = 0;    ///< the distance between the positions; not 0
  double turn = 0;            ///< turns, modulo 1
  double error = 0;           ///< of the turn
  double error_per_rate = 0;  ///< `error` increases by this times the rate
};

struct RateInterval {
  double low = 0, high = 0;  ///< turns per token
};

/// Every rate within ±`largest` turns per token that agrees with all observed turns. There may be
/// several intervals, since the number of whole turns between tokens is unknown. Returns nothing if
/// there are too many to list. `observed`: sorted by length, the shortest first.
std::optional<std::vector<RateInterval>> fitting_rates(std::span<const TurnBetween> observed,
                                                       double largest);

}  // namespace rope
