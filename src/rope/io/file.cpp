#include "rope/io/file.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "rope/error.hpp"
#include "rope/io/descriptor.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/temporary_file.hpp"
#include "rope/system/system.hpp"

namespace rope::io {
namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool folder_exists(const std::string& folder) {
  struct stat status {};
  return ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::string write_remedy(int code, const std::string& folder) {
  switch (code) {
    case ENOENT:
      if (folder_exists(folder))
        return fmt::format("no file can be created in the folder {}: choose another place",
                           in_quotes(folder, PATH_MAX));
      return fmt::format("the folder {} does not exist: create it, or name another",
                         in_quotes(folder, PATH_MAX));
    case ENOTDIR:
      return "part of the path is a file, not a folder: choose another place";
    case EISDIR:
      return "it is a folder: name a file in it";
    case EACCES:
    case EPERM:
      return "you do not have permission to write there: choose another place, or change its "
             "permissions";
    case EROFS:
      return "this file system is read-only: choose another place";
    case ENOSPC:
    case EDQUOT:
      return "the disk is full: free some space, or choose another place";
    case EFBIG:
      return "the file would be larger than allowed: see ulimit -f, or write less";
    case EPIPE:
      return "the program reading the output exited before reading all of it";
    case ENAMETOOLONG:
      return "choose a shorter name";
    default:
      return {};
  }
}

[[noreturn]] void fail_write(const std::string& path, int code, const std::string& target) {
  throw SystemError(
      fmt::format("cannot write {}: {}",
                  path == "-" ? "standard output" : in_quotes(path, PATH_MAX), system_words(code)),
      write_remedy(code, folder_of(target)));
}

[[noreturn]] void fail_write(const std::string& path, int code) { fail_write(path, code, path); }

/// Returns 0 or the error. A descriptor that does not block (a terminal another program left so)
/// is waited for.
int write_all(int number, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(number, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0) {
      return EIO;
    } else if (errno == EAGAIN) {
      pollfd ready{number, POLLOUT, 0};
      if (::poll(&ready, 1, -1) < 0 && errno != EINTR) return errno;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

/// Returns 0 or the error. Some file systems have no fsync: that is not a failure.
int sync_to_disk(int number) {
  while (::fsync(number) != 0) {
    if (errno == EINVAL || errno == ENOSYS || errno == ENOTSUP) return 0;
    if (errno != EINTR) return errno;
  }
  return 0;
}

/// What a path that ends in symbolic links points to, which need not exist.
std::string follow_links(const std::string& path) {
  constexpr int kMaxLinks = 40;  // as many as Linux follows
  std::string current = path;
  for (int link = 0; link < kMaxLinks; ++link) {
    std::array<char, PATH_MAX> buffer{};
    const ssize_t length = ::readlink(current.c_str(), buffer.data(), buffer.size());
    if (length <= 0) return current;
    const std::string next(buffer.data(), static_cast<std::size_t>(length));
    current = next.front() == '/' ? next : folder_of(current).append("/").append(next);
  }
  fail_write(path, ELOOP);
}

/// Where the bytes go: to an open descriptor, into a device, or in place of a file.
struct Destination {
  std::optional<int> descriptor;
  std::optional<struct stat> existing;
  std::string target;  ///< the path with its links followed

  bool is_device() const { return existing && !S_ISREG(existing->st_mode); }
};

void require_right(const std::string& path, const std::string& object, int right,
                   const std::string& target) {
  if (::faccessat(AT_FDCWD, object.c_str(), right, AT_EACCESS) != 0) {
    fail_write(path, errno, target);
  }
}

/// In a folder where everybody may write (/tmp) a file may be replaced by its owner alone. Known
/// only at the rename otherwise, after all the work.
void require_own_in_sticky(const std::string& path, const struct stat& existing,
                           const std::string& target) {
  struct stat folder {};
  const uid_t user = ::geteuid();
  if (user == 0 || ::stat(folder_of(target).c_str(), &folder) != 0) return;
  if ((folder.st_mode & S_ISVTX) != 0 && folder.st_uid != user && existing.st_uid != user)
    fail_write(path, EPERM, target);
}

void require_open_for_writing(const std::string& path, int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) fail_write(path, EBADF);
}

/// Finds where `path` leads and throws whatever already speaks against writing there.
Destination find_destination(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) {
    throw Error(ErrorKind::invalid_input,
                fmt::format("expected the name of a file to write, found {}", in_quotes(path)));
  }
  Destination destination;
  destination.descriptor = descriptor_named(path, STDOUT_FILENO);
  if (destination.descriptor) {
    require_open_for_writing(path, *destination.descriptor);
    return destination;
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail_write(path, EISDIR);
    destination.existing = status;
    require_right(path, path, W_OK, path);
  } else if (errno != ENOENT) {
    fail_write(path, errno);
  }
  if (destination.is_device()) return destination;
  destination.target = follow_links(path);
  require_right(path, folder_of(destination.target), W_OK | X_OK, destination.target);
  if (destination.existing) require_own_in_sticky(path, *destination.existing, destination.target);
  return destination;
}

/// Returns 0 or the error. The group and the owner are kept where the system allows it: only root
/// may give a file away. Another group than the one the bits were meant for gets no more than all
/// others.
int copy_rights(int descriptor, const struct stat& existing) {
  constexpr auto kSameOwner = static_cast<uid_t>(-1);
  constexpr auto kSameGroup = static_cast<gid_t>(-1);
  mode_t mode = existing.st_mode & 0777U;
  if (::fchown(descriptor, kSameOwner, existing.st_gid) != 0) mode &= 0707U | ((mode & 07U) << 3U);
  static_cast<void>(::fchown(descriptor, existing.st_uid, kSameGroup) == 0);
  return ::fchmod(descriptor, mode) == 0 ? 0 : errno;
}

}  // namespace

/// Bytes go to a temporary file, which takes the target's name at the end, or straight into a
/// descriptor or device.
class FileWriter::State {
 public:
  explicit State(std::string path) : path_(std::move(path)), to_(find_destination(path_)) {
    if (to_.descriptor) {
      // What was printed before comes first.
      if (*to_.descriptor == STDOUT_FILENO && std::fflush(stdout) != 0) fail(errno);
    } else if (to_.is_device()) {
      file_.emplace(open_retrying(path_, O_WRONLY));
    } else {
      temporary_.emplace(folder_of(to_.target), to_.existing ? 0600 : 0666);
      file_.emplace(temporary_->descriptor());
    }
    if (file_ && file_->number() < 0) fail(errno);
  }

  void append(std::string_view bytes) {
    check(write_all(file_ ? file_->number() : *to_.descriptor, bytes));
    if (temporary_) start_writing_back(bytes.size());
  }

  void commit() {
    if (temporary_) {
      if (to_.existing) check(copy_rights(file_->number(), *to_.existing));
      check(sync_to_disk(file_->number()));
    }
    if (temporary_) check(temporary_->rename_to(to_.target));
    if (file_ && !temporary_) check(file_->close());  // of what is on the disk, nothing can fail
  }

 private:
  /// The disk works on what is there while the next bytes are computed; commit waits for the rest,
  /// and hears of what went wrong.
  void start_writing_back(std::uint64_t bytes) {
    constexpr std::uint64_t kPart = std::uint64_t{8} << 20;
    appended_ += bytes;
    if (appended_ - written_back_ < kPart) return;
    system::begin_to_write_back(file_->number(), static_cast<off_t>(written_back_),
                                static_cast<off_t>(appended_ - written_back_));
    written_back_ = appended_;
  }

  [[noreturn]] void fail(int code) const { fail_write(path_, code, to_.target); }
  void check(int code) const {
    if (code != 0) fail(code);
  }

  std::string path_;
  Destination to_;
  std::optional<TemporaryFile> temporary_;
  std::optional<Descriptor> file_;
  std::uint64_t appended_ = 0, written_back_ = 0;  // bytes of a temporary file
};

FileWriter::FileWriter(const std::string& path) : state_(std::make_unique<State>(path)) {}
FileWriter::~FileWriter() = default;
void FileWriter::append(std::string_view bytes) { state_->append(bytes); }
void FileWriter::commit() { state_->commit(); }

void write_file(const std::string& path, std::string_view bytes) {
  FileWriter file(path);
  file.append(bytes);
  file.commit();
}

void check_writable(const std::string& path) { find_destination(path); }

std::optional<int> written_descriptor(std::string_view path) {
  return descriptor_named(path, STDOUT_FILENO);
}

std::string read_file(const std::string& path, std::size_t max_bytes) {
  const auto fail = [&path](int code) {
    throw SystemError(
        fmt::format("cannot read {}: {}", in_quotes(path, PATH_MAX), system_words(code)),
        code == ENOENT ? "check the name and the folder it is in" : "");
  };
  if (path.find('\0') != std::string::npos) fail(ENOENT);
  const Descriptor file(open_to_read(path));
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) fail(errno);
  if (S_ISDIR(status.st_mode)) fail(EISDIR);

  std::string content;
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    content.reserve(std::min(max_bytes, static_cast<std::size_t>(status.st_size)));
  }
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t length = ::read(file.number(), buffer.data(), buffer.size());
    if (length == 0) return content;
    if (length < 0 && errno != EINTR) fail(errno);
    if (length < 0) continue;
    const auto count = static_cast<std::size_t>(length);
    if (count > max_bytes - content.size()) {
      throw Error(ErrorKind::invalid_input,
                  fmt::format("cannot read {}: expected at most {} bytes, found more",
                              in_quotes(path, PATH_MAX), max_bytes));
    }
    content.append(buffer.data(), count);
  }
}

}  // namespace rope::io
