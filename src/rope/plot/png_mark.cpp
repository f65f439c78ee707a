#include "rope/plot/png_mark.hpp"

#include <boost/crc.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

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
std::string chunk(const std::string& name_and_bytes) {
  boost::crc_32_type check;
  check.process_bytes(name_and_bytes.data(), name_and_bytes.size());
  const auto length = static_cast<std::uint32_t>(name_and_bytes.size() - 4);
  return big_endian(length) + name_and_bytes + big_endian(check.checksum());
}

constexpr std::string_view kMark("\0\0\0\x0dtEXtSoftware\0rope\xaa\xf5\xaf\xa0", 25);

/// Where a chunk may be put in: behind the header and the mark. None if the bytes are no PNG.
std::optional<std::size_t> place_in(std::string_view png) {
  if (!png.starts_with(kSignature) || png.size() <= kHeaderEnd) return std::nullopt;
  return kHeaderEnd + (has_mark(png) ? kMark.size() : 0);
}

}  // namespace

std::string with_mark(std::string png) {
  if (const auto place = place_in(png); place && !has_mark(png)) png.insert(*place, kMark);
  return png;
}

std::string with_comment(std::string png, std::string_view text) {
  // The keyword, then: not compressed, in no language that is named, the keyword not translated.
  static constexpr std::string_view kComment("iTXtComment\0\0\0\0\0", 16);
  if (const auto place = place_in(png); place && !text.empty())
    png.insert(*place, chunk(std::string(kComment).append(text)));
  return png;
}

std::string with_density(std::string png, double per_inch) {
  constexpr double kMetresPerInch = 0.0254;
  const auto place = place_in(png);
  if (!place || !(per_inch > 0)) return png;
  const std::string per_metre =
      big_endian(static_cast<std::uint32_t>(std::lround(per_inch / kMetresPerInch)));
  png.insert(*place, chunk("pHYs" + per_metre + per_metre + '\x01'));  // pixels a metre
  return png;
}

bool has_mark(std::string_view png) {
  return png.starts_with(kSignature) && png.substr(0, kHeaderEnd + kMark.size()).ends_with(kMark);
}

}  // namespace rope::plot
