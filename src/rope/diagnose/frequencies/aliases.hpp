#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rope/diagnose/judgement.hpp"

namespace rope {

/// Amounts that, when added to a frequency, change its angle at each of these positions by at most
/// a quarter of a radian, apart from whole turns. Such amounts exist if positions are far apart or
/// far from 0.
///
/// Units     radians per token, positive; at most 64 amounts.
std::vector<double> frequency_aliases(std::span<const std::int64_t> positions);

/// Whether nothing but the angles constrains the frequencies: they were measured pair by pair, or a
/// base and a factor were fitted to no more pairs than necessary.
bool are_free(const Spectrum& spectrum);

/// A regime reduced to one of its pairs, as a head of two dimensions.
Regime regime_of_pair(const Regime& regime, std::size_t pair);

}  // namespace rope
