#include "rope/plot/temporary_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "rope/error.hpp"
#include "rope/plot/signals_blocked.hpp"
#include "rope/system/system.hpp"

namespace rope::plot {
namespace {

// Of the one folder that is in use; a handler of signals reads them.
std::atomic<const char*> in_use = nullptr;
std::atomic<int> open_end = -1;  // of the pipe whose other end the guard reads
std::atomic<pid_t> guard = -1;

/// Removes the folder with the files that it may hold. Only calls that are allowed between fork and
/// exec, and in a handler of signals.
bool remove_names(const char* folder, const std::vector<std::string>& files) {
  for (const std::string& file : files) ::unlink(file.c_str());
  return ::rmdir(folder) == 0 || errno == ENOENT;
}

/// In the guard: waits until the pipe's other end is closed, by us or by our end. A program that
/// still runs may make one more file after that, so it tries for a second.
[[noreturn]] void stand_guard(int pipe, const char* folder, const std::vector<std::string>& files) {
  ::setsid();  // what ends our group does not end it
  constexpr int kMostDescriptors = 1024;
  for (int descriptor = 0; descriptor < kMostDescriptors; ++descriptor)
    if (descriptor != pipe) ::close(descriptor);
  char byte = 0;
  while (::read(pipe, &byte, 1) < 0 && errno == EINTR) {
  }
  constexpr timespec kNap = {0, 10'000'000};
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    if (remove_names(folder, files)) _exit(0);
    ::nanosleep(&kNap, nullptr);
  }
  _exit(1);
}

/// Lets the guard go to work and waits for it. False if the folder may still be there.
bool end_guard() {
  const pid_t waiting = guard.exchange(-1);
  const int end = open_end.exchange(-1);
  if (end >= 0) ::close(end);
  if (waiting < 0) return false;
  int status = 0;
  while (::waitpid(waiting, &status, 0) < 0)
    if (errno != EINTR) return false;  // its end went by unseen, as where SIGCHLD is ignored
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::vector<std::string>& names) {
  const auto fail = [](const std::string& why) {
    throw SystemError(fmt::format("cannot make a folder for the frames ({})", why),
                      "set TMPDIR to choose where this folder is made");
  };
  std::error_code error;
  path_ = (std::filesystem::temp_directory_path(error) / "rope-XXXXXX").string();
  if (error) fail(error.message());
  std::array<int, 2> pipe = {-1, -1};
  if (const int code = system::open_pipe(&pipe); code != 0)
    fail(std::generic_category().message(code));
  const SignalsBlocked blocked;  // none falls between the folder and its guard
  if (::mkdtemp(path_.data()) == nullptr) {
    const int code = errno;
    ::close(pipe[0]);
    ::close(pipe[1]);
    fail(std::generic_category().message(code));
  }
  files_.reserve(names.size());
  for (const std::string& name : names) files_.push_back(file(name));
  const pid_t child = ::fork();
  if (child == 0) stand_guard(pipe[0], path_.c_str(), files_);
  ::close(pipe[0]);
  guard = child;  // without one the folder is removed by ourselves, but for a sudden end
  open_end = pipe[1];
  in_use = path_.c_str();
}

TemporaryFolder::~TemporaryFolder() { remove(); }

bool TemporaryFolder::remove() {
  in_use = nullptr;
  return end_guard() || remove_names(path_.c_str(), files_);
}

void remove_unfinished_folder() noexcept {
  const char* const folder = in_use.exchange(nullptr);
  if (folder == nullptr || end_guard() || ::access(folder, F_OK) != 0) return;
  for (const char* const part : {"rope: cannot remove the folder ", folder, "\n"})
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) return;
}

}  // namespace rope::plot
