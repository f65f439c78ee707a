#pragma once

#include <optional>
#include <span>

#include "rope/diagnose/judgement.hpp"

namespace rope {

/// Regimes of one base that differ by a linear factor alone, as one regime at positions in their
/// largest common step: tokens by m/2 with some that look like 3·m/16 are all tokens by m/2.
///
/// Nothing if they differ by more, or if tokens then advance by steps of several positions: that
/// some were rotated by other frequencies is the plainer reading.
std::optional<Regime> in_common_steps(std::span<const Regime> regimes);

}  // namespace rope
