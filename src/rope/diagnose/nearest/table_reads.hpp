#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "rope/diagnose/nearest/known_bugs.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

struct DiagnosisRequest;

/// Finds what the numbers of x were multiplied by if y is not a rotation. Fits each number of a
/// pair in y as a sum of multiples of both numbers of the pair in x, by least squares over the
/// vectors of a token. The multiples, free for each token and pair, are then looked up among the
/// cosines and sines of all pairs at the token's position and its neighbours. This finds tables
/// that are read in the wrong row or column, and numbers of y that do not come from x.
///
/// `tensors`: a sample; with fewer than kLeastMapLanes vectors per token, nothing is found.
/// `given`: one position per token.
std::optional<KnownBug> table_reads(const RotatedTensors& tensors,
                                    std::span<const std::int64_t> given,
                                    const DiagnosisRequest& request);

/// The smallest number of vectors per token: two determine the two free multiples of each number,
/// and two more test them.
inline constexpr std::size_t kLeastMapLanes = 4;

}  // namespace rope
