#pragma once

#include <cstdint>
#include <span>

#include "rope/diagnose/judgement.hpp"

namespace rope {

/// Turning by mθ at positions m, and by −mθ at −m, are the same numbers. Takes of the two readings
/// the one in which most tokens stand where they are given; where neither is, that without
/// positions below 0, or else the one as far from those given everywhere, or that ascends.
///
/// `given`: one a token of the tensors; empty where positions are withheld.
void choose_direction(Regime& regime, std::span<const std::int64_t> given);

/// Whether positions leave the direction open: most tokens do not stand where they are given, and
/// the other reading is as good, or better in one respect.
bool direction_is_open(const Regime& regime, std::span<const std::int64_t> given);

}  // namespace rope
