#include "rope/verify/bits_bounds.hpp"

#include <cmath>
#include <numbers>
#include <optional>

#include "rope/precision/bounds.hpp"
#include "rope/precision/largest.hpp"

namespace rope {

BitsBounds::BitsBounds(int bits, const RotaryEmbedding& embedding)
    : u_(std::ldexp(1.0L, -bits)), bits_(bits), dim_(static_cast<long double>(embedding.head_dim)) {
  const auto pairs = static_cast<long double>(embedding.pairs());
  const std::optional<double> base = embedding.geometric_base();
  for (std::size_t k = 0; k < embedding.pairs(); ++k) {
    if (!base) {  // a double, rounded once
      frequency_.push_back(bits < 53 ? u_ : 0);
      continue;
    }
    // pow rounds once; its exponent −2k/r is a quotient, of a 2k that few bits may not hold.
    const long double exponent =
        static_cast<long double>(k) / pairs * (bits < 20 ? 2 * u_ + u_ * u_ : u_);
    const long double slope = std::abs(std::log(static_cast<long double>(*base)));
    frequency_.push_back(std::expm1(exponent * slope + std::log1p(u_)));
  }
}

long double BitsBounds::table() const { return u_ / std::numbers::sqrt2_v<long double>; }

long double BitsBounds::angle(std::int64_t position, long double theta) const {
  const auto p = static_cast<long double>(position < 0 ? -position : position);
  const long double position_error = bits_ >= 63 || p < std::ldexp(1.0L, bits_) ? 0 : u_ * p;
  return (position_error + u_ * (p + position_error)) * theta;
}

long double BitsBounds::identity(std::int64_t m, std::int64_t n, long double theta) const {
  const long double turned = angle(m, theta) + angle(n, theta) + angle(n - m, theta);
  const long double e = table();
  return smaller(turned, 2.0L) + (m != 0 ? e : 0) + (n != 0 ? e : 0) + e * e + (m != n ? e : 0);
}

long double BitsBounds::truth(std::int64_t position, std::size_t pair, long double theta) const {
  if (position == 0) return 0;
  const auto p = static_cast<long double>(position < 0 ? -position : position);
  // |θ̂ − θ| is relative to θ, and θ ≤ θ̂(1 + τ)/(1 − u).
  const long double off = frequency_[pair] * (1 + frequency_[pair]) / (1 - u_) * theta;
  const long double turned = angle(position, theta) + p * off;
  return (smaller(turned, 2.0L) + table()) * static_cast<long double>(kBoundInflation);
}

long double BitsBounds::evaluation() const {
  const long double rho = std::numbers::sqrt2_v<long double> * (2 * u_ + u_ * u_);
  const long double nu = dim_ * u_, y = 1 + table(), dy = rho * y;
  return nu * (y + dy) * (y + dy) + 2 * y * dy + dy * dy + nu * (y + dy) + dy;
}

}  // namespace rope
