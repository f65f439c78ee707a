#include "rope/verify/bits_bounds.hpp"

#include <cmath>
#include <numbers>
#include <optional>

#include "rope/precision/bounds.hpp"
#include "rope/rotary/exact_real.hpp"

namespace rope {

BitsBounds::BitsBounds(int bits, const RotaryEmbedding& embedding)
    : u_(1, -bits), bits_(bits), dim_(static_cast<double>(embedding.head_dim)) {
  const auto pairs = static_cast<double>(embedding.pairs());
  const std::optional<double> base = embedding.geometric_base();
  const Wide slope = base ? static_cast<double>(abs(log(ExactReal(*base)))) : 0;
  for (std::size_t i = 0; i < embedding.pairs(); ++i) {
    if (!base) {  // a double, rounded once
      frequency_.push_back(bits < 53 ? u_ : 0);
      continue;
    }
    // pow rounds once; its exponent −2i/r is a quotient, of a 2i that few bits may not hold.
    const Wide exponent =
        Wide(static_cast<double>(i) / pairs) * (bits < 20 ? u_ * 2 + u_ * u_ : u_);
    // e^t − 1 ≤ t/(1 − t/2) for t < 2: all coefficients of the series are as large.
    const Wide t = exponent * slope + u_;
    frequency_.push_back(t < 2 ? t / (Wide(1) - t / 2) : HUGE_VAL);
  }
}

Wide BitsBounds::table() const { return u_ / std::numbers::sqrt2; }

Wide BitsBounds::angle(std::int64_t position, Wide theta) const {
  const Wide p = static_cast<double>(position < 0 ? -position : position);
  const Wide position_error = bits_ >= 63 || p < Wide(1, bits_) ? 0 : u_ * p;
  return (position_error + u_ * (p + position_error)) * theta;
}

Wide BitsBounds::identity(std::int64_t m, std::int64_t n, Wide theta) const {
  const Wide turned = angle(m, theta) + angle(n, theta) + angle(n - m, theta);
  const Wide e = table();
  return smaller(turned, 2) + (m != 0 ? e : 0) + (n != 0 ? e : 0) + e * e + (m != n ? e : 0);
}

Wide BitsBounds::truth(std::int64_t position, std::size_t pair, Wide theta) const {
  if (position == 0) return 0;
  const Wide p = static_cast<double>(position < 0 ? -position : position);
  // |θ̂ − θ| is relative to θ, and θ ≤ θ̂(1 + τ)/(1 − u).
  const Wide off = frequency_[pair] * (Wide(1) + frequency_[pair]) / (Wide(1) - u_) * theta;
  const Wide turned = angle(position, theta) + p * off;
  return (smaller(turned, 2) + table()) * kBoundInflation;
}

Wide BitsBounds::evaluation() const {
  const Wide rho = Wide(std::numbers::sqrt2) * (u_ * 2 + u_ * u_);
  const Wide nu = dim_ * u_, y = Wide(1) + table(), dy = rho * y;
  return nu * (y + dy) * (y + dy) + y * dy * 2 + dy * dy + nu * (y + dy) + dy;
}

}  // namespace rope
