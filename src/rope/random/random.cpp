#include "rope/random/random.hpp"

#include <Random123/philox.h>

#include <bit>
#include <cmath>

namespace rope {

void RandomStream::refill() {
  const r123::Philox4x64::ctr_type counter = {{block_, stream_, 0, 0}};
  const r123::Philox4x64::key_type key = {{seed_, 0}};
  const r123::Philox4x64::ctr_type words = r123::Philox4x64()(counter, key);
  for (std::size_t i = 0; i < 4; ++i) words_[i] = words[i];
  ++block_;
  used_ = 0;
}

std::uint64_t RandomStream::bits() {
  if (used_ == 4) refill();
  return words_[used_++];
}

std::int64_t RandomStream::integer(std::int64_t low, std::int64_t high) {
  __extension__ using Uint128 = unsigned __int128;
  const auto width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const Uint128 scaled = static_cast<Uint128>(bits()) * (static_cast<Uint128>(width) + 1);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) +
                                   static_cast<std::uint64_t>(scaled >> 64));
}

void RandomStream::fill_normal(std::span<double> values) {
  // Variance: 32/4 of the binomial, 1/12 of the uniform number.
  const double scale = 1.0 / std::sqrt(8.0 + 1.0 / 12.0);
  for (double& value : values) {
    const std::uint64_t word = bits();
    const double ones = std::popcount(word >> 32);
    const double uniform = (static_cast<double>(word & 0xffffffffU) + 0.5) * 0x1p-32 - 0.5;
    value = (ones - 16.0 + uniform) * scale;
  }
}

}  // namespace rope
