#pragma once

#include <cstdint>
#include <vector>

#include "rope/rotary/embedding.hpp"
#include "rope/verify/wide.hpp"

namespace rope {

/// The bounds of docs/accuracy.md for arithmetic in `bits` bits with correctly rounded functions
/// and unbounded exponents.
class BitsBounds {
 public:
  BitsBounds(int bits, const RotaryEmbedding& embedding);

  /// E: half a unit in the last place of numbers below 1, in both components.
  Wide table() const;

  /// D: the position and its product with θ̂ are rounded once each.
  Wide angle(std::int64_t position, Wide theta) const;

  /// T of one pair, with the θ̂ that it rotates by: bound (1).
  Wide identity(std::int64_t m, std::int64_t n, Wide theta) const;

  /// How far an entry may be from e^{ipθ_i}: bound (2').
  Wide truth(std::int64_t position, std::size_t pair, Wide theta) const;

  /// (A_L + A_R)/(‖q‖‖k‖)
  Wide evaluation() const;

 private:
  Wide u_;
  int bits_;
  Wide dim_;
  std::vector<Wide> frequency_;  // upper bounds on |θ̂_i − θ_i|/θ̂_i
};

}  // namespace rope
