#include "rope/io/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace rope::io {
namespace {

unsigned byte_of(char c) { return static_cast<unsigned char>(c); }

/// Controls, and the marks that reorder a line or begin a new one.
bool steers_a_terminal(char32_t c) {
  constexpr std::array<std::pair<char32_t, char32_t>, 7> kRanges = {{{0x00, 0x1F},
                                                                     {0x7F, 0x9F},
                                                                     {0x61C, 0x61C},
                                                                     {0x200E, 0x200F},
                                                                     {0x2028, 0x202E},
                                                                     {0x2066, 0x2069},
                                                                     {0xFFF9, 0xFFFB}}};
  return std::ranges::any_of(kRanges,
                             [c](auto range) { return range.first <= c && c <= range.second; });
}

std::string escaped(std::string_view text, std::size_t max_bytes, bool keep_line_ends) {
  std::string out;
  std::size_t used = 0;
  while (used < text.size()) {
    const FrontCharacter front = front_character(text.substr(used));
    if (used + front.bytes > max_bytes) return out + "...";
    const std::string_view bytes = text.substr(used, front.bytes);
    if (front.printable || (keep_line_ends && bytes == "\n")) {
      out += bytes;
    } else {
      for (const char byte : bytes) out += fmt::format("\\x{:02x}", byte_of(byte));
    }
    used += front.bytes;
  }
  return out;
}

}  // namespace

FrontCharacter front_character(std::string_view text) {
  const unsigned lead = byte_of(text.front());
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || length > text.size()) return {1, 0, false};
  char32_t code = length == 1 ? lead : lead & (0x7FU >> length);
  for (const char byte : text.substr(1, length - 1)) {
    if ((byte_of(byte) & 0xC0U) != 0x80U) return {1, 0, false};
    code = (code << 6U) | (byte_of(byte) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kLowest = {0, 0, 0x80, 0x800, 0x10000};
  const bool valid =
      code >= kLowest[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  if (!valid) return {1, 0, false};
  return {length, code, !steers_a_terminal(code)};
}

std::string printable(std::string_view text, std::size_t max_bytes) {
  return escaped(text, max_bytes, false);
}

std::string printable_lines(std::string_view text) { return escaped(text, text.size(), true); }

std::string in_quotes(std::string_view text, std::size_t max_bytes) {
  return "'" + printable(text, max_bytes) + "'";
}

}  // namespace rope::io
