#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rope {

/// What two tokens say of a rate: by how much their angles differ.
struct TurnBetween {
  std::int64_t length = 0;    ///< from one position to the other, not 0
  double turn = 0;            ///< turns, modulo 1
  double error = 0;           ///< of it, and
  double error_per_rate = 0;  ///< what is added to that for a rate of one turn a token
};

struct RateInterval {
  double low = 0, high = 0;  ///< turns per token
};

/// Every rate within ±`largest` turns per token at which all tokens turn as they do: none, one, or
/// several where whole turns between the tokens are lost. Nothing where they are too many to look
/// at. `observed`: the shortest first.
std::optional<std::vector<RateInterval>> fitting_rates(std::span<const TurnBetween> observed,
                                                       double largest);

}  // namespace rope
