#pragma once

// The loop bodies of turns.hpp, for vector code that must inline them (see cpu_level.hpp).

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

// sin x = x + x³·S(x²) and cos x = 1 − x²/2 + x⁴·C(x²) on |x| ≤ π/4: best approximations in
// absolute error (on 4000 equidistant x²), 7.7e-18 for the sine and 9.1e-19 for the cosine once the
// coefficients are rounded. tests/proofs/sincos_coefficients_test.cpp runs the Remez exchange that
// produced them.
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

/// The value of an unsigned integer below 2^32 as a double, assembled from its bits, because vector
/// units before AVX-512 cannot convert 64-bit integers.
[[gnu::always_inline]] inline double exact_double(std::uint64_t below_2_32) {
  return std::bit_cast<double>(below_2_32 | 0x4330000000000000U) - 0x1p52;
}

// The steps below are templates only so that they can record their operations in tests/proofs.
// The error of every rounding (gappa) and the effect on every bit (z3) are proven there.

/// An angle in steps of 2^-64 of a turn, as a number of quarter turns and a remainder of at most an
/// eighth of a turn in size: quarter·2^62 + (high − 2^29)·2^32 + low, where high < 2^30 and low <
/// 2^32.
template <class Word>
struct QuarterAndRest {
  Word quarter, high, low;
};

template <class Word>
[[gnu::always_inline]] inline QuarterAndRest<Word> quarter_and_rest(const Word& turns) {
  const Word raised = turns + (Word{1} << 61);
  const Word shifted = raised & ((Word{1} << 62) - 1);
  return {raised >> 62, shifted >> 32, shifted & 0xffffffffU};
}

template <class Real>
[[gnu::always_inline]] inline Real sine_polynomial(const Real& z) {
  return kSine[0] +
         z * (kSine[1] + z * (kSine[2] + z * (kSine[3] + z * (kSine[4] + z * kSine[5]))));
}

template <class Real>
[[gnu::always_inline]] inline Real cosine_polynomial(const Real& z) {
  return kCosine[0] +
         z * (kCosine[1] + z * (kCosine[2] + z * (kCosine[3] + z * (kCosine[4] + z * kCosine[5]))));
}

/// All intermediate values of the cosine and sine of one remainder, in the order of the
/// computation.
template <class Real>
struct SmallAngle {
  Real high, low, head, tail, x, x_error, z, sine_sum, cosine_sum, half, near_one;
  Real sine_rest, sine, lost, cosine_rest, cosine;
};

/// cos and sin of 2π·((high − 2^29)·2^32 + low)/2^64.
template <class Real>
[[gnu::always_inline]] inline SmallAngle<Real> small_angle(const Real& high_word,
                                                           const Real& low_word) {
  // x as a sum of two doubles: the first product is exact, the second is small.
  const Real high = (high_word - 0x1p29) * 0x1p-32;
  const Real low = low_word * 0x1p-64;
  const Real head = high * kTwoPiHead;
  const Real tail = high * kTwoPiTail + low * kTwoPi;
  const Real x = head + tail;
  const Real x_error = (head - x) + tail;

  const Real z = x * x;
  const Real sine_sum = sine_polynomial(z);
  const Real cosine_sum = cosine_polynomial(z);
  const Real half = 0.5 * z;
  const Real near_one = 1.0 - half;
  // The parts that the leading terms x and 1 − z/2 lose to rounding are added to the small terms
  // first.
  const Real sine_rest = x * (z * sine_sum) + x_error * near_one;
  const Real sine = x + sine_rest;
  const Real lost = (1.0 - near_one) - half;
  const Real cosine_rest = lost + (z * z * cosine_sum - x * x_error);
  const Real cosine = near_one + cosine_rest;
  return {high,       low,  head,     tail,      x,    x_error, z,           sine_sum,
          cosine_sum, half, near_one, sine_rest, sine, lost,    cosine_rest, cosine};
}

template <class Word>
struct CosSinBits {
  Word cosine, sine;
};

/// A quarter turn swaps cosine and sine; the signs follow the quadrant. This is done on the bits,
/// to avoid branches.
template <class Word>
[[gnu::always_inline]] inline CosSinBits<Word> turned_by_quarters(const Word& quarter,
                                                                  const Word& c_bits,
                                                                  const Word& s_bits) {
  const Word swapped = Word{0} - (quarter & 1U);
  const Word cosine_sign = ((quarter + 1) & 2U) << 62;
  const Word sine_sign = (quarter & 2U) << 62;
  return {((c_bits & ~swapped) | (s_bits & swapped)) ^ cosine_sign,
          ((s_bits & ~swapped) | (c_bits & swapped)) ^ sine_sign};
}

/// cos and sin of `turns`/2^64 of a turn. It has no branches, so a loop over it becomes vector
/// code.
[[gnu::always_inline]] inline void cos_sin(std::uint64_t turns, double& cosine, double& sine) {
  const auto [quarter, high, low] = quarter_and_rest(turns);
  const SmallAngle<double> rest = small_angle(exact_double(high), exact_double(low));
  const auto bits = turned_by_quarters(quarter, std::bit_cast<std::uint64_t>(rest.cosine),
                                       std::bit_cast<std::uint64_t>(rest.sine));
  cosine = std::bit_cast<double>(bits.cosine);
  sine = std::bit_cast<double>(bits.sine);
}

/// cos and sin of n angles.
[[gnu::always_inline]] inline void cos_sin_loop(const std::uint64_t* __restrict turns,
                                                double* __restrict cosine, double* __restrict sine,
                                                std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) cos_sin(turns[i], cosine[i], sine[i]);
}

}  // namespace rope::kernel
