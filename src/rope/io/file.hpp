#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace rope::io {

/// A file that is written piece by piece, whole or not at all.
///
/// The bytes go to a fresh file beside the target, which then takes the target's name in one step.
/// After any failure, or without commit, the old file is as it was, and nothing new is left in the
/// folder; so too after a signal, if its handler calls remove_unfinished_files. Another hard link
/// to the old file keeps the old content.
///
/// Where     "-" and the names of open descriptors (/dev/stdout, /dev/fd/3) are written to as they
///           are; so is a device or a named pipe. A symbolic link stays one: what it points to is
///           replaced.
/// Rights    an existing file keeps its permission bits, and its group and its owner where the
///           system allows it; a group that is not kept takes what it had more than all others with
///           it. A new file gets 0666 less the umask. A file that may not be written is not
///           replaced.
/// Throws    rope::SystemError if the system refuses any step; rope::Error (invalid input) if the
///           name is empty or holds a NUL byte. A closed pipe is an error only if SIGPIPE is
///           ignored, and so is a size limit (ulimit -f) with SIGXFSZ: the program ignores both.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  FileWriter(FileWriter&&) = delete;
  FileWriter& operator=(FileWriter&&) = delete;

  void append(std::string_view bytes);

  /// Ends the file and gives it its name. Call it once, last.
  void commit();

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Writes `bytes` to the file `path`, whole or not at all, as FileWriter does.
void write_file(const std::string& path, std::string_view bytes);

/// Throws what `write_file(path, …)` would throw, as far as that is known beforehand: a missing
/// folder, missing permission, a directory in the way. Creates and opens nothing.
void check_writable(const std::string& path);

/// The open descriptor that `path` means to FileWriter; nothing if it is the name of a file.
std::optional<int> written_descriptor(std::string_view path);

/// Removes what unfinished writers have made so far. For the end of the program in the middle of
/// things: it may be called from a handler of signals.
void remove_unfinished_files() noexcept;

/// Returns the whole content of the file `path`, which may be a pipe. "-", and the names of open
/// descriptors (/dev/stdin, /dev/fd/3), are read from where they stand.
///
/// Throws    rope::SystemError if it cannot be opened or read, or is a directory; rope::Error
///           (invalid input) if it holds more than `max_bytes`, also when it has no end.
std::string read_file(const std::string& path, std::size_t max_bytes);

}  // namespace rope::io
