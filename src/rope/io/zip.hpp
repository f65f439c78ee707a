#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rope/io/input_file.hpp"

namespace rope::io {

/// One file of a zip archive.
struct ZipEntry {
  std::string name;
  std::uint64_t header = 0;      ///< where the header of this file begins
  std::uint64_t compressed = 0;  ///< its size in the archive, in bytes
  std::uint64_t size = 0;        ///< its size when decompressed, in bytes
  std::uint32_t crc = 0;
  std::uint16_t method = 0;  ///< 0 stored, 8 deflated
};

/// Reads the directory at the end of a zip archive, such as one that numpy.savez writes.
///
/// Throws    rope::Error (invalid input) if there is no such directory, one name stands twice, or
///           the archive is damaged, split or encrypted.
/// Source    PKWARE's APPNOTE.TXT, 4.3; ZIP64 included.
std::vector<ZipEntry> read_zip_directory(const InputFile& archive);

/// The file of an entry, called `name` in messages: a part of the archive if it is stored, bytes in
/// memory if it is deflated.
///
/// Throws    rope::Error (invalid input) for another method, a damaged entry, or a deflated one of
///           more than 2 GiB.
std::shared_ptr<const InputFile> open_entry(std::shared_ptr<const InputFile> archive,
                                            const ZipEntry& entry, const std::string& name);

}  // namespace rope::io
