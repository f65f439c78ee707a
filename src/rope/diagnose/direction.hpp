#pragma once

#include <cstdint>
#include <span>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// Turning by mθ at positions m, and by −mθ at −m, are the same numbers. Takes of the two readings
/// the one whose positions are those given, or all as far from them; where none is, that without
/// positions below 0, or else the one that ascends.
///
/// `given`: one a token of the tensors; empty where positions are withheld.
void choose_direction(Regime& regime, std::span<const std::int64_t> given);

/// The same of an explanation with one regime, of tokens whose withheld positions were counted.
void choose_direction_of_counted(Explanation& explanation);

/// Whether positions leave the direction open: none is given that tells, and the other reading is
/// as good, or ascends where this one does not.
bool direction_is_open(const Regime& regime, std::span<const std::int64_t> given);

}  // namespace rope
