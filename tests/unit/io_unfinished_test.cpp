// Files in the making: what a sudden end leaves, whose rights a replaced file has, and what is read
// from an open descriptor.

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>

#include "rope/io/file.hpp"
#include "rope/io/input_file.hpp"
#include "rope/io/temporary_file.hpp"
#include "rope/system/system.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;

class Unfinished : public testing::Test {
 protected:
  Unfinished() : folder_(testing::TempDir() + "rope-io-XXXXXX") {
    EXPECT_NE(::mkdtemp(folder_.data()), nullptr);
  }
  ~Unfinished() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  void put(const std::string& name, const std::string& text, mode_t mode = 0644) const {
    std::ofstream(at(name)) << text;
    EXPECT_EQ(::chmod(at(name).c_str(), mode), 0);
  }
  std::string slurp(const std::string& name) const {
    std::ifstream stream(at(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

/// How a child ended that did this; 0 if all went well.
int in_a_child(const std::function<bool()>& action) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(action() ? 0 : 1);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

TEST_F(Unfinished, NothingIsLeftByASignalAndHereNotEvenBySigkill) {
  for (const int signal : {SIGTERM, SIGKILL}) {
    if (signal == SIGKILL && !system::uses_linux()) continue;  // a file there has its name at once
    const int status = in_a_child([&] {
      std::signal(SIGTERM, [](int) {
        remove_unfinished_files();
        ::_exit(1);
      });
      FileWriter file(at("a"));
      file.append("half");
      return ::raise(signal) == 0;
    });
    EXPECT_NE(status, 0);
    EXPECT_TRUE(fs::is_empty(folder())) << signal;
  }
}

TEST_F(Unfinished, WhatHasANameAlreadyIsRemovedWithTheRest) {
  // Several at once, each as it is between its name and its place.
  std::array<TemporaryFile, 3> files = {
      TemporaryFile(folder(), 0600), {folder(), 0600}, {folder(), 0600}};
  for (TemporaryFile& file : files) {
    ASSERT_GE(file.descriptor(), 0);
    EXPECT_EQ(file.rename_to(at("missing/b")), ENOENT);
    ::close(file.descriptor());
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 3);
  remove_unfinished_files();
  EXPECT_TRUE(fs::is_empty(folder()));
}

TEST_F(Unfinished, AFinishedFileIsNotRemoved) {
  write_file(at("a"), "whole");
  remove_unfinished_files();
  EXPECT_EQ(slurp("a"), "whole");
}

TEST_F(Unfinished, TheGroupIsKeptWhereItMayBeAndElseNoOtherGetsItsRights) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs several groups";
  ASSERT_EQ(::chmod(folder().c_str(), 0777), 0);
  for (const bool member : {true, false}) {
    fs::remove(at("a"));
    put("a", "old", 0662);
    ASSERT_EQ(::chown(at("a").c_str(), 12345, 23456), 0);
    EXPECT_EQ(in_a_child([&] {
                const std::array<gid_t, 1> groups = {23456};
                if (::setgroups(member ? 1 : 0, groups.data()) != 0 || ::setgid(34567) != 0 ||
                    ::setuid(45678) != 0)
                  return false;
                write_file(at("a"), "new");
                return true;
              }),
              0);
    struct stat after {};
    ASSERT_EQ(::stat(at("a").c_str(), &after), 0);
    EXPECT_EQ(slurp("a"), "new");
    EXPECT_EQ(after.st_gid, member ? 23456U : 34567U);
    EXPECT_EQ(after.st_mode & 0777U, member ? 0662U : 0622U);
  }
}

TEST_F(Unfinished, StandardInputIsReadFromWhereItStandsWhateverItIs) {
  put("a", "skipped the rest");
  for (const char* name : {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}) {
    EXPECT_EQ(in_a_child([&] {
                const int file = ::open(at("a").c_str(), O_RDONLY);
                if (::lseek(file, 8, SEEK_SET) != 8 || ::dup2(file, STDIN_FILENO) != 0)
                  return false;
                const auto input = open_input(name);
                std::string bytes(input->size(), '\0');
                input->read(0, bytes);
                return bytes == "the rest" && read_file(name, 100) == "the rest";
              }),
              0)
        << name;
    EXPECT_EQ(in_a_child([&] {  // a socket has no name that could be opened
                std::array<int, 2> ends{};
                if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return false;
                if (::write(ends[1], "sent", 4) != 4 || ::shutdown(ends[1], SHUT_WR) != 0)
                  return false;
                return ::dup2(ends[0], STDIN_FILENO) == 0 && open_input(name)->size() == 4;
              }),
              0)
        << name;
  }
}

}  // namespace
}  // namespace rope::io
