#pragma once

#include <cstddef>
#include <cstdint>
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

/// Neighbouring tokens whose positions ascend or fall by 1, or stay.
std::vector<PositionRun> position_runs(std::span<const Regime> regimes);

}  // namespace rope
