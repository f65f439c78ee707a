#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/element_type.hpp"
#include "rope/precision/format.hpp"
#include "rope/precision/rounding.hpp"

namespace rope::io {
namespace {

double value_of(ElementType type, std::uint16_t bits) {
  std::array<char, 2> bytes{};
  std::memcpy(bytes.data(), &bits, 2);
  double value = 0;
  decode(type, bytes.data(), std::span<double>(&value, 1));
  return value;
}

std::uint16_t bits_of(ElementType type, double value) {
  std::array<char, 2> bytes{};
  encode(type, std::span<const double>(&value, 1), bytes.data());
  std::uint16_t bits = 0;
  std::memcpy(&bits, bytes.data(), 2);
  return bits;
}

/// The value that the fields of a format say, from its definition.
double by_definition(std::uint16_t bits, int fraction_bits, int bias) {
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const int exponent = (bits & 0x7FFF) >> fraction_bits;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

struct NarrowType {
  ElementType type;
  Format format;
  int fraction_bits;
  int bias;
};
constexpr std::array kNarrow = {NarrowType{ElementType::float16, Format::float16, 10, 15},
                                NarrowType{ElementType::bfloat16, Format::bfloat16, 7, 127}};

TEST(ElementTypes, EveryNarrowNumberReadsExactlyAndWritesBack) {
  for (const auto& [type, format, fraction_bits, bias] : kNarrow) {
    for (unsigned each = 0; each < 0x10000; ++each) {
      const auto bits = static_cast<std::uint16_t>(each);
      const double value = value_of(type, bits);
      ASSERT_EQ(bits_of(type, value), bits) << name(type) << " " << each;
      ASSERT_EQ(std::signbit(value), (bits & 0x8000U) != 0);
      const auto top = static_cast<unsigned>(2 * bias + 1) << static_cast<unsigned>(fraction_bits);
      if ((bits & 0x7FFFU) > top)
        ASSERT_TRUE(std::isnan(value));
      else if ((bits & 0x7FFFU) == top)
        ASSERT_TRUE(std::isinf(value));
      else
        ASSERT_EQ(value, by_definition(bits, fraction_bits, bias)) << name(type) << " " << each;
    }
  }
}

TEST(ElementTypes, RoundsToTheNearestTiesToEven) {
  std::mt19937_64 random(7);
  for (const auto& [type, format, fraction_bits, bias] : kNarrow) {
    // Between neighbours: the middle, and one bit to either side of it.
    for (std::uint16_t bits = 0; bits < 0x7C00; ++bits) {
      const double low = value_of(type, bits);
      const double high = value_of(type, static_cast<std::uint16_t>(bits + 1));
      if (!std::isfinite(high)) break;
      const double middle = low + (high - low) / 2;
      for (const double value :
           {middle, std::nextafter(middle, 0), std::nextafter(middle, 1e300)}) {
        ASSERT_EQ(value_of(type, bits_of(type, value)), round_to(format, value)) << value;
        ASSERT_EQ(value_of(type, bits_of(type, -value)), round_to(format, -value)) << value;
      }
    }
    for (int i = 0; i < 200000; ++i) {
      const auto value = std::bit_cast<double>(random());
      const double rounded = value_of(type, bits_of(type, value));
      if (std::isnan(value))
        ASSERT_TRUE(std::isnan(rounded));
      else
        ASSERT_EQ(rounded, round_to(format, value)) << value;
    }
  }
}

TEST(ElementTypes, WhatIsBeyondTheLargestBecomesInfinity) {
  EXPECT_EQ(bits_of(ElementType::float16, 65504), 0x7BFF);
  EXPECT_EQ(bits_of(ElementType::float16, std::nextafter(65520, 0)), 0x7BFF);
  EXPECT_EQ(bits_of(ElementType::float16, 65520), 0x7C00);
  EXPECT_EQ(bits_of(ElementType::float16, -1e308), 0xFC00);
  EXPECT_EQ(bits_of(ElementType::bfloat16, 1e308), 0x7F80);
  EXPECT_EQ(bits_of(ElementType::bfloat16, -HUGE_VAL), 0xFF80);
  EXPECT_EQ(bits_of(ElementType::bfloat16, 1e-320), 0x0000);
  EXPECT_EQ(bits_of(ElementType::bfloat16, -1e-320), 0x8000);
}

TEST(ElementTypes, ANanStaysOneWithItsPayload) {
  EXPECT_EQ(bits_of(ElementType::float16, std::bit_cast<double>(0x7FF0000000000001U)), 0x7E00);
  EXPECT_EQ(bits_of(ElementType::bfloat16, std::bit_cast<double>(0xFFFFFFFFFFFFFFFFU)), 0xFFFF);
}

TEST(ElementTypes, FloatsAreRoundedOnce) {
  const std::vector<double> values{0.1, 1 + 0x1p-24, 1 + 0x1.8p-23, 1e-46, 3.5e38, -0.0};
  std::vector<char> bytes(values.size() * 4);
  encode(ElementType::float32, values, bytes.data());
  std::vector<double> read(values.size());
  decode(ElementType::float32, bytes.data(), std::span<double>(read));
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(read[i], round_to(Format::float32, values[i]));
    EXPECT_EQ(std::signbit(read[i]), std::signbit(values[i]));
  }
}

TEST(ElementTypes, HaveNamesAndSizes) {
  EXPECT_EQ(name(ElementType::bfloat16), "bfloat16");
  EXPECT_EQ(name(ElementType::boolean), "bool");
  EXPECT_EQ(size_of(ElementType::uint32), 4U);
  EXPECT_TRUE(is_floating(ElementType::bfloat16));
  EXPECT_FALSE(is_floating(ElementType::int64));
}

TEST(ElementTypes, IntegersAreNeitherWrittenFromDoublesNorReadFromFloats) {
  const double value = 1;
  std::array<char, 8> bytes{};
  EXPECT_THROW(encode(ElementType::int64, std::span(&value, 1), bytes.data()), DomainError);
  std::int64_t integer = 0;
  EXPECT_THROW(decode(ElementType::float32, bytes.data(), std::span(&integer, 1)), DomainError);
}

}  // namespace
}  // namespace rope::io
