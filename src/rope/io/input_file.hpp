#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace rope::io {

/// Bytes that can be read at any offset: a file, or the output of a pipe, held in memory.
class InputFile {
 public:
  virtual ~InputFile() = default;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  InputFile(InputFile&&) = delete;
  InputFile& operator=(InputFile&&) = delete;

  /// What messages call it.
  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  /// Fills `bytes` from `offset` in the file.
  ///
  /// Throws    rope::SystemError if it cannot be read, or has become shorter since it was opened.
  virtual void read(std::uint64_t offset, std::span<char> bytes) const = 0;

 protected:
  explicit InputFile(std::string name) : name_(std::move(name)) {}

  std::uint64_t size_ = 0;

 private:
  std::string name_;
};

/// Opens a file; "-" is standard input. Anything but a regular file (a pipe) is read to its end, at
/// most 2 GiB; a regular file is read only where it is asked for, and never held in memory.
///
/// Throws    rope::SystemError if it cannot be opened or read, or is a directory.
std::shared_ptr<const InputFile> open_input(const std::string& path);

/// The same for bytes in memory, called `name` in messages.
std::shared_ptr<const InputFile> input_from_bytes(std::string bytes, std::string name);

}  // namespace rope::io
