#include "rope/system/system.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

namespace rope::system {
namespace {

TEST(System, IsTheOneThatThisProgramWasBuiltFor) {
#if defined(ROPE_PORTABLE) || !defined(__linux__)
  EXPECT_FALSE(uses_linux());
#else
  EXPECT_TRUE(uses_linux());
#endif
}

TEST(System, OpensAFileThatNoFolderHoldsAndExecCloses) {
  const int file = open_anonymous();
  ASSERT_GE(file, 0);
  struct stat status {};
  EXPECT_EQ(::fstat(file, &status), 0);
  EXPECT_EQ(status.st_nlink, 0U);
  EXPECT_EQ(status.st_mode & 077U, uses_linux() ? 077U : 0U) << "memory is reached by nobody else";
  EXPECT_EQ(::fcntl(file, F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(::write(file, "rope", 4), 4);
  std::array<char, 5> text{};
  EXPECT_EQ(::pread(file, text.data(), 4, 0), 4);
  EXPECT_STREQ(text.data(), "rope");
  ::close(file);
}

TEST(System, OpensAPipeThatExecCloses) {
  std::array<int, 2> ends{};
  ASSERT_EQ(open_pipe(&ends), 0);
  for (const int end : ends) EXPECT_EQ(::fcntl(end, F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(::write(ends[1], "x", 1), 1);
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
  for (const int end : ends) ::close(end);
}

TEST(System, HasNumbersThatDifferAndProcessors) {
  std::set<std::uint64_t> numbers;
  for (int i = 0; i < 100; ++i) numbers.insert(random_number().value());
  EXPECT_EQ(numbers.size(), 100U);
  EXPECT_GE(processors(), 1U);
}

}  // namespace
}  // namespace rope::system
