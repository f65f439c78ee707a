#include "rope/precision/length.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "rope/precision/largest.hpp"
#include "rope/precision/twofold.hpp"

namespace rope {
namespace {

/// Σx²·2^(−2·exponent), where the largest |x|·2^−exponent lies from 1 to 2.
struct ScaledSquares {
  Twofold sum;
  int exponent = 0;
};

/// Of finite numbers that are not all 0.
ScaledSquares squares_of(std::span<const double> x, double largest) {
  ScaledSquares squares{{}, std::ilogb(largest)};
  for (const double value : x) {
    const double scaled = std::ldexp(value, -squares.exponent);
    squares.sum = squares.sum + exact_product(scaled, scaled);
  }
  return squares;
}

/// The largest |x|; no number where one of them is none, infinite where one is.
double largest_magnitude(std::span<const double> x) {
  double largest = 0;
  for (const double value : x) largest = larger(largest, std::fabs(value));
  return largest;
}

}  // namespace

double vector_length(std::span<const double> x) {
  const double largest = largest_magnitude(x);
  if (!(largest > 0) || std::isinf(largest)) return largest;
  const ScaledSquares squares = squares_of(x, largest);
  // Nothing is added to a normal number here.
  return std::ldexp(square_root(squares.sum), squares.exponent) +
         std::numeric_limits<double>::denorm_min();
}

double pair_weight(double q1, double q2, double k1, double k2) {
  const std::array q = {q1, q2}, k = {k1, k2};
  const double q_largest = largest_magnitude(q), k_largest = largest_magnitude(k);
  if (!std::isfinite(q_largest) || !std::isfinite(k_largest) || q_largest == 0 || k_largest == 0)
    return q_largest * k_largest;
  const ScaledSquares of_q = squares_of(q, q_largest), of_k = squares_of(k, k_largest);
  return std::ldexp(square_root(of_q.sum * of_k.sum), of_q.exponent + of_k.exponent);
}

}  // namespace rope
