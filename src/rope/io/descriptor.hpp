#pragma once

// Shared by the code that reads files and the code that writes them; not meant for other code.

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace rope::io {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { static_cast<void>(close()); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;

  int number() const { return number_; }

  /// Returns 0 or the error. The descriptor is closed even after EINTR.
  int close() {
    if (number_ < 0) return 0;
    const int result = ::close(number_);
    number_ = -1;
    return result == 0 || errno == EINTR ? 0 : errno;
  }

 private:
  int number_;
};

inline int open_retrying(const std::string& path, int flags, mode_t mode = 0) {
  int number = -1;
  do {
    number = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode);
  } while (number < 0 && errno == EINTR);
  return number;
}

/// The number of the open descriptor that `path` names; "-" means `standard`. Opening such a name
/// as a file would start again at the first byte, fail for a socket, and check permissions again.
inline std::optional<int> descriptor_named(std::string_view path, int standard) {
  if (path == "-") return standard;
  if (path == "/dev/stdin") return STDIN_FILENO;
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* const end = path.data() + path.size();
    const auto parsed = std::from_chars(path.data() + folder.size(), end, number);
    if (parsed.ec == std::errc{} && parsed.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

/// A new descriptor for reading the file or the open descriptor that `path` names; negative, with
/// the reason in errno, if there is none.
inline int open_to_read(const std::string& path) {
  const std::optional<int> open = descriptor_named(path, STDIN_FILENO);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  return open ? ::fcntl(*open, F_DUPFD_CLOEXEC, 3) : open_retrying(path, O_RDONLY);
}

inline std::string system_words(int code) { return std::generic_category().message(code); }

}  // namespace rope::io
