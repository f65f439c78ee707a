#pragma once

#include <span>
#include <vector>

#include "rope/rotary/embedding.hpp"

namespace rope {

// Lengths of vectors of numbers of any size, with the same bits on every machine: numbers are
// scaled before they are squared, and squares are summed with twice the digits of a double.

/// ‖x‖, exact except for rounding; a subnormal result is never too small.
double vector_length(std::span<const double> x);

/// |q||k| of one pair of dimensions: √(q₁² + q₂²)·√(k₁² + k₂²).
double pair_weight(double q1, double q2, double k1, double k2);

/// Computes all lengths of two vectors at once, in memory that is reused for the next two vectors.
/// The bits are those of the functions above, except within 2^-95 of a tie.
class PairLengths {
 public:
  void take(const RotaryEmbedding& embedding, std::span<const double> q, std::span<const double> k,
            CpuLevel level = best_cpu_level());

  double q() const { return q_length_; }  ///< ‖q‖
  double k() const { return k_length_; }  ///< ‖k‖

  /// |q||k| of every pair.
  std::span<const double> weights() const { return weights_; }

  /// The two numbers of each pair, and the sum of their squares; a dimension that passes through is
  /// paired with 0.
  struct Pairs {
    std::vector<double> x, y, high, low;
  };

 private:
  void take_scaled(const RotaryEmbedding& embedding, std::span<const double> q,
                   std::span<const double> k);

  Pairs q_, k_;
  double q_length_ = 0, k_length_ = 0;
  std::vector<double> weights_;
};

}  // namespace rope
