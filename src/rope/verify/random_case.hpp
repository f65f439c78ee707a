#pragma once

#include <cstdint>
#include <vector>

#include "rope/precision/format.hpp"

namespace rope {

/// One trial of the identity: two vectors, their positions, and a shift for both.
struct VerifyCase {
  std::uint64_t number = 0;
  std::int64_t m = 0;      ///< position of q
  std::int64_t n = 0;      ///< position of k
  std::int64_t shift = 0;  ///< ⟨R_m q, R_n k⟩ is compared with ⟨R_{m+shift} q, R_{n+shift} k⟩
  std::vector<double> q, k;
};

/// The largest position allowed; beyond it, a difference or a shift could overflow 64 bits.
inline constexpr std::int64_t kMaxVerifyPosition = std::int64_t{1} << 61;

/// Makes the random cases of one run. A case is a pure function of (seed, number): it can be
/// replayed by itself, and is the same on every machine.
///
/// Positions lie in [−max, max], whether shifted or not, and cycle through these kinds: uniform, m
/// = n, ±(2^j + 1), the extremes and 0, near 0, logarithmic, near each other. The numbers of the
/// vectors cycle through normal, heavy-tailed (normal times 2^-8 … 2^8), and ±1; they are rounded
/// to the pipeline's input format.
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
