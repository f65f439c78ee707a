#include "rope/io/input_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <climits>
#include <cstring>

#include "rope/error.hpp"
#include "rope/io/descriptor.hpp"
#include "rope/io/file.hpp"
#include "rope/io/quote.hpp"

namespace rope::io {
namespace {

constexpr std::size_t kMaxPipeBytes = std::size_t{2} << 30;

[[noreturn]] void fail(const std::string& path, const std::string& why, std::string remedy = {}) {
  throw SystemError(fmt::format("cannot read {}: {}", in_quotes(path, PATH_MAX), why),
                    std::move(remedy));
}

class FileOnDisk final : public InputFile {
 public:
  explicit FileOnDisk(const std::string& path) : InputFile(path), descriptor_(open_to_read(path)) {
    struct stat status {};
    if (descriptor_.number() < 0 || ::fstat(descriptor_.number(), &status) != 0)
      fail(path, system_words(errno));
    // Standard input may stand behind its first byte.
    const off_t at =
        std::clamp<off_t>(::lseek(descriptor_.number(), 0, SEEK_CUR), 0, status.st_size);
    start_ = static_cast<std::uint64_t>(at);
    size_ = static_cast<std::uint64_t>(status.st_size - at);
  }

  void read(std::uint64_t offset, std::span<char> bytes) const override {
    while (!bytes.empty()) {
      const ssize_t length = ::pread(descriptor_.number(), bytes.data(), bytes.size(),
                                     static_cast<off_t>(start_ + offset));
      if (length < 0 && errno == EINTR) continue;
      if (length < 0) fail(name(), system_words(errno));
      if (length == 0)
        fail(name(), fmt::format("expected {} bytes, found {}", size(), offset),
             "the file shrank while it was being read: try again");
      bytes = bytes.subspan(static_cast<std::size_t>(length));
      offset += static_cast<std::uint64_t>(length);
    }
  }

 private:
  Descriptor descriptor_;
  std::uint64_t start_ = 0;
};

class BytesAtHand final : public InputFile {
 public:
  BytesAtHand(std::string bytes, std::string name)
      : InputFile(std::move(name)), bytes_(std::move(bytes)) {
    size_ = bytes_.size();
  }

  void read(std::uint64_t offset, std::span<char> bytes) const override {
    if (offset > bytes_.size() || bytes.size() > bytes_.size() - offset)
      fail(name(), fmt::format("expected {} bytes from offset {} on, found {} in all", bytes.size(),
                               offset, bytes_.size()));
    if (!bytes.empty()) std::memcpy(bytes.data(), bytes_.data() + offset, bytes.size());
  }

 private:
  std::string bytes_;
};

}  // namespace

std::shared_ptr<const InputFile> input_from_bytes(std::string bytes, std::string name) {
  return std::make_shared<BytesAtHand>(std::move(bytes), std::move(name));
}

std::shared_ptr<const InputFile> open_input(const std::string& path) {
  struct stat status {};
  const std::optional<int> open = descriptor_named(path, STDIN_FILENO);
  const int found = open ? ::fstat(*open, &status) : ::stat(path.c_str(), &status);
  // A missing file gives the message of read_file, and a pipe has to be read by it.
  if (found != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
    return input_from_bytes(read_file(path, kMaxPipeBytes), path);
  return std::make_shared<FileOnDisk>(path);
}

}  // namespace rope::io
