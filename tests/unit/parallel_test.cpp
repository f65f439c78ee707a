#include "rope/parallel/parallel.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace rope {
namespace {

TEST(InParallel, DoesEveryIndexOnce) {
  for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 1000U, 1001U})
    for (const std::size_t least : {0U, 1U, 2U, 100U, 5000U}) {
      std::vector<std::atomic<int>> done(count);
      in_parallel(count, least, [&](std::size_t begin, std::size_t end) {
        EXPECT_LT(begin, end);
        for (std::size_t i = begin; i < end; ++i) ++done[i];
      });
      for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1) << count << ", " << least;
    }
}

TEST(InParallel, StartsNoThreadForLittleWork) {
  std::vector<std::size_t> parts;  // would be a race if there were two
  in_parallel(199, 100, [&](std::size_t begin, std::size_t end) { parts.push_back(end - begin); });
  EXPECT_EQ(parts, std::vector<std::size_t>{199});
}

TEST(InParallel, UsesAsManyPartsAsThereAreProcessors) {
  std::atomic<std::size_t> parts = 0;
  in_parallel(1000, 1, [&](std::size_t, std::size_t) { ++parts; });
  EXPECT_EQ(parts, std::min<std::size_t>(available_threads(), 1000));
}

TEST(InParallel, UsesNoProcessorThatIsForbidden) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  cpu_set_t one = all;
  for (std::size_t cpu = 0; CPU_COUNT(&one) > 1; ++cpu) CPU_CLR(cpu, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const std::size_t threads = available_threads();
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(threads, 1U);
  EXPECT_EQ(available_threads(), static_cast<std::size_t>(CPU_COUNT(&all)));
}

TEST(InParallel, ThrowsWhatTheFirstPartThrewOnceAllHaveEnded) {
  std::atomic<std::size_t> done = 0;
  try {
    in_parallel(64, 1, [&](std::size_t begin, std::size_t end) {
      done += end - begin;
      throw std::runtime_error(std::to_string(begin));
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "0");
  }
  EXPECT_EQ(done, 64U);
}

}  // namespace
}  // namespace rope
