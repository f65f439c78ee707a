#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "rope/diagnose/nearest/known_bugs.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

struct DiagnosisRequest;

/// A mistake that mixes the vectors of one token or of several: rows of a projection reordered over
/// the wrong number of heads, all heads rotated as one vector, heads in another order, or a reshape
/// instead of a transpose. Returns nothing if each such mistake leaves more than a fiftieth of y
/// unexplained.
///
/// `tensors`: all tokens, with all their vectors. `given`: one position per token.
std::optional<KnownBug> mixed_heads(const RotatedTensors& tensors,
                                    std::span<const std::int64_t> given,
                                    const DiagnosisRequest& request);

}  // namespace rope
