#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "rope/diagnose/nearest/known_bugs.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

struct DiagnosisRequest;

/// What multiplies the numbers of x where y is no rotation. Each number of a pair of y is fitted as
/// a sum of multiples of both numbers of x, free for each token and pair, by least squares over the
/// vectors of a token; the multiples are then looked up among the cosines and sines of all pairs at
/// this position and its neighbours. This finds tables that are read in the wrong row or column,
/// and numbers of y that are not made of x.
///
/// `tensors`: a sample; of fewer than kLeastMapLanes vectors per token, nothing is found. `given`:
/// one position per token.
std::optional<KnownBug> table_reads(const RotatedTensors& tensors,
                                    std::span<const std::int64_t> given,
                                    const DiagnosisRequest& request);

/// Two multiples are free per number: as many vectors again show that they fit.
inline constexpr std::size_t kLeastMapLanes = 4;

}  // namespace rope
