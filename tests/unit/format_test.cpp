// What format.hpp promises: every format rounds as the arithmetic that has it, on every one of its
// numbers, at every tie and on both sides of it.

#include "rope/precision/format.hpp"
#include "rope/precision/rounding.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/show.hpp"

namespace rope {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// The same number, the same zero, or two NaNs.
bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

/// A format's numbers from 0 up by their definition, in the order of their bits, with the first
/// one that the format lacks at the end.
std::vector<double> values_of(int precision, int smallest_exponent, int largest_exponent,
                              double beyond_last) {
  const auto significands = static_cast<std::int64_t>(1) << (precision - 1);
  std::vector<double> values;
  for (std::int64_t s = 0; s < significands; ++s)
    values.push_back(std::ldexp(static_cast<double>(s), smallest_exponent - precision + 1));
  for (int e = smallest_exponent; e <= largest_exponent; ++e)
    for (std::int64_t s = significands; s < 2 * significands; ++s)
      values.push_back(std::ldexp(static_cast<double>(s), e - precision + 1));
  while (values.back() >= beyond_last) values.pop_back();
  values.push_back(beyond_last);
  return values;
}

/// Rounding by search: the nearest number, of two equally near ones that with an even last bit.
double nearest(const std::vector<double>& values, double beyond, double x) {
  if (std::isnan(x)) return x;
  const double magnitude = std::abs(x);
  double result = beyond;
  if (magnitude < values.back()) {
    const auto above = std::upper_bound(values.begin(), values.end(), magnitude);
    const auto below = above - 1;
    const double up = *above - magnitude, down = magnitude - *below;  // exact: at most 2p + 2 bits
    const bool even = (below - values.begin()) % 2 == 0;
    const auto chosen = down < up || (down == up && even) ? below : above;
    if (chosen + 1 != values.end()) result = *chosen;
  }
  return std::copysign(result, x);
}

const std::vector<double>& tfloat32_values() {
  static const std::vector<double> kValues = values_of(11, -126, 127, 0x1p128);
  return kValues;
}

const std::vector<double>& float8_values() {
  static const std::vector<double> kValues = values_of(4, -6, 8, 480);
  return kValues;
}

/// Every value of a format and every tie between two, each with the doubles on both sides.
template <class Check>
void at_every_value_and_tie(const std::vector<double>& values, Check check) {
  const auto around = [&](double x) {
    for (const double near : {x, std::nextafter(x, kInfinity), std::nextafter(x, -kInfinity)}) {
      check(near);
      check(-near);
    }
  };
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    around(values[i]);
    around((values[i] + values[i + 1]) / 2);
  }
  for (const double x : {values.back(), 2 * values.back(), 0x1p200, 0x1p1023, kInfinity, 5e-324})
    around(x);
  EXPECT_TRUE(std::isnan(nearest(values, 0, kNan)));
}

TEST(Format, Float16RoundsAsEigensHalfDoesAroundEveryOneOfItsNumbers) {
  std::size_t wrong = 0, checked = 0;
  // 13 bits of a float are cut off, 12 of them below the tie; subnormal results lose up to 11 more.
  constexpr std::array<std::uint32_t, 6> kLow = {0, 1, 0xfff, 0x1000, 0x1001, 0x1fff};
  for (std::uint32_t high = 0; high < (1U << 19); ++high)
    for (const std::uint32_t low : kLow) {
      const auto x = std::bit_cast<float>(high << 13 | low);
      const auto expected = static_cast<double>(static_cast<float>(Eigen::half(x)));
      ++checked;
      if (same(round_to(Format::float16, static_cast<double>(x)), expected)) continue;
      if (++wrong == 1)
        ADD_FAILURE() << test::show(static_cast<double>(x)) << ": expected " << test::show(expected)
                      << ", got " << test::show(round_to(Format::float16, static_cast<double>(x)));
    }
  EXPECT_EQ(wrong, 0U) << "of " << checked;
}

TEST(Format, Bfloat16RoundsAsEigensDoesAroundEveryOneOfItsNumbers) {
  std::size_t wrong = 0, checked = 0;
  constexpr std::array<std::uint32_t, 6> kLow = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
  for (std::uint32_t high = 0; high < (1U << 16); ++high)
    for (const std::uint32_t low : kLow) {
      const auto x = std::bit_cast<float>(high << 16 | low);
      const auto expected = static_cast<double>(static_cast<float>(Eigen::bfloat16(x)));
      ++checked;
      if (same(round_to(Format::bfloat16, static_cast<double>(x)), expected)) continue;
      if (++wrong == 1)
        ADD_FAILURE() << test::show(static_cast<double>(x)) << ": expected " << test::show(expected)
                      << ", got " << test::show(round_to(Format::bfloat16, static_cast<double>(x)));
    }
  EXPECT_EQ(wrong, 0U) << "of " << checked;
}

TEST(Format, EveryNumberOfAFormatStaysWhatItIs) {
  for (std::uint32_t bits = 0; bits < (1U << 16); ++bits) {
    const auto b = static_cast<double>(std::bit_cast<float>(bits << 16));
    ASSERT_TRUE(same(round_to(Format::bfloat16, b), b)) << test::show(b);
    const auto half = Eigen::half_impl::raw_uint16_to_half(static_cast<std::uint16_t>(bits));
    const auto h = static_cast<double>(static_cast<float>(Eigen::half(half)));
    ASSERT_TRUE(same(round_to(Format::float16, h), h)) << test::show(h);
  }
  for (const double x : tfloat32_values()) {
    if (x == 0x1p128) continue;  // the first one that is none
    ASSERT_EQ(round_to(Format::tfloat32, x), x) << test::show(x);
  }
}

TEST(Format, Float16OverflowsAt65520AndUnderflowsInStepsOfTwoToTheMinus24) {
  EXPECT_EQ(round_to(Format::float16, 65504), 65504);
  EXPECT_EQ(round_to(Format::float16, std::nextafter(65520.0, 0.0)), 65504);
  EXPECT_EQ(round_to(Format::float16, 65520), kInfinity);
  EXPECT_EQ(round_to(Format::float16, -65520), -kInfinity);
  EXPECT_EQ(round_to(Format::float16, 0x1p-25), 0) << "a tie, to even";
  EXPECT_EQ(round_to(Format::float16, 0x1.0000001p-25), 0x1p-24);
  EXPECT_EQ(round_to(Format::float16, 0x1.8p-24), 0x1p-23);
  EXPECT_TRUE(std::signbit(round_to(Format::float16, -0x1p-30))) << "-0";
}

TEST(Format, Tfloat32RoundsAsASearchThroughAllItsNumbersDoes) {
  std::size_t wrong = 0, checked = 0;
  at_every_value_and_tie(tfloat32_values(), [&](double x) {
    const double expected = nearest(tfloat32_values(), kInfinity, x);
    ++checked;
    if (same(round_to(Format::tfloat32, x), expected)) return;
    if (++wrong == 1)
      ADD_FAILURE() << test::show(x) << ": expected " << test::show(expected) << ", got "
                    << test::show(round_to(Format::tfloat32, x));
  });
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(checked, 3000000U);
}

/// What an E4M3 code means: OCP 8-bit Floating Point Specification, table 1.
double float8_of_code(unsigned code) {
  const double sign = (code & 0x80U) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(code >> 3 & 15U);
  const int mantissa = static_cast<int>(code & 7U);
  if (exponent == 15 && mantissa == 7) return kNan;
  if (exponent == 0) return sign * std::ldexp(mantissa / 8.0, -6);
  return sign * std::ldexp(1 + mantissa / 8.0, exponent - 7);
}

TEST(Format, Float8HasTheNumbersOfItsCodes) {
  for (unsigned code = 0; code < 256; ++code) {
    const double value = float8_of_code(code);
    EXPECT_TRUE(same(round_to(Format::float8, value), value)) << code;
    if ((code & 0x7fU) == 0x7fU) continue;
    EXPECT_EQ(std::abs(value), float8_values()[code & 0x7fU]) << code;
  }
  EXPECT_EQ(float8_values().size(), 128U) << "126 positive ones, 0, and 480, which is none";
}

TEST(Format, Float8RoundsAsASearchThroughAllItsNumbersDoes) {
  std::size_t checked = 0;
  at_every_value_and_tie(float8_values(), [&](double x) {
    ++checked;
    const double expected = nearest(float8_values(), kNan, x);
    EXPECT_TRUE(same(round_to(Format::float8, x), expected))
        << test::show(x) << ": expected " << test::show(expected) << ", got "
        << test::show(round_to(Format::float8, x));
  });
  EXPECT_GT(checked, 1500U);
}

TEST(Format, Float8HasNoInfinityAndEndsAt448) {
  EXPECT_EQ(round_to(Format::float8, 448), 448);
  EXPECT_EQ(round_to(Format::float8, 464), 448) << "a tie, to even";
  EXPECT_TRUE(std::isnan(round_to(Format::float8, std::nextafter(464.0, 500.0))));
  EXPECT_TRUE(std::isnan(round_to(Format::float8, kInfinity)));
  EXPECT_TRUE(std::isnan(round_to(Format::float8, -kInfinity)));
  EXPECT_EQ(round_to(Format::float8, 0x1p-9), 0x1p-9);
  EXPECT_EQ(round_to(Format::float8, 0x1.8p-9), 0x1p-8);
  EXPECT_EQ(round_to(Format::float8, 0x1p-10), 0);
}

TEST(Format, Float32AndFloat64AreTheMachinesOwn) {
  for (const double x : {1 + 0x1p-24, 1 + 3 * 0x1p-24, 0x1.fffffefp127, 0x1.ffffffp127, 0x1p-150,
                         0x1.8p-149, 1e300, -0.0, kInfinity, -kInfinity, kNan}) {
    EXPECT_TRUE(same(round_to(Format::float32, x), static_cast<double>(static_cast<float>(x))));
    EXPECT_TRUE(same(round_to(Format::float64, x), x));
  }
}

TEST(Format, TheLimitsAreThoseOfTheNumbers) {
  for (const Format format : {Format::float64, Format::float32, Format::tfloat32, Format::float16,
                              Format::bfloat16, Format::float8}) {
    const FormatLimits& f = limits(format);
    EXPECT_EQ(f.unit_roundoff, std::ldexp(1.0, -f.precision)) << f.name;
    EXPECT_EQ(f.smallest_normal, std::ldexp(f.underflow, f.precision - 1)) << f.name;
    EXPECT_EQ(round_to(format, f.largest), f.largest) << f.name;
    EXPECT_EQ(round_to(format, f.underflow), f.underflow) << f.name;
    EXPECT_EQ(round_to(format, 1 + 2 * f.unit_roundoff), 1 + 2 * f.unit_roundoff) << f.name;
    if (format == Format::float64) continue;
    EXPECT_EQ(round_to(format, f.underflow / 2), 0) << f.name;
    EXPECT_EQ(round_to(format, 1 + f.unit_roundoff), 1) << f.name;
    EXPECT_TRUE(same(round_to(format, 2 * f.largest), f.beyond)) << f.name;
  }
  EXPECT_EQ(limits(Format::tfloat32).largest, tfloat32_values().end()[-2]);
  EXPECT_EQ(limits(Format::float8).largest, float8_values().end()[-2]);
  EXPECT_EQ(limits(Format::bfloat16).largest,
            static_cast<double>(static_cast<float>(Eigen::NumTraits<Eigen::bfloat16>::highest())));
  EXPECT_EQ(limits(Format::float16).largest,
            static_cast<double>(static_cast<float>(Eigen::NumTraits<Eigen::half>::highest())));
  EXPECT_EQ(limits(Format::float64).largest, std::numeric_limits<double>::max());
  EXPECT_EQ(limits(Format::float32).largest,
            static_cast<double>(std::numeric_limits<float>::max()));
}

TEST(Format, IsFoundByItsShortAndItsLongNames) {
  using enum Format;
  const std::vector<std::pair<const char*, Format>> names = {
      {"f64", float64},   {"float64", float64},   {"f32", float32},       {"float32", float32},
      {"tf32", tfloat32}, {"tfloat32", tfloat32}, {"f16", float16},       {"fp16", float16},
      {"bf16", bfloat16}, {"float16", float16},   {"bfloat16", bfloat16}, {"e4m3", float8},
      {"fp8", float8},    {"float8", float8},     {"double", float64}};
  for (const auto& [name, format] : names) EXPECT_EQ(find_format(name), format) << name;
  for (const char* unknown : {"", "f", "F32", "f32 ", "e5m2", "bf"})
    EXPECT_FALSE(find_format(unknown)) << unknown;
  for (const FormatLimits& f : kFormatLimits)
    EXPECT_EQ(&limits(*find_format(f.name)), &f) << f.name;
}

/// Compares distinct_integers with counting, for every n from `first` to `last`. Rounding is
/// monotone, so a number is new exactly if it differs from the one before. Returns false at the
/// first difference.
bool counts_agree(Format format, std::int64_t first, std::int64_t last, std::int64_t at_first) {
  std::int64_t count = at_first;
  double before = round_to(format, static_cast<double>(first));
  for (std::int64_t n = first;; ++n) {
    const double value = round_to(format, static_cast<double>(n));
    if (std::isfinite(value) && value != before) ++count;
    before = value;
    if (distinct_integers(format, n) != count) {
      ADD_FAILURE() << limits(format).name << ": " << n << ": expected " << count << ", got "
                    << distinct_integers(format, n);
      return false;
    }
    if (n == last) return true;
  }
}

TEST(Format, DistinctIntegersAreThoseThatOneCounts) {
  for (const Format format : {Format::tfloat32, Format::float16, Format::bfloat16, Format::float8})
    counts_agree(format, 0, 140000, 1);
  constexpr std::int64_t k24 = std::int64_t{1} << 24, k53 = std::int64_t{1} << 53;
  counts_agree(Format::float32, k24 - 100, k24 + 100, k24 - 99);
  // [2^24, 2^25) holds 2^23 of them.
  counts_agree(Format::float32, 2 * k24, 2 * k24 + 100, k24 + k24 / 2 + 1);
  // 2^53 + 1 … are not doubles themselves: the conversion of the counter is the rounding.
  counts_agree(Format::float64, k53 - 100, k53 + 100, k53 - 99);
  EXPECT_EQ(distinct_integers(Format::float8, 1000000), 17 + 4 * 8 + 6) << "288, 320 … 448";
  EXPECT_EQ(distinct_integers(Format::bfloat16, std::int64_t{1} << 62), 257 + 54 * 128);
}

}  // namespace
}  // namespace rope
