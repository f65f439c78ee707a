#pragma once

#include <cstdint>
#include <vector>

#include "rope/rotary/embedding.hpp"

namespace rope {

/// The bounds of docs/accuracy.md for arithmetic in `bits` bits with correctly rounded functions
/// and exponents without limits. long double, as u = 2^-bits may be far below what a double holds.
class BitsBounds {
 public:
  BitsBounds(int bits, const RotaryEmbedding& embedding);

  /// E: half a unit in the last place of numbers below 1, in both components.
  long double table() const;

  /// D: the position and its product with θ̂ are rounded once each.
  long double angle(std::int64_t position, long double theta) const;

  /// T of one pair, with the θ̂ that it rotates by: bound (1).
  long double identity(std::int64_t m, std::int64_t n, long double theta) const;

  /// How far an entry may be from e^{ipθ_k}: bound (2').
  long double truth(std::int64_t position, std::size_t pair, long double theta) const;

  /// (A_L + A_R)/(‖q‖‖k‖)
  long double evaluation() const;

 private:
  long double u_;
  int bits_;
  long double dim_;
  std::vector<long double> frequency_;  // |θ̂_k − θ_k|/θ̂_k, at most
};

}  // namespace rope
