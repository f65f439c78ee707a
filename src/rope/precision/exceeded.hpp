#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "rope/precision/position_error.hpp"

namespace rope {

/// A tolerance that no error exceeds; it ends a search.
inline constexpr double kEnough = std::numeric_limits<double>::infinity();

/// Called with an error that exceeds the tolerance, before the error's pair is set; returns the
/// tolerance to use from then on, which must not be lower than the current one.
using Exceeded = std::function<double(const FoundError&)>;

/// The error, or infinity if it is not a number.
inline double number_or_infinity(double error) {
  if (std::isnan(error)) return kEnough;
  return error;
}

}  // namespace rope
