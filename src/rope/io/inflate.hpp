#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rope::io {

/// What bytes compressed by DEFLATE (RFC 1951) hold, without the header of zlib or gzip; nothing if
/// they are damaged or hold more than `most` bytes. A checksum is the caller's to compare: without
/// its end a stream may seem whole.
std::optional<std::string> inflate(std::string compressed, std::uint64_t most);

}  // namespace rope::io
