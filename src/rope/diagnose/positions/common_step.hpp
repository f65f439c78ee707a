#pragma once

#include <optional>
#include <span>

#include "rope/diagnose/judgement.hpp"

namespace rope {

/// Merges regimes of one base that differ only by a linear factor into one regime, whose positions
/// count multiples of their largest common step: if some tokens turn by m/2 and
/// others, at multiples of 8, seem to turn by 3·m/16, all turn by m/2.
///
/// Returns nothing if the regimes differ in more than that, or if tokens would then advance by
/// several positions at a time: assuming that some tokens were rotated by other frequencies is
/// simpler.
std::optional<Regime> in_common_steps(std::span<const Regime> regimes);

}  // namespace rope
