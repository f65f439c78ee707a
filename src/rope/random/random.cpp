#include "rope/random/random.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace rope {
namespace {

/// The number of ones among the upper 32 bits, in the place of those bits: counted by twos, fours,
/// eights and so on, which a loop does to several words at once, as it cannot with std::popcount.
std::uint64_t ones_above(std::uint64_t word) {
  word &= 0xffffffff00000000U;
  word -= word >> 1 & 0x5555555500000000U;
  word = (word & 0x3333333300000000U) + (word >> 2 & 0x3333333300000000U);
  word = (word + (word >> 4)) & 0x0f0f0f0f00000000U;
  word += word >> 8;
  word += word >> 16;
  return word & 0x0000003f00000000U;
}

/// An integer below 2^52 as a double, by bit assembly: SSE2 cannot convert 64-bit integers.
double exact_double(std::uint64_t below_2_52) {
  return std::bit_cast<double>(below_2_52 | 0x4330000000000000U) - 0x1p52;
}

}  // namespace

void RandomStream::make_block(std::uint64_t* words) {
  const r123::Philox4x64::ctr_type counter = {{block_, stream_, 0, 0}};
  const r123::Philox4x64::key_type key = {{seed_, 0}};
  const r123::Philox4x64::ctr_type made = r123::Philox4x64()(counter, key);
  for (std::uint64_t word : made.v) {
#if defined(__GNUC__) && !defined(__clang__)
    asm("" : "+r"(word));  // else two are copied at once, and wait until both are in memory
#endif
    *words++ = word;
  }
  ++block_;
}

void RandomStream::refill() {
  make_block(words_.data());
  used_ = 0;
}

void RandomStream::fill(std::span<std::uint64_t> words) {
  std::size_t i = 0;
  while (i < words.size() && used_ < words_.size()) words[i++] = bits();
  for (; words.size() - i >= words_.size(); i += words_.size()) make_block(&words[i]);
  while (i < words.size()) words[i++] = bits();
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
  std::array<std::uint64_t, 64> words;  // not zeroed: every word is set before it is read
  while (!values.empty()) {
    const std::size_t count = std::min(values.size(), words.size());
    fill(std::span(words).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      // The ones, less 16, and the uniform number (w + 1/2)/2^32 − 1/2 of the lower bits: exact.
      const double sum = exact_double(ones_above(words[i]) + (words[i] & 0xffffffffU));
      values[i] = ((sum + 0.5) * 0x1p-32 - 16.5) * scale;
    }
    values = values.subspan(count);
  }
}

}  // namespace rope
