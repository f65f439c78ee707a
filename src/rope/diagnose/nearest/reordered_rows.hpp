#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "rope/diagnose/nearest/known_bugs.hpp"
#include "rope/diagnose/numbers.hpp"

namespace rope {

/// Whether y holds the rows of x along the first axis in another order, as a converted projection
/// of shape [out, in] does, or is x transposed. Every number is compared exactly.
std::optional<KnownBug> reordered_rows(std::span<const std::size_t> shape, const Numbers& x,
                                       const Numbers& y);

}  // namespace rope
