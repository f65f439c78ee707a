#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "rope/rotary/embedding.hpp"

namespace rope {

/// A number as the unevaluated sum of two doubles: 106 bits.
struct TwoDoubles {
  double high;
  double low;

  /// |x − *this|, for x near it.
  double distance(double x) const;
};

/// cos(mθ_i) and sin(mθ_i), correct to 100 bits, computed by MPFR with its own pow, π and
/// reduction. The code shares nothing with rotary/ except the definition θ_i = base^(−2i/r), so it
/// can be used to check rotary/.
class ReferenceRotation {
 public:
  /// Uses the base and size of the embedding or, if it has no base, its θ_i as exact doubles.
  explicit ReferenceRotation(const RotaryEmbedding& embedding);
  ~ReferenceRotation();
  ReferenceRotation(const ReferenceRotation&) = delete;
  ReferenceRotation& operator=(const ReferenceRotation&) = delete;
  ReferenceRotation(ReferenceRotation&& other) noexcept;
  ReferenceRotation& operator=(ReferenceRotation&& other) noexcept;

  struct Entry {
    TwoDoubles cos;
    TwoDoubles sin;
  };

  /// One entry per pair, for the position on the axis of that pair.
  std::vector<Entry> row(const Position& position) const;

  /// The pair (x, y) turned by an entry: (x cos − y sin, x sin + y cos), correct to 100 bits.
  static std::pair<TwoDoubles, TwoDoubles> rotate(const Entry& entry, double x, double y);

 private:
  struct Numbers;
  std::unique_ptr<Numbers> numbers_;
};

/// The largest error of this machine's cos and sin at the given angles, in units in the last place
/// of the exact value. `single`: tests cosf and sinf, with angles that are floats.
///
/// Accuracy  2^-30 of a unit in the last place.
double observed_libm_ulp(const std::vector<double>& angles, bool single);

/// The same for this machine's pow (powf) on the powers from which θ_i and s = base^(−2/rotary_dim)
/// are computed, with rounded exponents.
double observed_pow_ulp(double base, std::size_t rotary_dim, bool single);

}  // namespace rope
