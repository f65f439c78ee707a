#include "rope/plot/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>

#include "rope/error.hpp"
#include "rope/plot/signals_blocked.hpp"
#include "rope/system/system.hpp"

#ifndef __linux__
extern "C" char** environ;
#endif

namespace rope::plot {
namespace {

constexpr off_t kMostOutput = off_t{1} << 30;
constexpr int kNotStarted = 127;  // as a shell's

std::string reason(int code) { return std::generic_category().message(code); }

/// A file in memory, which takes any amount without a reader: so no pipe can block or break.
class MemoryFile {
 public:
  MemoryFile() {
    const int first = system::open_anonymous();
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
      if (n <= 0)
        throw SystemError("cannot write to a file in memory (" + reason(errno) + ")",
                          errno == EFBIG ? "it would be larger than allowed: see ulimit -f" : "");
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
        named("LC_") || named("FC_LANG=") || named("TZ=")) {
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

/// Signals as a fresh program has them; what our caller ignores stays ignored. The two that this
/// program may ignore for itself would let the child write on into nothing.
void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0) continue;
    const bool ignored = action.sa_handler == SIG_IGN && signal != SIGPIPE && signal != SIGXFSZ;
    if (ignored) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// In the child: its streams, its end with ours, and the program. Only calls that are allowed
/// between fork and exec; returns the reason if there is no such program.
int become(pid_t parent, const std::array<int, 3>& streams, char* const* command,
           char** environment) {
  // Nobody waits for it if we are gone, and nobody ends it after its time. A parent that ended
  // before this call is not noticed by it.
  if (const int code = system::end_with_parent(); code != 0) return code;
  if (getppid() != parent) _exit(kNotStarted);
  for (int stream = 0; stream < 3; ++stream)
    if (dup2(streams[static_cast<std::size_t>(stream)], stream) < 0) return errno;
  reset_signals();
  environ = environment;
  execvp(*command, command);
  return errno;
}

/// Starts a program with three memory files as its streams.
///
/// By fork and not by posix_spawn, which cannot tie the child's life to ours.
pid_t spawn(std::vector<std::string> command, const std::vector<std::string>& added,
            const std::array<int, 3>& streams) {
  std::vector<std::string> environment = child_environment();
  environment.insert(environment.end(), added.begin(), added.end());
  const std::vector<char*> words = pointers(&command);
  std::vector<char*> variables = pointers(&environment);
  const pid_t parent = getpid();
  std::array<int, 2> report{};  // the reason of a failure; closed by a success
  if (const int code = system::open_pipe(&report); code != 0)
    throw SystemError(fmt::format("cannot start {} ({})", command.front(), reason(code)));
  pid_t child = 0;
  {
    const SignalsBlocked blocked;
    child = fork();
    if (child == 0) {
      const int code = become(parent, streams, words.data(), variables.data());
      _exit(write(report[1], &code, sizeof code) == sizeof code ? kNotStarted : kNotStarted + 1);
    }
  }
  int code = child < 0 ? errno : 0;
  close(report[1]);
  if (child > 0) {
    while (read(report[0], &code, sizeof code) < 0 && errno == EINTR) {
    }
  }
  close(report[0]);
  if (code == 0) return child;
  if (child > 0) waitpid(child, nullptr, 0);
  throw SystemError(fmt::format("cannot start {} ({})", command.front(), reason(code)));
}

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
      throw SystemError(
          fmt::format("cannot find out how a child process ended ({})", reason(errno)),
          "start the program without ignoring SIGCHLD");
    }
    result->timed_out = result->timed_out || std::chrono::steady_clock::now() > end;
    result->too_much = result->too_much || out.size() > kMostOutput || err.size() > kMostOutput;
    if (result->timed_out || result->too_much) kill(child, SIGKILL);
    std::this_thread::sleep_for(nap);
    nap = std::min(nap * 2, std::chrono::milliseconds(10));
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, std::string_view input,
                          std::chrono::milliseconds timeout,
                          const std::vector<std::string>& variables) {
  const MemoryFile in;
  const MemoryFile out;
  const MemoryFile err;
  in.fill(input);
  const pid_t child =
      spawn(command, variables, {in.descriptor(), out.descriptor(), err.descriptor()});
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
