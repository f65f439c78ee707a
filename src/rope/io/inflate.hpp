#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rope::io {

/// Decompresses DEFLATE data (RFC 1951) without a zlib or gzip header; nothing if the data is
/// damaged or decompresses to more than `most` bytes. The caller should compare a checksum: a
/// truncated stream may seem complete.
std::optional<std::string> inflate(std::string compressed, std::uint64_t most);

}  // namespace rope::io
