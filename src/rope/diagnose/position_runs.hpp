#pragma once

// The positions of the tokens in an explanation, as runs: Explanation::runs.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/judgement.hpp"
#include "rope/precision/format.hpp"

namespace rope {

struct Explanation;

/// The positions by which the pairs of an axis turn instead of the positions on that axis.
struct AxisSource {
  std::size_t axis = 0;
  std::optional<std::size_t> from;  ///< the axis with these positions; if absent, they are 0
};

/// Neighbouring tokens whose positions advance by `step`.
struct PositionRun {
  std::size_t first_token = 0, last_token = 0;
  std::int64_t position = 0;  ///< of the first token
  std::int64_t step = 1;      ///< 0 if all share one position
  std::size_t regime = 0;     ///< index of the regime that rotates these tokens
};

/// The offset from the given positions, if it is the same for all tokens and there is one regime.
///
/// `given`: one position per token.
std::optional<std::int64_t> constant_offset(std::span<const Regime> regimes,
                                            std::span<const std::int64_t> given);

/// Splits the tokens into runs whose positions rise by 1, fall by 1, stay the same, or change by
/// some other constant step at least twice in a row.
std::vector<PositionRun> position_runs(std::span<const Regime> regimes);

/// The 16-bit format to which the given positions, all shifted by the same amount, must be rounded
/// to become those of a single regime; nothing if no rounding, or more than rounding, is needed.
std::optional<Format> position_rounding(std::span<const Regime> regimes,
                                        std::span<const std::int64_t> given);

/// Fills in how the positions of an explanation differ from the given or counted ones.
void compare_positions(Explanation& explanation, std::span<const std::int64_t> given);

}  // namespace rope
