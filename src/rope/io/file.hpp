#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace rope::io {

/// A file that is written piece by piece, and appears whole or not at all.
///
/// The bytes go to a new file next to the target, which then takes the target's name in one step.
/// After any failure, or without commit, the old file is as it was, and nothing new is left in the
/// folder; the same holds after a signal, if its handler calls remove_unfinished_files. Another
/// hard link to the old file keeps the old content.
///
/// Where     "-" and the names of open descriptors (/dev/stdout, /dev/fd/3) are written to
///           directly; so are devices and named pipes. A symbolic link stays a link: its target is
///           replaced.
/// Rights    an existing file keeps its permission bits, and its group and its owner where the
///           system allows it; if the group is not kept, the group permissions are reduced to those
///           that all other users have. A new file gets 0666 minus the umask. A file without write
///           permission is not replaced.
/// Throws    rope::SystemError if the system refuses any step; rope::Error (invalid input) if the
///           name is empty or contains a NUL byte. A closed pipe is an error only if SIGPIPE is
///           ignored, and a size limit (ulimit -f) is one only if SIGXFSZ is ignored; the program
///           ignores both signals.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  FileWriter(FileWriter&&) = delete;
  FileWriter& operator=(FileWriter&&) = delete;

  void append(std::string_view bytes);

  /// Finishes the file and gives it its name. Call it once, at the end.
  void commit();

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Writes `bytes` to the file `path`, whole or not at all, as FileWriter does.
void write_file(const std::string& path, std::string_view bytes);

/// Throws what `write_file(path, …)` would throw, as far as can be known in advance: for a missing
/// folder, a missing permission or a directory in the way. Creates and opens nothing.
void check_writable(const std::string& path);

/// The open descriptor that FileWriter would write to for `path`; nothing if `path` names a file.
std::optional<int> written_descriptor(std::string_view path);

/// Removes the files that unfinished writers have made so far, for use when the program ends early.
/// It may be called from a signal handler.
void remove_unfinished_files() noexcept;

/// Returns the whole content of the file `path`, which may be a pipe. "-", and the names of open
/// descriptors (/dev/stdin, /dev/fd/3), are read from their current position.
///
/// Throws    rope::SystemError if it cannot be opened or read, or is a directory; rope::Error
///           (invalid input) if it contains more than `max_bytes`, as a file that never ends does.
std::string read_file(const std::string& path, std::size_t max_bytes);

}  // namespace rope::io
