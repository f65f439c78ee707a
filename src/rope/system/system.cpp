#include "rope/system/system.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <thread>

// The page has the names of Linux: apps/page/core/system.cpp.
#if (defined(__linux__) || defined(__EMSCRIPTEN__)) && !defined(ROPE_PORTABLE)
#define ROPE_LINUX
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>

#include <csignal>
#endif

namespace rope::system {

#ifdef ROPE_LINUX

namespace {

/// The name by which the system knows an open file that has none in any folder.
std::string system_name(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

}  // namespace

bool uses_linux() noexcept { return true; }

int open_nameless(const std::string& folder, mode_t mode) {
  int descriptor = -1;
  do {  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    descriptor = ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC | O_NOCTTY, mode);
  } while (descriptor < 0 && errno == EINTR);
  struct stat status {};
  if (descriptor < 0 || ::stat(system_name(descriptor).c_str(), &status) == 0) return descriptor;
  ::close(descriptor);  // without /proc it could not be given a name later
  return -1;
}

int name_file(int descriptor, const std::string& name) {
  const std::string from = system_name(descriptor);
  return ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0
                                                                                          : errno;
}

std::optional<std::uint64_t> random_number() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != ssize_t{sizeof number}) return std::nullopt;
  return number;
}

int open_anonymous() { return ::memfd_create("rope", MFD_CLOEXEC); }

int open_pipe(std::array<int, 2>* ends) {
  return ::pipe2(ends->data(), O_CLOEXEC) == 0 ? 0 : errno;
}

int end_with_parent() noexcept {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  return ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 ? 0 : errno;
}

void begin_to_write_back(int descriptor, off_t from, off_t size) noexcept {
  static_cast<void>(::sync_file_range(descriptor, from, size, SYNC_FILE_RANGE_WRITE));
}

std::size_t processors() {
#if !defined(__EMSCRIPTEN__)
  // Most C libraries count the processors of the machine instead (of glibc all but 2.34).
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    return static_cast<std::size_t>(CPU_COUNT(&allowed));
#endif
  return std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

#else

namespace {

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
bool close_by_exec(int descriptor) { return ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0; }

}  // namespace

bool uses_linux() noexcept { return false; }

int open_nameless(const std::string& /*folder*/, mode_t /*mode*/) {
  errno = ENOTSUP;
  return -1;
}

int name_file(int /*descriptor*/, const std::string& /*name*/) { return ENOTSUP; }

std::optional<std::uint64_t> random_number() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  const int source = ::open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (source < 0) return std::nullopt;
  std::uint64_t number = 0;
  const bool whole = ::read(source, &number, sizeof number) == ssize_t{sizeof number};
  ::close(source);
  return whole ? std::optional(number) : std::nullopt;
}

int open_anonymous() {
  const char* folder = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
  std::string name =
      std::string(folder == nullptr || *folder == '\0' ? "/tmp" : folder) + "/rope-XXXXXX";
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) return -1;
  const int failed = ::unlink(name.c_str()) == 0 && close_by_exec(descriptor) ? 0 : errno;
  if (failed == 0) return descriptor;
  ::close(descriptor);
  errno = failed;
  return -1;
}

int open_pipe(std::array<int, 2>* ends) {
  if (::pipe(ends->data()) != 0) return errno;
  if (close_by_exec((*ends)[0]) && close_by_exec((*ends)[1])) return 0;
  const int failed = errno;
  for (const int end : *ends) ::close(end);
  return failed;
}

int end_with_parent() noexcept { return 0; }

void begin_to_write_back(int /*descriptor*/, off_t /*from*/, off_t /*size*/) noexcept {}

std::size_t processors() { return std::max<std::size_t>(std::thread::hardware_concurrency(), 1); }

#endif

}  // namespace rope::system
