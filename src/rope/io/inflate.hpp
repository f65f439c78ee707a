#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rope::io {

/// Decompresses DEFLATE data (RFC 1951) without a zlib or gzip header; nothing if it is damaged or
/// holds more than `most` bytes. Comparing a checksum is up to the caller: a truncated stream may
/// seem whole.
std::optional<std::string> inflate(std::string compressed, std::uint64_t most);

}  // namespace rope::io
