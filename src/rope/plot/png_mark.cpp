#include "rope/plot/png_mark.hpp"

#include <cstddef>

namespace rope::plot {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t kHeaderEnd = 33;  // the signature, and the chunk IHDR of always 13 bytes

/// Its length, its name, its bytes, and their CRC-32.
constexpr std::string_view kChunk("\0\0\0\x0dtEXtSoftware\0rope\xaa\xf5\xaf\xa0", 25);

}  // namespace

std::string with_mark(std::string png) {
  if (png.starts_with(kSignature) && png.size() > kHeaderEnd && !has_mark(png))
    png.insert(kHeaderEnd, kChunk);
  return png;
}

bool has_mark(std::string_view png) {
  return png.starts_with(kSignature) && png.substr(0, kHeaderEnd + kChunk.size()).ends_with(kChunk);
}

}  // namespace rope::plot
