// Any pipeline that a stage list can name, against an emulation written once more.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "rope/precision/pipeline.hpp"
#include "support/emulation.hpp"
#include "support/random_setting.hpp"

namespace rope {
namespace {

constexpr std::uint64_t kSeed = 20261123;

/// The same bits; any NaN is as good as another.
testing::AssertionResult same(double a, double b) {
  const bool both = std::isnan(a) && std::isnan(b);
  if (both || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << a << " is not " << b;
}

TEST(Emulation, AnyStageListGivesTheBitsOfAnotherEmulation) {
  std::size_t compared = 0;
  for (std::uint64_t number = 0; number < 4000; ++number) {
    const test::Setting setting = test::draw_setting(kSeed, number, 64);
    const Pipeline pipeline(setting.policy, setting.embedding);
    const test::Emulation other(setting.policy, setting.embedding);
    const CaseMaker maker(kSeed + number, setting.embedding.head_dim, setting.range,
                          setting.policy.input());
    VerifyCase given;
    for (std::uint64_t i = 0; i < 6; ++i) {
      maker.make(number * 6 + i, given);
      test::resize_vectors(setting, given);
      RotationRow row;
      std::vector<double> q(given.q.size()), k(q);
      for (const std::int64_t position : {given.m, given.n - given.m, given.n}) {
        pipeline.table_row(position, row);
        for (std::size_t pair = 0; pair < row.cos.size(); ++pair) {
          const test::Entry entry = other.entry(position, pair);
          ASSERT_TRUE(same(row.cos[pair], entry.cos))
              << setting.text() << ", cos at " << position << ", pair " << pair;
          ASSERT_TRUE(same(row.sin[pair], entry.sin))
              << setting.text() << ", sin at " << position << ", pair " << pair;
          ASSERT_TRUE(same(pipeline.angle(position, pair), other.angle(position, pair)))
              << setting.text() << ", angle at " << position << ", pair " << pair;
          ++compared;
        }
        if (position == given.m) pipeline.rotate_blocks({row.cos, row.sin, row.sin}, given.q, q);
      }
      pipeline.rotate_blocks({row.cos, row.sin, row.sin}, given.k, k);
      const std::vector<double> other_q = other.turned(given.m, given.q);
      const std::vector<double> other_k = other.turned(given.n, given.k);
      for (std::size_t d = 0; d < q.size(); ++d) {
        ASSERT_TRUE(same(q[d], other_q[d])) << setting.text() << ", query, dimension " << d;
        ASSERT_TRUE(same(k[d], other_k[d])) << setting.text() << ", key, dimension " << d;
      }
      ASSERT_TRUE(same(pipeline.dot(q, k).value, other.score(q, k))) << setting.text();
    }
  }
  EXPECT_GT(compared, 100000U);
}

}  // namespace
}  // namespace rope
