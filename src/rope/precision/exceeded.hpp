#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "rope/precision/position_error.hpp"

namespace rope {

/// No error is above this tolerance: it ends a search.
inline constexpr double kEnough = std::numeric_limits<double>::infinity();

/// Called with an error above the tolerance, its pair not yet set; returns the tolerance from there
/// on, which must not fall.
using Exceeded = std::function<double(const FoundError&)>;

/// An error that is not a number is as large as any.
inline double number_or_infinity(double error) {
  if (std::isnan(error)) return kEnough;
  return error;
}

}  // namespace rope
