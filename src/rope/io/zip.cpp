#include "rope/io/zip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/crc.hpp>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "rope/error.hpp"
#include "rope/io/inflate.hpp"
#include "rope/io/quote.hpp"

namespace rope::io {
namespace {

constexpr std::uint32_t kEndOfDirectory = 0x06054b50;
constexpr std::uint32_t kEndOfDirectory64 = 0x06064b50;
constexpr std::uint32_t kLocator64 = 0x07064b50;
constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
constexpr std::uint32_t kFileHeader = 0x04034b50;

constexpr std::uint64_t kEndBytes = 22;
constexpr std::uint64_t kEnd64Bytes = 56;
constexpr std::uint64_t kLocatorBytes = 20;
constexpr std::uint64_t kEntryBytes = 46;
constexpr std::uint64_t kHeaderBytes = 30;

constexpr std::uint64_t kMostDeflated = std::uint64_t{1} << 31;
constexpr std::uint16_t kStored = 0, kDeflated = 8;

[[noreturn]] void fail(const InputFile& archive, const std::string& what) {
  throw Error(ErrorKind::invalid_input, printable(archive.name(), 200) + ": " + what,
              "Write it again: numpy.savez(FILE, x=x, y=y).");
}

/// Little-endian numbers at places of a block of the archive.
class Block {
 public:
  Block(const InputFile& archive, std::uint64_t offset, std::uint64_t size) : archive_(archive) {
    if (offset > archive.size() || size > archive.size() - offset)
      fail(archive, "expected a zip archive, found one that is cut off or damaged");
    bytes_.resize(size);
    archive.read(offset, bytes_);
  }

  std::uint64_t number(std::size_t at, std::size_t size) const {
    if (at + size > bytes_.size()) fail(archive_, "expected a zip archive, found a damaged one");
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
    return value;
  }
  std::uint16_t u16(std::size_t at) const { return static_cast<std::uint16_t>(number(at, 2)); }
  std::uint32_t u32(std::size_t at) const { return static_cast<std::uint32_t>(number(at, 4)); }
  std::uint64_t u64(std::size_t at) const { return number(at, 8); }
  std::string_view text(std::size_t at, std::size_t size) const {
    if (at + size > bytes_.size()) fail(archive_, "expected a zip archive, found a damaged one");
    return std::string_view(bytes_).substr(at, size);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  const InputFile& archive_;
  std::string bytes_;
};

/// Where the directory is.
struct Directory {
  std::uint64_t offset = 0, size = 0, entries = 0;
};

/// The record that closes the archive: a comment of at most 65535 bytes may follow it.
std::uint64_t end_of(const InputFile& archive) {
  constexpr std::uint64_t kMostComment = 0xffff;
  const std::uint64_t searched = std::min(archive.size(), kEndBytes + kMostComment);
  const Block tail(archive, archive.size() - searched, searched);
  for (std::uint64_t at = searched; at-- >= kEndBytes;) {
    const std::uint64_t begin = at + 1 - kEndBytes;
    if (tail.u32(begin) == kEndOfDirectory && begin + kEndBytes + tail.u16(begin + 20) == searched)
      return archive.size() - searched + begin;
  }
  fail(archive, "expected a zip archive, found one without a directory: it is cut off");
}

Directory directory_of(const InputFile& archive) {
  const std::uint64_t at = end_of(archive);
  const Block end(archive, at, kEndBytes);
  Directory found{end.u32(16), end.u32(12), end.u16(10)};
  if (at >= kLocatorBytes) {
    const Block locator(archive, at - kLocatorBytes, kLocatorBytes);
    if (locator.u32(0) == kLocator64) {
      const Block large(archive, locator.u64(8), kEnd64Bytes);
      if (large.u32(0) != kEndOfDirectory64)
        fail(archive, "expected a zip archive, found a damaged one");
      found = {large.u64(48), large.u64(40), large.u64(32)};
    }
  }
  return found;
}

/// Sizes that 32 bits do not hold stand in an extra field of the entry, in this order.
void take_large_sizes(const Block& directory, std::size_t at, std::size_t size, ZipEntry& entry) {
  constexpr std::uint16_t kLargeSizes = 1;
  constexpr std::uint64_t kElsewhere = 0xffffffff;
  for (const std::size_t end = at + size; at + 4 <= end;) {
    const std::size_t length = directory.u16(at + 2);
    if (directory.u16(at) == kLargeSizes) {
      std::size_t next = at + 4;
      for (std::uint64_t* const value : {&entry.size, &entry.compressed, &entry.header})
        if (*value == kElsewhere) {
          *value = directory.u64(next);
          next += 8;
        }
    }
    at += 4 + length;
  }
}

/// A part of a file.
class Part final : public InputFile {
 public:
  Part(std::shared_ptr<const InputFile> whole, std::uint64_t offset, std::uint64_t size,
       std::string name)
      : InputFile(std::move(name)), whole_(std::move(whole)), offset_(offset) {
    size_ = size;
  }

  void read(std::uint64_t offset, std::span<char> bytes) const override {
    if (offset > size() || bytes.size() > size() - offset)
      throw ShapeError(name() + ": expected a range inside the file");
    whole_->read(offset_ + offset, bytes);
  }

 private:
  std::shared_ptr<const InputFile> whole_;
  std::uint64_t offset_;
};

std::uint32_t crc_of(const InputFile& file) {
  std::array<char, std::size_t{1} << 16> buffer{};
  boost::crc_32_type crc;
  for (std::uint64_t at = 0; at < file.size();) {
    const auto now =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), file.size() - at));
    file.read(at, std::span(buffer).first(now));
    crc.process_bytes(buffer.data(), now);
    at += now;
  }
  return crc.checksum();
}

}  // namespace

std::vector<ZipEntry> read_zip_directory(const InputFile& archive) {
  const Directory place = directory_of(archive);
  const Block directory(archive, place.offset, place.size);
  std::vector<ZipEntry> entries;
  std::set<std::string> names;
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < place.entries; ++i) {
    if (directory.u32(at) != kDirectoryEntry)
      fail(archive, "expected a zip archive, found a damaged directory");
    if ((directory.u16(at + 8) & 1) != 0)
      fail(archive, "expected unencrypted files, found encrypted ones");
    const std::size_t name = directory.u16(at + 28), extra = directory.u16(at + 30);
    ZipEntry entry{.name = std::string(directory.text(at + kEntryBytes, name)),
                   .header = directory.u32(at + 42),
                   .compressed = directory.u32(at + 20),
                   .size = directory.u32(at + 24),
                   .crc = directory.u32(at + 16),
                   .method = directory.u16(at + 10)};
    take_large_sizes(directory, at + kEntryBytes + name, extra, entry);
    if (!names.insert(entry.name).second)  // readers differ on which of the two they take
      fail(archive, fmt::format("expected every name once, found {} twice", in_quotes(entry.name)));
    entries.push_back(std::move(entry));
    at += kEntryBytes + name + extra + directory.u16(at + 32);
  }
  return entries;
}

std::shared_ptr<const InputFile> open_entry(std::shared_ptr<const InputFile> archive,
                                            const ZipEntry& entry, const std::string& name) {
  const Block header(*archive, entry.header, kHeaderBytes);
  if (header.u32(0) != kFileHeader) fail(*archive, "expected a zip archive, found a damaged one");
  const std::uint64_t begin = entry.header + kHeaderBytes + header.u16(26) + header.u16(28);
  if (entry.compressed > archive->size() || begin > archive->size() - entry.compressed)
    fail(*archive, "expected a zip archive, found one that is cut off");
  std::shared_ptr<const InputFile> file =
      std::make_shared<Part>(archive, begin, entry.compressed, name);
  if (entry.method == kDeflated) {
    if (entry.size > kMostDeflated)
      fail(*archive, fmt::format("{} unpacks to {} bytes, more than rope keeps in memory",
                                 in_quotes(entry.name), entry.size));
    std::string compressed(entry.compressed, '\0');
    file->read(0, compressed);
    std::optional<std::string> bytes = inflate(std::move(compressed), entry.size);
    if (!bytes) fail(*archive, in_quotes(entry.name) + " is damaged: it cannot be unpacked");
    file = input_from_bytes(std::move(*bytes), name);
  } else if (entry.method != kStored) {
    fail(*archive,
         fmt::format("{} is compressed with method {}; rope reads methods 0 and 8 (deflate)",
                     in_quotes(entry.name), entry.method));
  }
  if (file->size() != entry.size || crc_of(*file) != entry.crc)
    fail(*archive, in_quotes(entry.name) + " is damaged: its bytes do not have the checksum " +
                       "given in the archive");
  return file;
}

}  // namespace rope::io
