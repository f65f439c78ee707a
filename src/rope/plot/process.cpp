#include "rope/plot/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>

#include "rope/error.hpp"

namespace rope::plot {
namespace {

constexpr off_t kMostOutput = off_t{1} << 30;

std::string reason(int code) { return std::generic_category().message(code); }

/// A file in memory, which takes any amount without a reader: so no pipe can block or break.
class MemoryFile {
 public:
  MemoryFile() {
    const int first = memfd_create("rope", MFD_CLOEXEC);
    // Above the standard streams, which the child's copies must not overwrite.
    descriptor_ = first < 0 ? -1 : fcntl(first, F_DUPFD_CLOEXEC, 3);
    const int code = errno;
    if (first >= 0) close(first);
    if (descriptor_ < 0) throw SystemError("cannot make a file in memory (" + reason(code) + ")");
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  MemoryFile(MemoryFile&&) = delete;
  MemoryFile& operator=(MemoryFile&&) = delete;

  int descriptor() const { return descriptor_; }

  off_t size() const {
    struct stat status = {};
    return fstat(descriptor_, &status) == 0 ? status.st_size : 0;
  }

  void fill(std::string_view bytes) const {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t n = write(descriptor_, bytes.data() + done, bytes.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) throw SystemError("cannot fill a file in memory (" + reason(errno) + ")");
      done += static_cast<std::size_t>(n);
    }
    lseek(descriptor_, 0, SEEK_SET);
  }

  std::string contents() const {
    std::string bytes(static_cast<std::size_t>(std::min(size(), kMostOutput)), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t n =
          pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
    bytes.resize(done);
    return bytes;
  }

 private:
  int descriptor_ = -1;
};

/// Our environment less what would change a picture: language, time zone and gnuplot's own
/// settings.
std::vector<std::string> child_environment() {
  std::vector<std::string> kept;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const auto named = [&](std::string_view start) {
      return variable.substr(0, start.size()) == start;
    };
    if (named("GNUPLOT") || named("GNUTERM=") || named("GDFONTPATH=") || named("LANG") ||
        named("LC_") || named("TZ=")) {
      continue;
    }
    kept.emplace_back(variable);
  }
  kept.emplace_back("LC_ALL=C.UTF-8");
  kept.emplace_back("TZ=UTC");
  return kept;
}

std::vector<char*> pointers(std::vector<std::string>* strings) {
  std::vector<char*> result;
  for (std::string& s : *strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

/// What the child gets: three memory files as its streams, and signals as a fresh program has them.
class SpawnSettings {
 public:
  SpawnSettings(const MemoryFile& in, const MemoryFile& out, const MemoryFile& err) {
    posix_spawn_file_actions_init(&files_);
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_adddup2(&files_, in.descriptor(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files_, out.descriptor(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files_, err.descriptor(), STDERR_FILENO);
    sigset_t none;
    sigemptyset(&none);
    sigset_t standard;
    sigemptyset(&standard);
    sigaddset(&standard, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &standard);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSettings() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&files_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  SpawnSettings(SpawnSettings&&) = delete;
  SpawnSettings& operator=(SpawnSettings&&) = delete;

  pid_t spawn(std::vector<std::string> command) const {
    std::vector<std::string> environment = child_environment();
    pid_t child = 0;
    const std::string name = command.front();
    const int code = posix_spawnp(&child, name.c_str(), &files_, &attributes_,
                                  pointers(&command).data(), pointers(&environment).data());
    if (code != 0) throw SystemError(fmt::format("cannot start {} ({})", name, reason(code)));
    return child;
  }

 private:
  posix_spawn_file_actions_t files_ = {};
  posix_spawnattr_t attributes_ = {};
};

/// Waits in short naps, since no other wait on a process has a time limit everywhere.
int wait_for(pid_t child, const MemoryFile& out, const MemoryFile& err,
             std::chrono::milliseconds timeout, ProcessResult* result) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  auto nap = std::chrono::milliseconds(1);
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) {
      throw SystemError(fmt::format("cannot learn how a child process ended ({})", reason(errno)),
                        "start the program without SIGCHLD being ignored");
    }
    if (!result->timed_out && (std::chrono::steady_clock::now() > end || out.size() > kMostOutput ||
                               err.size() > kMostOutput)) {
      result->timed_out = true;
      kill(child, SIGKILL);
    }
    std::this_thread::sleep_for(nap);
    nap = std::min(nap * 2, std::chrono::milliseconds(10));
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, std::string_view input,
                          std::chrono::milliseconds timeout) {
  const MemoryFile in;
  const MemoryFile out;
  const MemoryFile err;
  in.fill(input);
  const pid_t child = SpawnSettings(in, out, err).spawn(command);
  ProcessResult result;
  const int status = wait_for(child, out, err, timeout, &result);
  if (WIFSIGNALED(status)) {
    result.signal = WTERMSIG(status);
  } else {
    result.exit_code = WEXITSTATUS(status);
  }
  result.output = out.contents();
  result.messages = err.contents();
  return result;
}

}  // namespace rope::plot
