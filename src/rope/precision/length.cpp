#include "rope/precision/length.hpp"

#include <cmath>
#include <limits>

namespace rope {
namespace {

using Extended = long double;

Extended square(double x) { return static_cast<Extended>(x) * static_cast<Extended>(x); }

}  // namespace

double vector_length(std::span<const double> x) {
  Extended squares = 0;
  for (const double value : x) squares += square(value);
  const auto length = static_cast<double>(std::sqrt(squares));
  // Nothing is added to a normal number here, and to 0 nothing is missing.
  return squares > 0 ? length + std::numeric_limits<double>::denorm_min() : length;
}

double pair_weight(double q1, double q2, double k1, double k2) {
  return static_cast<double>(std::sqrt((square(q1) + square(q2)) * (square(k1) + square(k2))));
}

}  // namespace rope
