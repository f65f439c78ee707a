#pragma once

#include <optional>
#include <span>

#include "rope/diagnose/judgement.hpp"

namespace rope {

/// Regimes of one base that differ only by a linear factor, as one regime at positions in their
/// largest common step: tokens that turn by m/2, some seemingly by 3·m/16, all turn by m/2.
///
/// Nothing if they differ by more, or if tokens then advance by steps of several positions: it is
/// then simpler that some were rotated by other frequencies.
std::optional<Regime> in_common_steps(std::span<const Regime> regimes);

}  // namespace rope
