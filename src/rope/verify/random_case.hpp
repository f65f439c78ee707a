#pragma once

#include <cstdint>
#include <vector>

#include "rope/precision/format.hpp"

namespace rope {

/// One trial of the identity: two vectors, their positions, and a shift of both.
struct VerifyCase {
  std::uint64_t number = 0;
  std::int64_t m = 0;      ///< position of q
  std::int64_t n = 0;      ///< position of k
  std::int64_t shift = 0;  ///< ⟨R_m q, R_n k⟩ is compared with ⟨R_{m+shift} q, R_{n+shift} k⟩
  std::vector<double> q, k;
};

/// Positions beyond this could overflow 64 bits when they are subtracted or shifted.
inline constexpr std::int64_t kMaxVerifyPosition = std::int64_t{1} << 61;

/// Makes the random cases of one run. A case is a pure function of (seed, number): it can be
/// replayed on its own, and is the same on every machine.
///
/// Positions lie in [−max, max], shifted or not, and cycle through: uniform, m = n, ±(2^j + 1), the
/// extremes and 0, near 0, logarithmic, near each other. Vectors cycle through: normal,
/// heavy-tailed (normal times 2^-8 … 2^8), and ±1 in every dimension; they are rounded to the
/// pipeline's input format.
class CaseMaker {
 public:
  /// Throws DomainError unless 0 ≤ max_position ≤ kMaxVerifyPosition.
  CaseMaker(std::uint64_t seed, std::size_t head_dim, std::int64_t max_position, Format input);

  void make(std::uint64_t number, VerifyCase& result) const;

 private:
  std::uint64_t seed_;
  std::size_t head_dim_;
  std::int64_t max_position_;
  Format input_;
};

}  // namespace rope
