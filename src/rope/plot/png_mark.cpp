#include "rope/plot/png_mark.hpp"

#include <boost/crc.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace rope::plot {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t kHeaderEnd = 33;  // the signature, and the chunk IHDR of always 13 bytes

/// A number as PNG has it: four bytes, the highest first.
std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (const unsigned shift : {24U, 16U, 8U, 0U})
    bytes += static_cast<char>(value >> shift & 0xFFU);
  return bytes;
}

/// Its length, its name, its bytes, and their CRC-32.
constexpr std::string_view kChunk("\0\0\0\x0dtEXtSoftware\0rope\xaa\xf5\xaf\xa0", 25);

}  // namespace

std::string with_mark(std::string png) {
  if (png.starts_with(kSignature) && png.size() > kHeaderEnd && !has_mark(png))
    png.insert(kHeaderEnd, kChunk);
  return png;
}

std::string with_density(std::string png, double per_inch) {
  constexpr double kMetresPerInch = 0.0254;
  if (!png.starts_with(kSignature) || png.size() <= kHeaderEnd || !(per_inch > 0)) return png;
  const std::string per_metre =
      big_endian(static_cast<std::uint32_t>(std::lround(per_inch / kMetresPerInch)));
  const std::string content = "pHYs" + per_metre + per_metre + '\x01';  // pixels a metre
  boost::crc_32_type check;
  check.process_bytes(content.data(), content.size());
  png.insert(kHeaderEnd + (has_mark(png) ? kChunk.size() : 0),
             big_endian(9) + content + big_endian(check.checksum()));
  return png;
}

bool has_mark(std::string_view png) {
  return png.starts_with(kSignature) && png.substr(0, kHeaderEnd + kChunk.size()).ends_with(kChunk);
}

}  // namespace rope::plot
