#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/judgement.hpp"

namespace rope {

/// Neighbouring tokens whose positions go on by `step`.
struct PositionRun {
  std::size_t first_token = 0, last_token = 0;
  std::int64_t position = 0;  ///< of the first
  std::int64_t step = 1;      ///< 1, −1, or 0: all of them stand at one position
  std::size_t regime = 0;     ///< whose frequencies turn them
};

/// What is added to the position given of every token, where that is one number and one regime
/// turns all of them.
///
/// `given`: one position a token.
std::optional<std::int64_t> constant_offset(std::span<const Regime> regimes,
                                            std::span<const std::int64_t> given);

/// Neighbouring tokens whose positions ascend or fall by 1, or stay.
std::vector<PositionRun> position_runs(std::span<const Regime> regimes);

}  // namespace rope
