#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "support/outcome.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

using test::Outcome, test::outcome;

std::string slurp(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

unsigned mode_of(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

std::string numbered(std::size_t bytes) {
  std::string text(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>(i * 31 + i / 251);
  return text;
}

/// A pipe whose ends are closed at the end.
struct Pipe {
  Pipe() { EXPECT_EQ(::pipe(ends.data()), 0); }
  ~Pipe() {
    close_reader();
    ::close(ends[1]);
  }
  void close_reader() {
    if (ends[0] >= 0) ::close(ends[0]);
    ends[0] = -1;
  }
  std::string name() const { return "/dev/fd/" + std::to_string(ends[1]); }

  /// Writes to the pipe by `action` while a thread reads slowly until `bytes` bytes came.
  std::string read_while(std::size_t bytes, const std::function<void()>& action) {
    std::string received;
    std::thread reader([&] {
      std::array<char, 3000> buffer{};
      while (received.size() < bytes) {
        const ssize_t length = ::read(ends[0], buffer.data(), buffer.size());
        if (length < 0 && errno == EINTR) continue;
        if (length <= 0) break;
        received.append(buffer.data(), static_cast<std::size_t>(length));
        ::usleep(20);
      }
    });
    action();
    reader.join();
    return received;
  }

  std::array<int, 2> ends{-1, -1};
};

/// Lets root act as another user, whom permissions stop.
class EffectiveUser {
 public:
  explicit EffectiveUser(uid_t user) : before_(::geteuid()) {
    if (before_ == 0) {
      EXPECT_EQ(::seteuid(user), 0);
    }
  }
  ~EffectiveUser() {
    if (before_ == 0) {
      EXPECT_EQ(::seteuid(0), 0);
    }
  }

 private:
  uid_t before_;
};

/// A folder of its own, with the signals as the program sets them. No test may leave a file of
/// which it does not know.
class File : public testing::Test {
 protected:
  File() : umask_(::umask(022)) {
    std::string name = testing::TempDir() + "rope-io-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    fs::permissions(folder_, fs::perms{0755});
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
  }
  ~File() override {
    ::umask(umask_);
    fs::permissions(folder_, fs::perms{0755});
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (fs::is_directory(entry.symlink_status())) fs::permissions(entry, fs::perms{0755});
    }
    fs::remove_all(folder_);
  }

  std::string at(const std::string& name) const { return folder_ + "/" + name; }

  Names listing(const std::string& sub = ".") const {
    Names names;
    for (const auto& entry : fs::directory_iterator(folder_ + "/" + sub)) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Expects that both the early check and the write refuse, in the same words.
  static Outcome refusal(const std::string& path) {
    const Outcome early = outcome([&] { check_writable(path); });
    const Outcome late = outcome([&] { write_file(path, "new"); });
    EXPECT_NE(late.what, "accepted");
    EXPECT_EQ(early.what, late.what);
    EXPECT_EQ(early.remedy, late.remedy);
    return late;
  }

 private:
  std::string folder_;
  mode_t umask_;
};

TEST_F(File, WritesWhatItIsGiven) {
  const std::string bytes = numbered(300000);
  write_file(at("a.bin"), bytes);
  EXPECT_EQ(slurp(at("a.bin")), bytes);
  write_file(at("a.bin"), "");
  EXPECT_EQ(slurp(at("a.bin")), "");
  EXPECT_EQ(listing(), Names{"a.bin"});
}

TEST_F(File, ReplacesTheFileAndDoesNotWriteIntoIt) {
  put(at("a"), "old");
  std::ifstream reader(at("a"));
  write_file(at("a"), "newer");
  std::string seen;
  reader >> seen;
  EXPECT_EQ(seen, "old") << "who has the old file open keeps it whole";
  EXPECT_EQ(slurp(at("a")), "newer");
}

TEST_F(File, WritesANameWithoutAFolderIntoTheCurrentOne) {
  const fs::path before = fs::current_path();
  fs::current_path(at("."));
  const Outcome result = outcome([] { write_file("bare", "x"); });
  fs::current_path(before);
  EXPECT_EQ(result.what, "accepted");
  EXPECT_EQ(listing(), Names{"bare"});
}

TEST_F(File, WritesANameAsLongAsNamesCanBe) {
  write_file(at(std::string(255, 'n')), "x");
  EXPECT_EQ(slurp(at(std::string(255, 'n'))), "x");
  EXPECT_NE(refusal(at(std::string(256, 'n'))).what.find("File name too long"), std::string::npos);
}

TEST_F(File, GivesANewFileTheRightsOfTheUmask) {
  ::umask(027);
  write_file(at("new"), "x");
  EXPECT_EQ(mode_of(at("new")), 0640U);
  ::umask(0);
  write_file(at("open"), "x");
  EXPECT_EQ(mode_of(at("open")), 0666U);
}

TEST_F(File, KeepsThePermissionsOfAnExistingFile) {
  for (const unsigned mode : {0600U, 0666U, 0755U}) {
    put(at("a"), "old");
    fs::permissions(at("a"), fs::perms{mode});
    write_file(at("a"), "new");
    EXPECT_EQ(mode_of(at("a")), mode);
  }
}

TEST_F(File, KeepsTheOwnerWhenItMay) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  put(at("a"), "old");
  ASSERT_EQ(::chown(at("a").c_str(), 12345, 23456), 0);
  write_file(at("a"), "new");
  struct stat status {};
  ASSERT_EQ(::stat(at("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 12345U);
  EXPECT_EQ(status.st_gid, 23456U);
}

TEST_F(File, ReplacesWhatASymbolicLinkPointsTo) {
  fs::create_directory(at("data"));
  put(at("data/real"), "old");
  fs::create_symlink("data/second", at("first"));
  fs::create_symlink("real", at("data/second"));
  write_file(at("first"), "new");
  EXPECT_TRUE(fs::is_symlink(at("first")));
  EXPECT_TRUE(fs::is_symlink(at("data/second")));
  EXPECT_EQ(slurp(at("data/real")), "new");
  EXPECT_EQ(listing("data"), (Names{"real", "second"}));
}

TEST_F(File, CreatesWhatADanglingSymbolicLinkPointsTo) {
  fs::create_directory(at("data"));
  fs::create_symlink(at("data/none"), at("link"));
  write_file(at("link"), "new");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(slurp(at("data/none")), "new");
}

TEST_F(File, RefusesSymbolicLinksThatGoInACircle) {
  fs::create_symlink("b", at("a"));
  fs::create_symlink("a", at("b"));
  EXPECT_NE(refusal(at("a")).what.find("Too many levels of symbolic links"), std::string::npos);
  EXPECT_EQ(listing(), (Names{"a", "b"}));
}

TEST_F(File, NamesTheFolderThatDoesNotExist) {
  const Outcome result = refusal(at("x/decay.csv"));
  EXPECT_EQ(result.what, "cannot write '" + at("x/decay.csv") + "': No such file or directory");
  EXPECT_EQ(result.remedy,
            "the folder '" + at("x") + "' does not exist: create it, or name another");
  EXPECT_EQ(result.kind, ErrorKind::system);
  EXPECT_EQ(refusal(at("x/")).remedy, result.remedy);
  EXPECT_EQ(listing(), Names{});
}

TEST_F(File, RefusesAPathThroughAFile) {
  put(at("a"), "old");
  EXPECT_EQ(refusal(at("a/b")).what, "cannot write '" + at("a/b") + "': Not a directory");
  fs::create_symlink("a/b", at("link"));
  EXPECT_NE(refusal(at("link")).what, "accepted");
  EXPECT_EQ(slurp(at("a")), "old");
}

TEST_F(File, RefusesADirectory) {
  fs::create_directory(at("sub"));
  EXPECT_EQ(refusal(at("sub")).what, "cannot write '" + at("sub") + "': Is a directory");
  EXPECT_EQ(refusal(at("sub/")).remedy, "it is a folder: name a file in it");
  EXPECT_EQ(listing("sub"), Names{});
}

TEST_F(File, RefusesAnEmptyNameAndANulByte) {
  EXPECT_EQ(refusal("").kind, ErrorKind::invalid_input);
  EXPECT_EQ(refusal(at("a") + '\0' + "b").kind, ErrorKind::invalid_input);
  EXPECT_EQ(listing(), Names{});
}

TEST_F(File, RefusesWithoutTheRightToWrite) {
  put(at("read-only"), "old");
  fs::permissions(at("read-only"), fs::perms{0444});
  fs::create_directory(at("closed"));
  put(at("closed/open"), "old");
  fs::permissions(at("closed/open"), fs::perms{0666});
  fs::permissions(at("closed"), fs::perms{0555});
  fs::permissions(at("."), fs::perms{0777});
  const EffectiveUser nobody(65534);
  const Outcome file = refusal(at("read-only"));
  const Outcome folder = refusal(at("closed/new"));
  const Outcome both = refusal(at("closed/open"));
  EXPECT_EQ(file.what, "cannot write '" + at("read-only") + "': Permission denied");
  EXPECT_EQ(folder.what, "cannot write '" + at("closed/new") + "': Permission denied");
  EXPECT_EQ(both.what, "cannot write '" + at("closed/open") + "': Permission denied");
  EXPECT_EQ(
      file.remedy,
      "you do not have permission to write there: choose another place, or change its permissions");
  EXPECT_EQ(slurp(at("read-only")), "old");
  EXPECT_EQ(listing("closed"), Names{"open"});
}

TEST_F(File, LeavesTheOldFileAndNothingElseWhenTheWriteFailsMidway) {
  put(at("a"), "old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{10000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Outcome old_file = outcome([&] { write_file(at("a"), numbered(20000)); });
  const Outcome new_file = outcome([&] { write_file(at("b"), numbered(20000)); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(old_file.what, "cannot write '" + at("a") + "': File too large");
  EXPECT_EQ(old_file.remedy, "the file would be larger than allowed: see ulimit -f, or write less");
  EXPECT_EQ(new_file.what, "cannot write '" + at("b") + "': File too large");
  EXPECT_EQ(slurp(at("a")), "old");
  EXPECT_EQ(listing(), Names{"a"});
}

TEST_F(File, RefusesBeforeTheWorkWhatOnlyItsOwnerMayReplace) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs a file of another user";
  fs::create_directory(at("sticky"));
  put(at("sticky/a"), "old");
  fs::permissions(at("sticky/a"), fs::perms{0666});
  // Here everyone may write, but only the owner may replace.
  fs::permissions(at("sticky"), fs::perms{01777});
  const EffectiveUser nobody(65534);
  EXPECT_EQ(refusal(at("sticky/a")).what,
            "cannot write '" + at("sticky/a") + "': Operation not permitted");
  EXPECT_EQ(slurp(at("sticky/a")), "old");
  EXPECT_EQ(listing("sticky"), Names{"a"});
}

TEST_F(File, LeavesTheOldFileWhenNoFileCanBeOpened) {
  put(at("a"), "old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const Outcome result = outcome([&] { write_file(at("a"), "new"); });
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(result.what, "cannot write '" + at("a") + "': Too many open files");
  EXPECT_EQ(slurp(at("a")), "old");
}

TEST_F(File, WritesADeviceDirectlyAndSeesItsErrors) {
  const Outcome result = outcome([] { write_file("/dev/full", "x"); });
  EXPECT_EQ(result.what, "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(result.remedy, "the disk is full: free some space, or choose another place");
  EXPECT_EQ(outcome([] { check_writable("/dev/full"); }).what, "accepted");
  const EffectiveUser nobody(65534);  // who may write to the device, but not to its folder
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(File, WritesANamedPipeDirectly) {
  ASSERT_EQ(::mkfifo(at("fifo").c_str(), 0600), 0);
  check_writable(at("fifo"));  // must not wait for a reader
  std::string received;
  std::thread reader([&] { received = read_file(at("fifo"), 1000); });
  write_file(at("fifo"), "through the pipe");
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(at("fifo")));
}

TEST_F(File, WritesStandardOutputAfterWhatWasPrintedBefore) {
  std::fflush(stdout);
  const int saved = ::dup(STDOUT_FILENO);
  const int file = ::open(at("out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ASSERT_EQ(::dup2(file, STDOUT_FILENO), STDOUT_FILENO);
  std::fputs("printed, ", stdout);
  check_writable("-");
  write_file("-", "written, ");
  write_file("/dev/stdout", "appended");
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  ::close(file);
  EXPECT_EQ(slurp(at("out")), "printed, written, appended");
  EXPECT_EQ(listing(), Names{"out"});
}

TEST_F(File, SeesThatStandardOutputIsFull) {
  std::fflush(stdout);
  const int saved = ::dup(STDOUT_FILENO);
  const int full = ::open("/dev/full", O_WRONLY);
  ::dup2(full, STDOUT_FILENO);
  const Outcome result = outcome([] { write_file("-", "x"); });
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  ::close(full);
  EXPECT_EQ(result.what, "cannot write standard output: No space left on device");
}

TEST_F(File, SeesThatTheReaderOfAPipeIsGone) {
  Pipe pipe;
  pipe.close_reader();
  const Outcome result = outcome([&] { write_file(pipe.name(), "x"); });
  EXPECT_EQ(result.what, "cannot write '" + pipe.name() + "': Broken pipe");
  EXPECT_EQ(result.kind, ErrorKind::system);
  EXPECT_EQ(result.remedy, "the program reading the output exited before reading all of it");
}

TEST_F(File, RefusesADescriptorThatIsClosedOrOnlyForReading) {
  const Pipe pipe;
  EXPECT_NE(refusal("/dev/fd/" + std::to_string(pipe.ends[0])).what.find("Bad file descriptor"),
            std::string::npos);
  EXPECT_NE(refusal("/dev/fd/987654").what.find("Bad file descriptor"), std::string::npos);
}

TEST_F(File, WritesOnAfterAnInterruptionAndAShortWrite) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {};  // no SA_RESTART: system calls return EINTR
  ASSERT_EQ(::sigaction(SIGALRM, &action, &before), 0);
  const itimerval often{{0, 200}, {0, 200}};
  const itimerval never{};
  const std::string bytes = numbered(3'000'000);
  Pipe pipe;
  ASSERT_EQ(::setitimer(ITIMER_REAL, &often, nullptr), 0);
  const std::string received =
      pipe.read_while(bytes.size(), [&] { write_file(pipe.name(), bytes); });
  ASSERT_EQ(::setitimer(ITIMER_REAL, &never, nullptr), 0);
  ::sigaction(SIGALRM, &before, nullptr);
  EXPECT_TRUE(received == bytes) << received.size() << " bytes came";
}

TEST_F(File, WaitsForADescriptorThatDoesNotBlock) {
  const std::string bytes = numbered(1'000'000);
  Pipe pipe;
  ASSERT_EQ(::fcntl(pipe.ends[1], F_SETFL, O_WRONLY | O_NONBLOCK), 0);
  const std::string received =
      pipe.read_while(bytes.size(), [&] { write_file(pipe.name(), bytes); });
  EXPECT_TRUE(received == bytes) << received.size() << " bytes came";
}

TEST_F(File, ChecksWithoutCreatingOrChangingAnything) {
  put(at("a"), "old");
  check_writable(at("a"));
  check_writable(at("new"));
  EXPECT_EQ(slurp(at("a")), "old");
  EXPECT_EQ(listing(), Names{"a"});
}

TEST_F(File, ReadsAFileUpToTheLimit) {
  const std::string bytes = numbered(200000);
  put(at("a"), bytes);
  EXPECT_EQ(read_file(at("a"), bytes.size()), bytes);
  const Outcome result = outcome([&] { read_file(at("a"), bytes.size() - 1); });
  EXPECT_EQ(result.what,
            "cannot read '" + at("a") + "': expected at most 199999 bytes, found more");
  EXPECT_EQ(result.kind, ErrorKind::invalid_input);
  put(at("empty"), "");
  EXPECT_EQ(read_file(at("empty"), 0), "");
}

TEST_F(File, ReadsFilesWhoseSizeIsNotKnown) {
  EXPECT_NE(read_file("/proc/self/status", 100000), "");
  EXPECT_EQ(outcome([] { read_file("/dev/zero", 100000); }).kind, ErrorKind::invalid_input);
}

TEST_F(File, RefusesToReadWhatIsMissingOrADirectory) {
  const Outcome missing = outcome([&] { read_file(at("none"), 10); });
  EXPECT_EQ(missing.what, "cannot read '" + at("none") + "': No such file or directory");
  EXPECT_EQ(missing.remedy, "check the name and the folder it is in");
  EXPECT_EQ(missing.kind, ErrorKind::system);
  EXPECT_EQ(outcome([&] { read_file(at("."), 10); }).what,
            "cannot read '" + at(".") + "': Is a directory");
  put(at("a"), "old");
  EXPECT_NE(outcome([&] { read_file(at("a") + '\0' + "b", 10); }).what, "accepted");
}

}  // namespace
}  // namespace rope::io
