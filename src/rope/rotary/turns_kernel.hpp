#pragma once

// The loop bodies behind turns.hpp, for vector code that must inline them (see cpu_level.hpp).

#include <array>
#include <bit>
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <numbers>

#ifdef __FAST_MATH__
#error "The exact path needs IEEE-754 arithmetic in the order written: build without -ffast-math."
#endif

namespace rope::kernel {

static_assert(FLT_EVAL_METHOD == 0, "The exact path needs doubles that are rounded at every step.");

// sin x = x + x³·S(x²) and cos x = 1 − x²/2 + x⁴·C(x²) on |x| ≤ π/4: best approximations in the
// absolute error (on 4000 equidistant x²), 7.7e-18 for the sine and 9.1e-19 for the cosine once the
// coefficients are rounded.
// tests/proofs/sincos_coefficients_test.cpp runs the Remez exchange that made them.
inline constexpr std::array kSine = {-0x1.555555555553dp-3,  0x1.111111110eb1fp-7,
                                     -0x1.a01a019ab4b03p-13, 0x1.71de3475664ddp-19,
                                     -0x1.ae5db479bcb62p-26, 0x1.5d64c98b55564p-33};
inline constexpr std::array kCosine = {0x1.555555555554cp-5,  -0x1.6c16c16c15184p-10,
                                       0x1.a01a019cb26fbp-16, -0x1.27e4f80a76eadp-22,
                                       0x1.1ee9ec4819edap-29, -0x1.8faecf6703f53p-37};

// 2π = kTwoPiHead + kTwoPiTail: the head has 23 bits, so its product with a 30-bit integer is
// exact.
inline constexpr double kTwoPi = 2 * std::numbers::pi;
inline constexpr double kTwoPiHead = 0x1.921fb4p+2;
inline constexpr double kTwoPiTail = 0x1.4442d18469899p-22;

/// The value of an unsigned integer below 2^32 as a double, by bit assembly: vector units before
/// AVX-512 cannot convert 64-bit integers.
[[gnu::always_inline]] inline double exact_double(std::uint64_t below_2_32) {
  return std::bit_cast<double>(below_2_32 | 0x4330000000000000U) - 0x1p52;
}

/// cos and sin of `turns`/2^64 of a turn. No branches: a loop over it becomes vector code.
[[gnu::always_inline]] inline void cos_sin(std::uint64_t turns, double& cosine, double& sine) {
  // turns = quarter·2^62 + rest with −2^61 ≤ rest < 2^61; shifted keeps rest + 2^61 ≥ 0.
  const std::uint64_t raised = turns + (std::uint64_t{1} << 61);
  const std::uint64_t quarter = raised >> 62;
  const std::uint64_t shifted = raised & ((std::uint64_t{1} << 62) - 1);

  // x = 2π·rest/2^64 as a sum of two doubles: the first product is exact, the second is small.
  const double high = (exact_double(shifted >> 32) - 0x1p29) * 0x1p-32;
  const double low = exact_double(shifted & 0xffffffffU) * 0x1p-64;
  const double head = high * kTwoPiHead;
  const double tail = high * kTwoPiTail + low * kTwoPi;
  const double x = head + tail;
  const double x_error = (head - x) + tail;

  const double z = x * x;
  const double sine_polynomial =
      kSine[0] + z * (kSine[1] + z * (kSine[2] + z * (kSine[3] + z * (kSine[4] + z * kSine[5]))));
  const double cosine_polynomial =
      kCosine[0] +
      z * (kCosine[1] + z * (kCosine[2] + z * (kCosine[3] + z * (kCosine[4] + z * kCosine[5]))));
  const double half = 0.5 * z;
  const double near_one = 1.0 - half;
  // The parts that the leading terms x and 1 − z/2 lose are added to the small terms first.
  const double s = x + (x * (z * sine_polynomial) + x_error * near_one);
  const double c =
      near_one + (((1.0 - near_one) - half) + (z * z * cosine_polynomial - x * x_error));

  // A quarter turn swaps the two; signs follow the quadrant. On the bits, to stay without branches.
  const auto c_bits = std::bit_cast<std::uint64_t>(c);
  const auto s_bits = std::bit_cast<std::uint64_t>(s);
  const std::uint64_t swapped = std::uint64_t{0} - (quarter & 1U);
  const std::uint64_t cosine_sign = ((quarter + 1) & 2U) << 62;
  const std::uint64_t sine_sign = (quarter & 2U) << 62;
  cosine = std::bit_cast<double>(((c_bits & ~swapped) | (s_bits & swapped)) ^ cosine_sign);
  sine = std::bit_cast<double>(((s_bits & ~swapped) | (c_bits & swapped)) ^ sine_sign);
}

/// cos and sin of n angles.
[[gnu::always_inline]] inline void cos_sin_loop(const std::uint64_t* __restrict turns,
                                                double* __restrict cosine, double* __restrict sine,
                                                std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) cos_sin(turns[i], cosine[i], sine[i]);
}

}  // namespace rope::kernel
