// The bounds that the library states are those of docs/accuracy.md, and no error is beyond them: by
// another emulation, other formulas and intervals of 200 bits. `rope_sweep documented` does more.
#include <gtest/gtest.h>

#include "support/documented_check.hpp"

namespace rope {
namespace {

constexpr std::uint64_t kSeed = 20261127;

TEST(DocumentedBounds, AreWhatTheLibraryStatesAndNoErrorIsBeyondThem) {
  const test::DocumentedTally tally = test::check_documented(kSeed, 0, 600, 40, 4);
  EXPECT_TRUE(tally.right()) << tally.told;
  EXPECT_EQ(tally.beyond, 0U);
  EXPECT_EQ(tally.undecided, 0U);
  EXPECT_EQ(tally.below, 0U);
  EXPECT_EQ(tally.wider, 0U);
  EXPECT_GT(tally.errors, 50000U);
  EXPECT_GT(tally.bounds, 100000U);
}

TEST(DocumentedBounds, ThatAreHalvedOrAMillionthOffAreNoticed) {
  EXPECT_GT(test::check_documented(kSeed, 0, 200, 40, 2, 0.5).beyond, 0U);
  EXPECT_GT(test::check_documented(kSeed, 0, 20, 10, 2, 1 - 1e-6).below, 0U);
  EXPECT_GT(test::check_documented(kSeed, 0, 20, 10, 2, 1 + 1e-6).wider, 0U);
}

}  // namespace
}  // namespace rope
