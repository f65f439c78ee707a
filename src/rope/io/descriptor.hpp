#pragma once

// What reading and writing files share; nothing for other layers.

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <string>
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

  /// Returns 0 or the error. After EINTR the descriptor is closed all the same.
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

inline std::string system_words(int code) { return std::generic_category().message(code); }

}  // namespace rope::io
