// What a number that was found is called, by the interval it is known to lie in.

#include "rope/diagnose/named_numbers.hpp"

#include <gtest/gtest.h>

namespace rope {
namespace {

Spectrum recognised(double base, double low, double high) {
  Spectrum spectrum;
  spectrum.embedding = default_embedding(128, base, PairLayout::half);
  spectrum.recognised = true;
  spectrum.base_low = low;
  spectrum.base_high = high;
  return spectrum;
}

TEST(NamedNumbers, ABaseThatMayBeTheUsualOneHasNoOtherName) {
  EXPECT_FALSE(named_base(recognised(9984, 9980, 10010), 10000, 128));
  const auto rounded = named_base(recognised(9984, 9980, 9990), 10000, 128);
  ASSERT_TRUE(rounded);
  EXPECT_EQ(rounded->meaning, "10000 rounded to bfloat16");
  EXPECT_EQ(rounded->mend.text, "keep rope_theta in float32 or wider");
  Spectrum measured = recognised(9984, 9980, 9990);
  measured.recognised = false;
  EXPECT_FALSE(named_base(measured, 10000, 128));
}

}  // namespace
}  // namespace rope
