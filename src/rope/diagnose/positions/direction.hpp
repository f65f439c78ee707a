#pragma once

#include <cstdint>
#include <span>

#include "rope/diagnose/judgement.hpp"

namespace rope {

/// A rotation by mθ at positions m and one by −mθ at positions −m give the same numbers. Chooses
/// the reading in which most tokens are at the given positions; failing that, the one without
/// positions below 0, then one with a constant offset, then one whose positions ascend.
///
/// `given`: one position per token of the tensors; empty if no positions were given.
void choose_direction(Regime& regime, std::span<const std::int64_t> given);

/// Whether the positions leave the direction undecided: most tokens are not at the given positions,
/// and the opposite direction is equally plausible, or more plausible in some respect.
bool direction_is_open(const Regime& regime, std::span<const std::int64_t> given);

}  // namespace rope
