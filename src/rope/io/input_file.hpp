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

  /// Its name in messages.
  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  /// Fills `bytes` with the content of the file from `offset` on.
  ///
  /// Throws    rope::SystemError if the file cannot be read, or has become shorter since it was
  ///           opened.
  virtual void read(std::uint64_t offset, std::span<char> bytes) const = 0;

 protected:
  explicit InputFile(std::string name) : name_(std::move(name)) {}

  std::uint64_t size_ = 0;

 private:
  std::string name_;
};

/// Opens a file; "-" is standard input. Anything other than a regular file, such as a pipe, is read
/// to its end, up to 2 GiB; a regular file is read on demand and never held in memory.
///
/// Throws    rope::SystemError if it cannot be opened or read, or is a directory.
std::shared_ptr<const InputFile> open_input(const std::string& path);

/// An input that consists of bytes in memory, called `name` in messages.
std::shared_ptr<const InputFile> input_from_bytes(std::string bytes, std::string name);

}  // namespace rope::io
