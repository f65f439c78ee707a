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

  /// E: the bound on the error of a table entry; in each component, half a unit in the last place
  /// of a number below 1.
  Wide table() const;

  /// D: the bound on the error of an angle, with one rounding each of the position and of its
  /// product with θ̂.
  Wide angle(std::int64_t position, Wide theta) const;

  /// T: bound (1) on the identity for one pair that rotates by θ̂.
  Wide identity(std::int64_t m, std::int64_t n, Wide theta) const;

  /// Bound (2'): how far a table entry may be from e^{ipθ_i}.
  Wide truth(std::int64_t position, std::size_t pair, Wide theta) const;

  /// The bound on the evaluation errors of both sides: (A_L + A_R)/(‖q‖‖k‖).
  Wide evaluation() const;

 private:
  Wide u_;
  int bits_;
  Wide dim_;
  std::vector<Wide> frequency_;  // upper bounds on |θ̂_i − θ_i|/θ̂_i
};

}  // namespace rope
