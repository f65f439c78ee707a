// What wide.hpp promises: the arithmetic of doubles, with exponents that do not end.

#include "rope/verify/wide.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rope {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

TEST(Wide, IsTheDoubleWhereADoubleServes) {
  for (const double a : {0.0, 1.0, -1.5, 3.0, 0x1.fffffffffffffp9, 1e-300, -7e100})
    for (const double b : {1.0, -1.5, 0.1, 0x1p-60, 3e7}) {
      EXPECT_EQ(static_cast<double>(Wide(a) + b), a + b) << a << " " << b;
      EXPECT_EQ(static_cast<double>(Wide(a) - b), a - b) << a << " " << b;
      EXPECT_EQ(static_cast<double>(Wide(a) * b), a * b) << a << " " << b;
      EXPECT_EQ(static_cast<double>(Wide(a) / b), a / b) << a << " " << b;
      EXPECT_EQ(Wide(a) < b, a < b) << a << " " << b;
      EXPECT_EQ(Wide(a) == b, a == b) << a << " " << b;
    }
  for (const double a : {0.0, 2.0, 3.0, 0.5, 1e-7, 1e300})
    EXPECT_EQ(static_cast<double>(sqrt(Wide(a))), std::sqrt(a)) << a;
}

TEST(Wide, GoesOnWhereADoubleEnds) {
  const Wide tiny(1, -16000), huge(1, 16001);
  EXPECT_EQ(static_cast<double>(tiny * huge), 2);
  EXPECT_EQ(static_cast<double>(sqrt(tiny * tiny) / tiny), 1);
  EXPECT_EQ(static_cast<double>(sqrt(tiny * tiny * Wide(1, -1) * 2) / tiny), 1);
  EXPECT_EQ(static_cast<double>((tiny * 3 + tiny) / tiny), 4);
  EXPECT_TRUE(tiny * tiny > 0);
  EXPECT_TRUE(tiny < tiny * 2);
  EXPECT_TRUE(tiny + 1 == 1);
  EXPECT_EQ(static_cast<double>(tiny), 0);
  EXPECT_EQ(static_cast<double>(huge), kInfinity);
}

TEST(Wide, LosesNoNaN) {
  EXPECT_TRUE(isnan(Wide(kNoNumber)));
  EXPECT_FALSE(isnan(Wide(kInfinity)));
  EXPECT_TRUE(isnan(Wide(kInfinity) - kInfinity));
  EXPECT_TRUE(isnan(larger(Wide(1), kNoNumber)));
  EXPECT_TRUE(isnan(larger(Wide(kNoNumber), 1)));
  EXPECT_TRUE(isnan(smaller(Wide(1), kNoNumber)));
  EXPECT_FALSE(Wide(kNoNumber) <= 1);
  EXPECT_FALSE(Wide(1) <= kNoNumber);
  EXPECT_TRUE(Wide(2) < kInfinity);
  EXPECT_EQ(static_cast<double>(smaller(Wide(kInfinity), 2)), 2);
  EXPECT_EQ(static_cast<double>(larger(Wide(1, 40), kInfinity)), kInfinity);
}

}  // namespace
}  // namespace rope
