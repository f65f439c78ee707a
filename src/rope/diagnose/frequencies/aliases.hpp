#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rope/diagnose/judgement.hpp"

namespace rope {

/// What may be added to every frequency and turns each of these positions by at most a quarter of a
/// radian more, whole turns left out: where tokens stand apart, or far from 0.
///
/// Units     radians per token, above 0; at most 64 of them.
std::vector<double> frequency_aliases(std::span<const std::int64_t> positions);

/// Whether the frequencies are hardly more than the angles themselves: measured pair by pair, or
/// with a base and a factor that were fitted to as few pairs.
bool are_free(const Spectrum& spectrum);

/// A regime for one of its pairs that stands alone.
Regime regime_of_pair(const Regime& regime, std::size_t pair);

}  // namespace rope
